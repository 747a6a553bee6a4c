// pgn_folder_test.cpp - the files are whole at every instant, and keep their numbers
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/pgn_folder.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace touchmove;
using serve::PgnFolder;

class TemporaryFolder {
  public:
    TemporaryFolder() {
        auto name = (fs::temp_directory_path() / "touchmove-pgn-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~TemporaryFolder() { fs::remove_all(path_); }
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

// A knight goes out and back, `plies` times: games of any length that can be told apart.
chess::PgnGame game(const std::string& id, std::size_t plies) {
    chess::PgnGame made;
    made.tags = {{"White", "Ada"}, {"GameId", id}};
    made.start = chess::Position::initial();
    const char* cycle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    for (std::size_t ply = 0; ply < plies; ++ply) {
        made.moves.push_back({*chess::Move::parse_uci(cycle[ply % 4]), Millis{1000}, Millis{0}});
    }
    return made;
}

std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::unique_ptr<PgnFolder> open(const fs::path& path, PgnFolder::OnError on_error = {}) {
    auto folder = PgnFolder::open(path, std::move(on_error));
    INFO((folder ? "" : folder.error().message()));
    REQUIRE(folder);
    return std::move(*folder);
}

}  // namespace

TEST_CASE("each game has its file, and games.pgn has them all in order", "[serve]") {
    const TemporaryFolder temporary;
    auto folder = open(temporary.path() / "new" / "folder");
    CHECK(folder->write("a", game("a", 4)) == 1);
    CHECK(folder->write("b", game("b", 2)) == 2);
    CHECK(folder->write("a", game("a", 5)) == 1);
    CHECK(folder->holds("a"));
    CHECK_FALSE(folder->holds("c"));
    folder->flush();
    const auto path = temporary.path() / "new" / "folder";
    CHECK(read(path / "game-1.pgn") == chess::write_pgn(game("a", 5)));
    CHECK(read(path / "game-2.pgn") == chess::write_pgn(game("b", 2)));
    const auto all = chess::parse_pgn(read(path / "games.pgn"));
    REQUIRE(all.size() == 2);
    CHECK(all[0].moves.size() == 5);
    CHECK(all[1].moves.size() == 2);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(path))
        ++files;
    CHECK(files == 3);  // nothing is left beside them
}

TEST_CASE("a game keeps its number after a restart, a new one gets the next", "[serve]") {
    const TemporaryFolder temporary;
    {
        auto folder = open(temporary.path());
        folder->write("a", game("a", 1));
        folder->write("b", game("b", 1));
    }  // writes what is queued
    std::ofstream(temporary.path() / "game-7.pgn") << "[White \"Somebody else's\"]\n\n1. e4 *\n";
    std::ofstream(temporary.path() / "game-08.pgn") << "not one of ours\n";
    auto folder = open(temporary.path());
    CHECK(folder->write("b", game("b", 3)) == 2);
    CHECK(folder->write("c", game("c", 1)) == 8);
    folder->flush();
    CHECK(chess::parse_pgn(read(temporary.path() / "game-2.pgn")).at(0).moves.size() == 3);
    CHECK(read(temporary.path() / "game-7.pgn").find("Somebody else's") != std::string::npos);
    CHECK(chess::parse_pgn(read(temporary.path() / "games.pgn")).size() == 4);
}

TEST_CASE("a disk that refuses is told of, and the game is written once it takes it", "[serve]") {
    const TemporaryFolder temporary;
    const auto path = temporary.path() / "pgn";
    std::atomic<int> errors = 0;
    std::string sentence;
    auto folder = open(path, [&](const Error& error) {
        sentence = error.message();
        ++errors;
    });
    fs::remove_all(path);
    std::ofstream(path) << "a file where the folder was";
    folder->write("a", game("a", 1));
    folder->flush();
    CHECK(errors == 2);  // the game and games.pgn
    CHECK(sentence.find("Cannot write") == 0);
    CHECK(sentence.find("Not a directory") != std::string::npos);
    fs::remove(path);
    fs::create_directory(path);
    folder->write("b", game("b", 1));
    folder->flush();
    CHECK(errors == 2);
    CHECK(read(path / "game-1.pgn") == chess::write_pgn(game("a", 1)));
    CHECK(read(path / "game-2.pgn") == chess::write_pgn(game("b", 1)));
}

TEST_CASE("a folder that cannot be made fails with one sentence", "[serve]") {
    const TemporaryFolder temporary;
    std::ofstream(temporary.path() / "file") << "x";
    const auto folder = PgnFolder::open(temporary.path() / "file" / "pgn", {});
    REQUIRE_FALSE(folder);
    CHECK(folder.error().message().find("Cannot make the folder") == 0);
}

TEST_CASE("killed at any instant, a file holds the old game or the new one, whole", "[serve]") {
    const auto seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const TemporaryFolder temporary;
    constexpr std::size_t longest = 400;
    std::size_t seen_longer = 0;
    for (int round = 0; round < 40; ++round) {
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        const auto child = ::fork();
        if (child == 0) {
            auto folder = PgnFolder::open(temporary.path(), {});
            if (!folder) ::_exit(3);
            for (std::size_t plies = 1;; plies = plies % longest + 1) {
                (*folder)->write("a", game("a", plies));
                if (plies % 7 == 0) (*folder)->flush();
                if (plies == 1 && ::write(ready[1], "x", 1) != 1) ::_exit(4);
            }
        }
        ::close(ready[1]);
        char go = 0;
        REQUIRE(::read(ready[0], &go, 1) == 1);
        ::close(ready[0]);
        ::usleep(static_cast<useconds_t>(random() % 30'000));  // when is the point of the test
        REQUIRE(::kill(child, SIGKILL) == 0);
        REQUIRE(::waitpid(child, nullptr, 0) == child);
        for (const auto* name : {"game-1.pgn", "games.pgn"}) {
            const auto text = read(temporary.path() / name);
            if (text.empty() && !fs::exists(temporary.path() / name)) continue;  // killed too early
            const auto games = chess::parse_pgn(text);
            REQUIRE(games.size() == 1);
            const auto plies = games[0].moves.size();
            REQUIRE(plies >= 1);
            REQUIRE(text == chess::write_pgn(game("a", plies)));
            seen_longer += plies > 1 ? 1 : 0;
        }
    }
    CHECK(seen_longer > 10);  // the kills did fall among the writes
    auto folder = open(temporary.path());
    CHECK(folder->write("a", game("a", 3)) == 1);
    folder->flush();
    CHECK(read(temporary.path() / "game-1.pgn") == chess::write_pgn(game("a", 3)));
}
