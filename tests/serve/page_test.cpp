// page_test.cpp - a real browser shows the moves that the server told it
// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "host/serve/page_files.hpp"
#include "host/serve/web_server.hpp"
#include "tests/serve/scripted_game.hpp"

namespace {

using namespace touchmove;
using serve::Audience;
using serve::ScriptedGame;
using serve::WebServer;

std::string output_of(const std::string& command) {
    std::string text;
    FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> block{};
    while (const auto got = std::fread(block.data(), 1, block.size(), pipe)) {
        text.append(block.data(), got);
    }
    ::pclose(pipe);
    return text;
}

std::string chromium() {
    auto path = output_of("command -v chromium");
    while (!path.empty() && path.back() == '\n')
        path.pop_back();
    return path;
}

// The document as it stands once the page's scripts have settled.
std::string document_of(const std::string& url) {
    auto profile = (std::filesystem::temp_directory_path() / "touchmove-page-XXXXXX").string();
    REQUIRE(::mkdtemp(profile.data()) != nullptr);
    const auto text =
        output_of("timeout 90 " + chromium() +
                  " --headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
                  " --disable-background-networking --disable-component-update --disable-sync"
                  " --force-prefers-reduced-motion --virtual-time-budget=6000 --user-data-dir='" +
                  profile + "' --dump-dom '" + url + "' 2>/dev/null");
    std::filesystem::remove_all(profile);
    return text;
}

// A game that the server tells every newcomer: the state first, the last two moves as changes.
class Boards final : public WebServer::Handler {
  public:
    Boards() {
        serve::GameInfo info;
        info.board = "TM-0001";
        info.game_id = "TM-0001/1";
        info.white = "Ada <b>& Co";
        info.black = "Ben";
        info.event = "Club evening";
        info.time_control = "300+2";
        game_ = std::make_unique<ScriptedGame>(std::move(info), Millis{300'000}, Millis{2000});
        game_->live.on_link(serve::LinkState::connected);
        for (const auto* san : {"e4", "e5", "Nf3", "Nc6", "Bb5"})
            game_->play(san);
        for (const auto audience : {Audience::viewer, Audience::arbiter})
            tell(audience);
        game_->play("a6");
        for (const auto audience : {Audience::viewer, Audience::arbiter})
            tell(audience);
        const auto castling = game_->move("O-O");
        game_->lift(castling);
        game_->show(castling);
        laws::Report ambiguous{laws::ReportKind::ambiguous,
                               "4.7",
                               laws::Color::white,
                               {},
                               {},
                               {*laws::Move::parse_uci("g8f6"), *laws::Move::parse_uci("d7d6")},
                               std::nullopt};
        game_->decide(laws::Reported{ambiguous});
        for (const auto audience : {Audience::viewer, Audience::arbiter})
            tell(audience);
    }
    std::vector<std::string> greeting(Audience audience) override {
        return told_[static_cast<std::size_t>(audience)];
    }
    void on_command(serve::Command, std::function<void(Result<void>)> reply) override { reply({}); }
    void on_trouble(const Error& what) override { UNSCOPED_INFO(what.message()); }

  private:
    void tell(Audience audience) {
        const auto message = game_->live.take_change(audience);
        REQUIRE(message);
        told_[static_cast<std::size_t>(audience)].push_back(*message);
    }
    std::unique_ptr<ScriptedGame> game_;
    std::array<std::vector<std::string>, 2> told_;
};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

// The texts of the score sheet's moves, in order.
std::vector<std::string> moves_in(const std::string& document) {
    std::vector<std::string> moves;
    const std::string mark = "data-ply=\"";
    for (auto at = document.find(mark); at != std::string::npos; at = document.find(mark, at + 1)) {
        const auto begin = document.find('>', at) + 1;
        moves.push_back(document.substr(begin, document.find('<', begin) - begin));
    }
    return moves;
}

// Whether the man is drawn on that square of a board 480 units wide.
bool man_stands(const std::string& document, const std::string& man, const std::string& square) {
    const auto place = "translate(" + std::to_string((square[0] - 'a') * 60) + " " +
                       std::to_string(('8' - square[1]) * 60) + ")";
    const std::string mark = "<g data-piece=\"" + man + "\"";
    for (auto at = document.find(mark); at != std::string::npos; at = document.find(mark, at + 1)) {
        if (document.substr(at, document.find('>', at) - at).find(place) != std::string::npos) {
            return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("a browser shows the moves, the men, the names and what is only shown", "[serve][page]") {
    if (chromium().empty()) {
        WARN("skipped: chromium is not installed");
        return;
    }
    if (serve::page_files()[0].etag == "\"absent\"") {
        WARN("skipped: built without Node.js, there is no page");
        return;
    }
    Boards boards;
    boost::asio::io_context io;
    WebServer::Options options;
    options.port = 0;
    auto server = WebServer::start(io, options, boards);
    REQUIRE(server);
    std::thread loop([&] { io.run(); });
    const auto address = "http://127.0.0.1:" + std::to_string((*server)->port());
    const auto viewer = document_of(address + "/");
    const auto arbiter = document_of(address + "/arbiter");
    boost::asio::post(io, [&] { (*server)->stop(); });
    loop.join();

    INFO(viewer);
    const std::vector<std::string> moves = {"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"};
    CHECK(moves_in(viewer) == moves);
    CHECK(moves_in(arbiter) == moves);
    CHECK(count(viewer, "class=\"move shown current\"") == 1);
    CHECK(count(viewer, "Ada &lt;b&gt;&amp; Co") == 1);  // names are text, never markup
    CHECK(man_stands(viewer, "wk", "g1"));
    CHECK(man_stands(viewer, "wr", "f1"));
    CHECK(man_stands(viewer, "wb", "b5"));
    CHECK(man_stands(viewer, "bp", "a6"));
    CHECK_FALSE(man_stands(viewer, "wk", "e1"));
    CHECK(count(viewer, " data-piece=\"") == 32);
    CHECK(count(viewer, "class=\"pill good\"") == 1);
    CHECK(count(viewer, "5 min + 2 s") == 1);

    CHECK(count(viewer, "class=\"desk\"") == 0);
    CHECK(count(viewer, "More than one move fits") == 0);
    CHECK(count(arbiter, "class=\"desk\"") == 1);
    CHECK(count(arbiter, "More than one move fits what was seen: Nf6 or d6.") >= 1);
    CHECK(count(arbiter, "class=\"strong\">Nf6</button>") == 1);
}
