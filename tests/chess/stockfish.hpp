// stockfish.hpp - the engine as a second opinion, over a pipe
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

/// A running Stockfish, if the machine has one. Dies with the object.
class Stockfish {
  public:
    /// Nothing if the program is not installed.
    [[nodiscard]] static std::unique_ptr<Stockfish> start();
    ~Stockfish();
    Stockfish(const Stockfish&) = delete;
    Stockfish& operator=(const Stockfish&) = delete;

    struct Perft {
        std::map<std::string, std::uint64_t> by_move;  ///< UCI text of the first move -> nodes
        std::uint64_t nodes = 0;
        double cpu_seconds = 0;  ///< of all its threads
    };
    [[nodiscard]] Perft perft(const std::string& fen, unsigned depth);

  private:
    Stockfish(pid_t pid, int to, int from);
    void send(const std::string& line);
    [[nodiscard]] std::string receive();
    [[nodiscard]] double cpu_seconds() const;

    pid_t pid_;
    std::FILE* to_;
    std::FILE* from_;
};
