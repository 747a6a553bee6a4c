// daemon.cpp - boards, journal, page and PGN folder as one running program
// SPDX-License-Identifier: Apache-2.0
#include "host/app/daemon.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <csignal>
#include <cstddef>
#include <utility>
#include <variant>

#include "host/app/move_printer.hpp"
#include "host/link/device_uri.hpp"

namespace touchmove::app {

using serve::Audience;

Daemon::Daemon(Configuration configuration, Print print)
    : configuration_(std::move(configuration)), print_(std::move(print)), signals_(io_) {}

Result<void> Daemon::run() {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](const boost::system::error_code& cancelled, int) {
        if (!cancelled) stop();
    });
    if (auto opened = open(); !opened) return opened.error();
    for (auto& connection : connections_) connection->start();
    io_.run();
    if (fatal_) return *fatal_;
    return {};
}

Result<void> Daemon::open() {
    auto journal = journal::Journal::open(configuration_.journal);
    if (!journal) return journal.error();
    journal_ = *std::move(journal);

    auto pgn = serve::PgnFolder::open(configuration_.pgn_dir, [](const Error& why) {
        spdlog::error("PGN: {}", why.message());
    });
    if (!pgn) return pgn.error();
    pgn_ = *std::move(pgn);

    auto serials = journal_->boards();
    if (!serials) return serials.error();
    for (const std::string& serial : *serials) {
        if (auto made = make_board(serial); !made) return made.error();
    }

    serve::WebServer::Options options;
    options.address = configuration_.web_address;
    options.port = configuration_.web_port;
    options.origins = configuration_.web_origins;
    options.language = configuration_.language;
    auto web = serve::WebServer::start(io_, options, *this);
    if (!web) return web.error();
    web_ = *std::move(web);
    print_(fmt::format("page:    http://{}:{}/  (arbiter: /arbiter)", configuration_.web_address,
                       web_->port()));
    print_(fmt::format("games:   {}", configuration_.pgn_dir));
    print_(fmt::format("journal: {}", configuration_.journal));
    return open_connections();
}

Result<void> Daemon::open_connections() {
    for (const std::string& text : configuration_.devices) {
        const auto uri = link::parse_device_uri(text);
        if (!uri) return uri.error();
        if (std::holds_alternative<link::UsbAddress>(*uri) && !usb_) {
            auto usb = link::UsbHost::create(io_.get_executor());
            if (!usb) return usb.error();
            usb_ = *std::move(usb);
        }
        auto opener = link::opener_for(*uri, io_.get_executor(), usb_.get());
        if (!opener) return opener.error();
        connections_.push_back(
            std::make_unique<Connection>(io_.get_executor(), text, *std::move(opener),
                                         static_cast<Connection::Handler&>(*this)));
    }
    return {};
}

Result<Board*> Daemon::make_board(const std::string& serial) {
    auto made = std::make_unique<Board>(io_.get_executor(), *journal_,
                                        static_cast<Board::Observer&>(*this), serial,
                                        configuration_.game, configuration_.language);
    if (auto replayed = made->replay(); !replayed) return replayed.error();
    if (configuration_.lamps == Lamps::restore) made->light_what_to_restore();
    Board& board = *(boards_[serial] = std::move(made));
    if (board.game().has_game()) {
        auto& live = board.game().live();
        (void)board.game().take_shown();  // told when it happened
        write_record(live);
        spdlog::info("board {}: game {} restored, {} half-moves", serial, board.game().games(),
                     live.moves().size());
    }
    return &board;
}

Board* Daemon::board_of(const std::string& serial) {
    if (const auto found = boards_.find(serial); found != boards_.end()) return found->second.get();
    auto made = make_board(serial);
    if (made) return *made;
    if (!fatal_) fatal_ = made.error();
    boost::asio::post(io_, [this] { stop(); });
    return nullptr;
}

/// Links first, then what is on its way to the disk, then everything else.
void Daemon::stop() {
    if (std::exchange(stopping_, true)) return;
    spdlog::info("stopping");
    for (auto& connection : connections_) connection->stop();
    finish_when_idle();
}

void Daemon::finish_when_idle() {
    auto left = std::make_shared<std::size_t>(boards_.size());
    const auto finish = [this] {
        if (web_) web_->stop();
        signals_.cancel();
        pgn_->flush();
        io_.stop();
    };
    if (*left == 0) return finish();
    for (auto& [serial, board] : boards_) {
        board->when_idle([left, finish] {
            if (--*left == 0) finish();
        });
    }
}

/// A game that was set up and left without a move is no game; one whose moves were taken back after
/// they were written is.
void Daemon::write_record(serve::LiveGame& live) {
    if (!live.is_game() && !pgn_->holds(live.info().game_id)) return;
    if (!live.take_record_changed()) return;
    pgn_->write(live.info().game_id, live.pgn());
}

void Daemon::on_change(Board& board) {
    auto& game = board.game();
    if (!game.has_game()) return;
    auto& live = game.live();
    if (web_) {
        for (const auto audience : {Audience::viewer, Audience::arbiter}) {
            if (const auto change = live.take_change(audience)) web_->send(audience, *change);
        }
    }
    write_record(live);
    for (const auto& line : lines_for(live, game.take_shown(), boards_.size() > 1)) print_(line);
}

void Daemon::on_game_left(serve::LiveGame& live) { write_record(live); }

void Daemon::on_attached(Board& board) {
    print_(fmt::format("board {} is connected", board.serial()));
    on_change(board);
}

void Daemon::on_detached(Board& board, const Error& why) {
    print_(fmt::format("board {} is gone: {}", board.serial(), why.message()));
    on_change(board);
}

void Daemon::on_fatal(Board&, const Error& why) {
    if (!fatal_) fatal_ = why;
    // The board, and perhaps its link, are still at work further up the stack.
    boost::asio::post(io_, [this] { stop(); });
}

void Daemon::on_not_opened(const Connection& connection, const Error& why) {
    print_(fmt::format("waiting for {}: {}", connection.uri(), why.message()));
}

void Daemon::on_doubled(const Connection& connection, const Board& board) {
    spdlog::warn("{}: the board {} is served by another of the devices already", connection.uri(),
                 board.serial());
}

std::vector<std::string> Daemon::greeting(Audience audience) {
    std::vector<std::string> messages;
    for (auto& [serial, board] : boards_) {
        if (board->game().has_game()) {
            messages.push_back(board->game().live().state_message(audience));
        }
    }
    return messages;
}

void Daemon::on_command(serve::Command command, std::function<void(Result<void>)> reply) {
    const auto found = boards_.find(command.board);
    if (found == boards_.end()) {
        return reply(Error(std::errc::invalid_argument,
                           fmt::format("There is no board \"{}\".", command.board)));
    }
    Board& board = *found->second;
    if (const auto* next = std::get_if<serve::NewGame>(&command.what)) {
        GameConfig config = configuration_.game;
        config.white = next->white;
        config.black = next->black;
        if (!next->event.empty()) config.event = next->event;
        if (!next->round.empty()) config.round = next->round;
        return board.say(GameBegun{std::move(config)}, std::move(reply));
    }
    board.say(std::get<laws::Input>(std::move(command.what)), std::move(reply));
}

void Daemon::on_trouble(const Error& what) { spdlog::warn("page: {}", what.message()); }

}  // namespace touchmove::app
