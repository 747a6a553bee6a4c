// serve_test.cpp - the program itself: starts, serves a game, stops when told, refuses nonsense
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fw/tm_bytes.h"
#include "fw/tm_proto.h"
#include "tests/sim/usbip/raw_client.hpp"

extern char** environ;

using namespace touchmove::usbip_test;

namespace {

/// `touchmove-sim serve` with its output in a pipe; killed when the test is over.
class Program {
  public:
    explicit Program(std::vector<std::string> arguments) {
        int ends[2];
        REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
        arguments.insert(arguments.begin(), {TOUCHMOVE_SIM, "serve"});
        std::vector<char*> argv;
        for (std::string& a : arguments) argv.push_back(a.data());
        argv.push_back(nullptr);
        REQUIRE(::posix_spawn(&pid_, TOUCHMOVE_SIM, &actions, nullptr, argv.data(), environ) == 0);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        out_ = ::fdopen(ends[0], "r");
    }
    ~Program() {
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
        std::fclose(out_);
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Reads on to the line that holds `text`, and returns it; empty at the end of the output.
    std::string await(const std::string& text) {
        char buffer[4096];
        while (std::fgets(buffer, sizeof buffer, out_) != nullptr) {
            all_ += buffer;
            if (std::string(buffer).find(text) != std::string::npos) return buffer;
        }
        return {};
    }
    std::uint16_t port_after(const std::string& text) {
        const std::string line = await(text);
        INFO(all_);
        REQUIRE_FALSE(line.empty());
        return static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)));
    }
    void signal(int number) { ::kill(pid_, number); }
    /// The exit status; 1000 more if it was killed by a signal.
    int wait() {
        (void)await("\x01");
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    }
    [[nodiscard]] const std::string& output() const { return all_; }

  private:
    pid_t pid_ = -1;
    std::FILE* out_ = nullptr;
    std::string all_;
};

std::filesystem::path scratch(const std::string& name) {
    return std::filesystem::temp_directory_path() / ("touchmove_serve_test_" + name);
}

std::uint32_t session_of(std::uint16_t port) {
    RawClient client(port);
    REQUIRE(client.import("1-1") == 0);
    client.send(control_in(1, {0xC0, TM_REQ_INFO, 0, 0, 0, 0, 20, 0}));
    const Reply r = client.reply();
    REQUIRE(r.data.size() == TM_INFO_BYTES);
    return tm_get32(r.data.data() + 4);
}

}  // namespace

TEST_CASE("a game is served, and SIGINT or SIGTERM end it cleanly", "[sim][app]") {
    const auto pgn = scratch("game.pgn");
    std::ofstream(pgn) << "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n";
    Program sim({"--port", "0", "--boards", "2", "--play", pgn.string(), "--hands", "blitz"});
    const std::uint16_t port = sim.port_after("USB/IP on");
    {
        RawClient client(port);
        REQUIRE(client.import("1-1") == 0);
        client.send(submit(1, false, 0, 0, {0, 9, 1, 0, 0, 0, 0, 0}));
        REQUIRE(client.reply(false).status == 0);
        // Session, snapshot; then the first man of the game leaves e2.
        bool lifted = false;
        for (std::uint32_t seq = 2; !lifted; ++seq) {
            client.send(submit(seq, true, 1, 512));
            const Reply r = client.reply();
            REQUIRE(r.status == 0);
            for (std::size_t at = 0; at < r.data.size(); at += TM_RECORD_BYTES) {
                if (r.data[at] >> 4 != TM_KIND_LIFT) continue;
                CHECK((r.data[at + 1] & TM_INDEX_MASK) == 12);
                lifted = true;
            }
        }
        CHECK_THAT(sim.await("1. e4"), Catch::StartsWith("1-1 game 1: "));
    }
    sim.signal(GENERATE(SIGINT, SIGTERM));
    CHECK(sim.wait() == 0);
    std::filesystem::remove(pgn);
}

TEST_CASE("the whole chip is served, whatever its host's signal looks like", "[sim][app]") {
    Program sim({"--port", "0", "--fidelity", "soc", "--usb-rate", "-0.25", "--usb-jitter", "8"});
    CHECK(session_of(sim.port_after("USB/IP on")) > 1);
    sim.signal(SIGTERM);
    CHECK(sim.wait() == 0);
}

TEST_CASE("a flash folder keeps the session number from one run to the next", "[sim][app]") {
    const auto folder = scratch("flash");
    std::filesystem::remove_all(folder);
    for (const std::uint32_t expected : {1U, 2U, 3U}) {
        Program sim({"--port", "0", "--flash", folder.string()});
        CHECK(session_of(sim.port_after("USB/IP on")) == expected);
        sim.signal(SIGTERM);
        CHECK(sim.wait() == 0);
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("two runs without such a folder never bear the same session number", "[sim][app]") {
    Program one({"--port", "0"});
    const std::uint32_t first = session_of(one.port_after("USB/IP on"));
    CHECK(first > 1);
    Program none({"--port", "0", "--flash", "none"});
    CHECK(session_of(none.port_after("USB/IP on")) == 0);
}

TEST_CASE("what cannot be served is said in one sentence, and the exit status is not 0",
          "[sim][app]") {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"--usb-jitter", "5"}, "fidelity frontend has no USB wires"},
        {{"--play", "/no/such.pgn"}, "/no/such.pgn"},
        {{"--hands", "of-god"}, "there are no hands 'of-god'; there are dealt"},
        {{"--speed", "0"}, "speed must be above 0"},
        {{"--style", "chain", "--wiring", "bare"}, "only a matrix can be wired without diodes"},
        {{"--flash", "/proc/no"}, "cannot write /proc/no"},
    };
    for (const auto& [arguments, text] : cases) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {"--port", "0"});
        Program sim(all);
        CHECK(sim.wait() == 2);
        CHECK_THAT(sim.output(), Catch::StartsWith("touchmove-sim serve: "));
        CHECK_THAT(sim.output(), Catch::Contains(text));
        CHECK(std::count(sim.output().begin(), sim.output().end(), '\n') == 1);
    }
    Program misspelt({"--boards", "0"});
    CHECK(misspelt.wait() == 2);
    CHECK_THAT(misspelt.output(), Catch::StartsWith("touchmove-sim: --boards: Value 0 not in"));
    CHECK(std::count(misspelt.output().begin(), misspelt.output().end(), '\n') == 1);
    Program first({"--port", "0"});
    const std::uint16_t port = first.port_after("USB/IP on");
    Program second({"--port", std::to_string(port)});
    CHECK(second.wait() == 2);
    CHECK_THAT(second.output(), Catch::Contains("cannot listen on 127.0.0.1:"));
}
