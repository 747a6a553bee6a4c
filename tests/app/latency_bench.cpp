// latency_bench.cpp - from the record that makes a decision due to its publication
// SPDX-License-Identifier: Apache-2.0
//
// One byte comes over the loopback interface, a board's packet with a lever's press is read, stored
// and judged, and a byte goes back once the move is published. Beside every one: the byte sent back
// at once, and one write with fdatasync.
#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "host/app/board.hpp"
#include "host/app/connection.hpp"
#include "host/journal/journal.hpp"
#include "tests/app/model_board.hpp"

using namespace touchmove;
using namespace touchmove::app;
using namespace touchmove::app::testing;
namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t samples = 1000;
constexpr std::size_t plies_a_game = 8;  // the knights are back, long before a fifth repetition
constexpr const char* knights[plies_a_game][2] = {{"g1", "f3"}, {"g8", "f6"}, {"f3", "g1"},
                                                  {"f6", "g8"}, {"b1", "c3"}, {"b8", "c6"},
                                                  {"c3", "b1"}, {"c6", "b8"}};

struct Figures {
    double p50_us, p99_us;
};

Figures figures(std::vector<double> us) {
    std::sort(us.begin(), us.end());
    return {us[us.size() / 2], us[us.size() * 99 / 100]};
}

double us_since(Clock::time_point begun) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begun).count();
}

/// A file of its own beside the journal, a page longer with every sync.
class SyncedFile {
  public:
    explicit SyncedFile(const std::filesystem::path& path)
        : fd_(::open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0644)) {}
    ~SyncedFile() { ::close(fd_); }
    SyncedFile(const SyncedFile&) = delete;
    SyncedFile& operator=(const SyncedFile&) = delete;

    [[nodiscard]] double append_us() const {
        const std::array<char, 4096> page{};
        const auto begun = Clock::now();
        if (::write(fd_, page.data(), page.size()) < 0 || ::fdatasync(fd_) != 0) std::abort();
        return us_since(begun);
    }

  private:
    int fd_;
};

/// The daemon's side: 'e' is answered at once, 'm' by the next published move, 'g' by a new game.
class Server : Board::Observer, Connection::Handler {
  public:
    Server(asio::io_context& io, journal::Journal& journal)
        : io_(io),
          acceptor_(io, tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
          socket_(io),
          board_(io.get_executor(), journal, *this, "TM-1", {}),
          connection_(io.get_executor(), "model",
                      std::make_unique<ModelOpener>(io, device_, cable_), *this) {
        if (!board_.replay()) std::abort();
        connection_.start();
    }
    [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    void serve() {
        acceptor_.async_accept(socket_, [this](const boost::system::error_code& failed) {
            if (failed) std::abort();
            socket_.set_option(tcp::no_delay(true));
            read();
        });
    }

  private:
    void read() {
        asio::async_read(socket_, asio::buffer(&byte_, 1),
                         [this](const boost::system::error_code& ended, std::size_t) {
                             if (ended) {
                                 connection_.stop();
                                 return io_.stop();
                             }
                             take(byte_);
                             read();
                         });
    }
    void take(char what) {
        if (what == 'e') return answer();
        if (what == 'g') {
            ply_ = 0;
            return board_.say(GameBegun{}, [this](Result<void>) { answer(); });
        }
        if (what == 'l') {  // all but the press, well before it is measured
            lift_and_place();
            return answer();
        }
        device_.change(link::RecordKind::input_up, ply_ % 2 == 0 ? 1 : 0, 0);
        device_.change(link::RecordKind::input_down, ply_ % 2 == 0 ? 0 : 1, 0);
        device_.run(10);
        pump();
        ++ply_;
    }
    void lift_and_place() {
        device_.run(100'000);
        device_.change(link::RecordKind::lift, index_of(knights[ply_][0]), 0);
        device_.run(100'000);
        device_.change(link::RecordKind::place, index_of(knights[ply_][1]), 0);
        device_.run(100'000);
        pump();
    }
    void pump() {
        if (cable_ != nullptr && !cable_->stopped()) cable_->settle();
    }
    void answer() { asio::write(socket_, asio::buffer("!", 1)); }

    void on_change(Board& board) override {
        for (const auto& decision : board.game().take_shown()) {
            if (std::holds_alternative<laws::MovePublished>(decision.what)) answer();
        }
    }
    void on_game_left(serve::LiveGame&) override {}
    void on_attached(Board&) override {}
    void on_detached(Board&, const Error& why) override { spdlog::error("{}", why.message()); }
    void on_fatal(Board&, const Error&) override { std::abort(); }
    Board* board_of(const std::string&) override {
        asio::post(io_, [this] { pump(); });
        return &board_;
    }
    void on_not_opened(const Connection&, const Error&) override {}
    void on_doubled(const Connection&, const Board&) override {}

    asio::io_context& io_;
    tcp::acceptor acceptor_;
    tcp::socket socket_;
    link::test::ModelDevice device_{1, 0, 0};
    link::test::ModelCable* cable_ = nullptr;
    Board board_;
    Connection connection_;
    std::size_t ply_ = 0;
    char byte_ = 0;
};

double round_trip(tcp::socket& socket, char what) {
    char answer = 0;
    const auto begun = Clock::now();
    asio::write(socket, asio::buffer(&what, 1));
    asio::read(socket, asio::buffer(&answer, 1));
    return us_since(begun);
}

}  // namespace

int main() {
    spdlog::set_level(spdlog::level::err);
    std::string name = (std::filesystem::temp_directory_path() / "touchmove-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return 1;
    const std::filesystem::path folder = name;

    std::vector<double> echo, sync, move;
    {
        asio::io_context io;
        auto journal = journal::Journal::open((folder / "journal.db").string());
        if (!journal) return 1;
        Server server(io, **journal);
        server.serve();
        std::thread daemon([&io] { io.run(); });
        asio::io_context client_io;
        tcp::socket client(client_io);
        client.connect({asio::ip::address_v4::loopback(), server.port()});
        client.set_option(tcp::no_delay(true));
        const SyncedFile file(folder / "sync");
        // In turn, since a disk has its moods.
        while (move.size() < samples) {
            round_trip(client, 'g');
            for (std::size_t ply = 0; ply < plies_a_game; ++ply) {
                round_trip(client, 'l');
                std::this_thread::sleep_for(Millis{15});  // the board's events are on disk
                echo.push_back(round_trip(client, 'e'));
                sync.push_back(file.append_us());
                move.push_back(round_trip(client, 'm'));
            }
        }
        client.close();
        daemon.join();
        journal->reset();
    }
    std::filesystem::remove_all(folder);

    const Figures e = figures(echo), d = figures(sync), m = figures(move);
    fmt::print("loopback echo        p50 {:8.0f} us  p99 {:8.0f} us\n", e.p50_us, e.p99_us);
    fmt::print("one disk sync        p50 {:8.0f} us  p99 {:8.0f} us\n", d.p50_us, d.p99_us);
    fmt::print("press to publication p50 {:8.0f} us  p99 {:8.0f} us\n", m.p50_us, m.p99_us);
    fmt::print(
        "ratio to twice the echo plus one sync: p50 {:.2f}, p99 {:.2f} (at most 1 is aimed at)\n",
        m.p50_us / (2 * e.p50_us + d.p50_us), m.p99_us / (2 * e.p99_us + d.p99_us));
    return 0;
}
