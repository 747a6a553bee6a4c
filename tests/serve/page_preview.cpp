// page_preview.cpp - serves scripted boards, for whoever works on the page
// SPDX-License-Identifier: Apache-2.0
//
// page_preview [PORT] [BOARDS] [LANGUAGE]: board TM-0001 has open questions, a man in the air and a
// running clock; further boards stand at other points of other games.
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <variant>
#include <vector>

#include "host/serve/web_server.hpp"
#include "tests/serve/scripted_game.hpp"

namespace {

using namespace touchmove;
using serve::ScriptedGame;

// Anderssen - Kieseritzky, London 1851.
constexpr const char* immortal[] = {
    "e4", "e5",    "f4",  "exf4", "Bc4",   "Qh4+", "Kf1",  "b5",   "Bxb5", "Nf6",  "Nf3", "Qh6",
    "d3", "Nh5",   "Nh4", "Qg5",  "Nf5",   "c6",   "g4",   "Nf6",  "Rg1",  "cxb5", "h4",  "Qg6",
    "h5", "Qg5",   "Qf3", "Ng8",  "Bxf4",  "Qf6",  "Nc3",  "Bc5",  "Nd5",  "Qxb2", "Bd6", "Bxg1",
    "e5", "Qxa1+", "Ke2", "Na6",  "Nxg7+", "Kd8",  "Qf6+", "Nxf6", "Be7#"};

class Boards final : public serve::WebServer::Handler {
  public:
    Boards(std::size_t count, serve::Language language) {
        constexpr std::size_t plies[] = {38, 45, 7, 24, 15, 31};
        for (std::size_t i = 0; i < count; ++i) {
            serve::GameInfo info;
            info.board = "TM-000" + std::to_string(i + 1);
            info.game_id = info.board + "/1";
            info.white = "Anderssen, Adolf";
            info.black = "Kieseritzky, Lionel";
            info.event = "London";
            info.round = std::to_string(i + 1);
            info.date = "1851.06.21";
            info.time_control = "5400+30";
            auto game =
                std::make_unique<ScriptedGame>(std::move(info), Millis{5'400'000}, Millis{30'000},
                                               language);
            game->live.on_link(serve::LinkState::connected);
            for (std::size_t ply = 0; ply < plies[i % std::size(plies)]; ++ply) {
                game->evidence = ply == 10 ? laws::Evidence::capture_inferred
                                           : laws::Evidence::seen;
                game->play(immortal[ply],
                           Millis{static_cast<int>(4000 + ply * ply * 379 % 171'000)});
            }
            if (plies[i % std::size(plies)] == std::size(immortal)) {
                game->end(laws::Score::white_wins, "checkmate", "5.1.1", false);
            }
            games_.push_back(std::move(game));
        }
        stage(*games_.front());
    }

    std::vector<std::string> greeting(serve::Audience audience) override {
        std::vector<std::string> messages;
        for (const auto& game : games_)
            messages.push_back(game->live.state_message(audience));
        return messages;
    }
    void on_command(serve::Command command, std::function<void(Result<void>)> reply) override {
        if (command.board != games_.front()->live.info().board) {
            reply(Error(std::errc::invalid_argument, "There is no such board."));
            return;
        }
        if (const auto* input = std::get_if<laws::Input>(&command.what)) {
            games_.front()->wait(Millis{1});
            games_.front()->input(*input);
            publish();
        }
        reply({});
    }
    void on_trouble(const Error& what) override { std::puts(what.message().c_str()); }

    serve::WebServer* server = nullptr;

  private:
    static void stage(ScriptedGame& game) {
        using chess::Color;
        using laws::ReportKind;
        const auto square = [](const char* name) { return *chess::Square::parse(name); };
        const auto uci = [](const char* name) { return *laws::Move::parse_uci(name); };
        game.decide(laws::Reported{{ReportKind::touch_move,
                                    "4.3.1",
                                    Color::black,
                                    {square("c8")},
                                    {uci("c8a6"), uci("c8b7")},
                                    {},
                                    std::nullopt}});
        game.decide(laws::Reported{{ReportKind::illegal_move,
                                    "7.5.1",
                                    Color::white,
                                    {square("e1"), square("g1")},
                                    {},
                                    {},
                                    laws::Penalty{Millis{120'000}}}});
        game.live.on_stories(2);
        const auto reply = game.move("Ke2");
        game.wait(Millis{21'000});
        game.lift(reply);
    }
    void publish() {
        for (const auto audience : {serve::Audience::viewer, serve::Audience::arbiter}) {
            if (auto message = games_.front()->live.take_change(audience)) {
                server->send(audience, *message);
            }
        }
    }

    std::vector<std::unique_ptr<ScriptedGame>> games_;
};

}  // namespace

int main(int argc, char** argv) {
    serve::WebServer::Options options;
    if (argc > 1) options.port = static_cast<std::uint16_t>(std::atoi(argv[1]));
    if (argc > 3) options.language = serve::language_of(argv[3]).value_or(serve::Language::en);
    Boards boards(argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 1, options.language);
    boost::asio::io_context io;
    auto server = serve::WebServer::start(io, options, boards);
    if (!server) {
        std::fprintf(stderr, "%s\n", server.error().message().c_str());
        return 1;
    }
    boards.server = server->get();
    std::printf("http://127.0.0.1:%u/arbiter\n", unsigned{(*server)->port()});
    std::fflush(stdout);
    boost::asio::signal_set signals(io, SIGINT, SIGTERM);
    signals.async_wait([&](auto, int) { (*server)->stop(); });
    io.run();
    return 0;
}
