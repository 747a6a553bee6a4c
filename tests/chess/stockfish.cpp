// stockfish.cpp - the engine as a second opinion, over a pipe
// SPDX-License-Identifier: Apache-2.0
#include "tests/chess/stockfish.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace {

constexpr const char* program = "/usr/games/stockfish";  // where Debian puts it

}  // namespace

std::unique_ptr<Stockfish> Stockfish::start() {
    if (access(program, X_OK) != 0) return nullptr;
    std::array<int, 2> to{};
    std::array<int, 2> from{};
    if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0) return nullptr;
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // not left behind by a test that is killed
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        execl(program, program, static_cast<char*>(nullptr));
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    if (pid < 0) return nullptr;
    std::unique_ptr<Stockfish> engine(new Stockfish(pid, to[1], from[0]));
    engine->send("isready");
    while (engine->receive() != "readyok") {
    }
    return engine;
}

Stockfish::Stockfish(pid_t pid, int to, int from)
    : pid_(pid), to_(fdopen(to, "w")), from_(fdopen(from, "r")) {}

Stockfish::~Stockfish() {
    std::fclose(to_);  // the engine quits at the end of its input
    std::fclose(from_);
    waitpid(pid_, nullptr, 0);
}

Stockfish::Perft Stockfish::perft(const std::string& fen, unsigned depth) {
    send("position fen " + fen);
    send("isready");
    while (receive() != "readyok") {
    }
    Perft result;
    const double before = cpu_seconds();
    send("go perft " + std::to_string(depth));
    while (true) {
        const std::string line = receive();
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        const std::string key = line.substr(0, colon);
        const std::uint64_t number = std::stoull(line.substr(colon + 2));
        if (key == "Nodes searched") {
            result.nodes = number;
            break;
        }
        result.by_move[key] = number;
    }
    result.cpu_seconds = cpu_seconds() - before;
    return result;
}

void Stockfish::send(const std::string& line) {
    std::fputs((line + "\n").c_str(), to_);
    std::fflush(to_);
}

std::string Stockfish::receive() {
    std::string line;
    for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
        if (c == EOF) throw std::runtime_error("Stockfish has ended.");
        line += static_cast<char>(c);
    }
    return line;
}

double Stockfish::cpu_seconds() const {
    std::uint64_t total = 0;
    const std::filesystem::path tasks = "/proc/" + std::to_string(pid_) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks)) {
        std::uint64_t nanoseconds = 0;
        std::ifstream(task.path() / "schedstat") >> nanoseconds;
        total += nanoseconds;
    }
    return static_cast<double>(total) * 1e-9;
}
