// pgn_folder.cpp - the games as files, for broadcasters and every other program that reads PGN
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/pgn_folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

namespace touchmove::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "game-";
constexpr std::string_view suffix = ".pgn";
constexpr std::string_view all_games = "games.pgn";

std::string file_name(unsigned number) {
    return fmt::format("{}{}{}", prefix, number, suffix);
}

// 12 for "game-12.pgn".
std::optional<unsigned> number_of(std::string_view name) {
    if (name.size() <= prefix.size() + suffix.size()) return std::nullopt;
    if (name.substr(0, prefix.size()) != prefix) return std::nullopt;
    if (name.substr(name.size() - suffix.size()) != suffix) return std::nullopt;
    const auto digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    unsigned number = 0;
    const auto* end = digits.data() + digits.size();
    const auto [stop, failed] = std::from_chars(digits.data(), end, number);
    if (failed != std::errc{} || stop != end || number == 0 || digits.front() == '0') {
        return std::nullopt;
    }
    return number;
}

Error system_error(const std::string& doing) {
    const std::error_code code(errno, std::generic_category());
    return {code, doing + ": " + code.message()};
}

class FileDescriptor {
  public:
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    [[nodiscard]] int get() const noexcept { return fd_; }

  private:
    int fd_;
};

// On return `path` holds `text`, on disk, or what it held before.
Result<void> replace_file(const fs::path& path, std::string_view text) {
    const auto beside = path.string() + ".new";
    {
        const FileDescriptor file(
            ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (file.get() < 0) return system_error("Cannot write " + beside);
        while (!text.empty()) {
            const auto written = ::write(file.get(), text.data(), text.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return system_error("Cannot write " + beside);
            text.remove_prefix(static_cast<std::size_t>(written));
        }
        if (::fdatasync(file.get()) != 0) return system_error("Cannot write " + beside);
    }
    if (::rename(beside.c_str(), path.c_str()) != 0) {
        return system_error("Cannot replace " + path.string());
    }
    return {};
}

Result<std::string> read_file(const fs::path& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return system_error("Cannot read " + path.string());
    std::string text;
    char block[16384];
    for (;;) {
        const auto got = ::read(file.get(), block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_error("Cannot read " + path.string());
        if (got == 0) return text;
        text.append(block, static_cast<std::size_t>(got));
    }
}

class Folder final : public PgnFolder {
  public:
    Folder(fs::path folder, OnError on_error)
        : folder_(std::move(folder)), on_error_(std::move(on_error)) {}

    ~Folder() override {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        if (writer_.joinable()) writer_.join();
    }

    Result<void> load() {
        std::error_code failed;
        fs::create_directories(folder_, failed);
        if (failed) {
            return Error{failed, fmt::format("Cannot make the folder {}: {}", folder_.string(),
                                             failed.message())};
        }
        fs::directory_iterator entries(folder_, failed);
        if (failed) {
            return Error{failed, fmt::format("Cannot read the folder {}: {}", folder_.string(),
                                             failed.message())};
        }
        for (const auto& entry : entries) {
            const auto number = number_of(entry.path().filename().string());
            if (!number) continue;
            auto text = read_file(entry.path());
            if (!text) return text.error();
            const auto games = chess::parse_pgn(*text);
            // A file that is not ours keeps its number all the same: nothing is overwritten.
            if (!games.empty()) {
                if (auto id = games.front().tag("GameId"); !id.empty()) numbers_[id] = *number;
            }
            texts_[*number] = std::move(*text);
            next_number_ = std::max(next_number_, *number + 1);
        }
        writer_ = std::thread([this] { run(); });
        return {};
    }

    unsigned write(const std::string& game_id, const chess::PgnGame& game) override {
        auto text = chess::write_pgn(game);
        unsigned number = 0;
        {
            const std::lock_guard lock(mutex_);
            const auto [known, fresh] = numbers_.try_emplace(game_id, next_number_);
            if (fresh) ++next_number_;
            number = known->second;
            auto& held = texts_[number];
            if (held != text) {
                held = std::move(text);
                due_.insert(number);
            }
            due_.merge(refused_);
        }
        wake_.notify_all();
        return number;
    }

    bool holds(const std::string& game_id) override {
        const std::lock_guard lock(mutex_);
        return numbers_.contains(game_id);
    }

    void flush() override {
        std::unique_lock lock(mutex_);
        idle_.wait(lock, [this] { return due_.empty() && !writing_; });
    }

  private:
    void run() {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return stopping_ || !due_.empty(); });
            if (due_.empty()) return;
            // Everything that is due goes to disk in one round, games.pgn once.
            const auto due = std::exchange(due_, {});
            std::map<unsigned, std::string> files;
            for (const auto number : due)
                files[number] = texts_[number];
            std::string all;
            for (const auto& [number, text] : texts_) {
                if (!all.empty()) all += '\n';
                all += text;
            }
            writing_ = true;
            lock.unlock();
            auto refused = write_out(files, all);
            lock.lock();
            refused_.merge(refused);
            writing_ = false;
            idle_.notify_all();
        }
    }

    // Returns the numbers of the games to be written again.
    std::set<unsigned> write_out(const std::map<unsigned, std::string>& files,
                                 const std::string& all) {
        std::set<unsigned> refused;
        const auto replace = [&](const std::string& name, const std::string& text) {
            const auto replaced = replace_file(folder_ / name, text);
            if (!replaced && on_error_) on_error_(replaced.error());
            return replaced.has_value();
        };
        for (const auto& [number, text] : files) {
            if (!replace(file_name(number), text)) refused.insert(number);
        }
        if (!replace(std::string(all_games), all)) refused.insert(files.begin()->first);
        return refused;
    }

    const fs::path folder_;
    const OnError on_error_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable idle_;
    std::map<std::string, unsigned, std::less<>> numbers_;  ///< by game id
    std::map<unsigned, std::string> texts_;                 ///< newest text of each file
    std::set<unsigned> due_;
    std::set<unsigned> refused_;
    unsigned next_number_ = 1;
    bool writing_ = false;
    bool stopping_ = false;
    std::thread writer_;
};

}  // namespace

Result<std::unique_ptr<PgnFolder>> PgnFolder::open(fs::path folder, OnError on_error) {
    auto opened = std::make_unique<Folder>(std::move(folder), std::move(on_error));
    if (auto loaded = opened->load(); !loaded) return loaded.error();
    return std::unique_ptr<PgnFolder>(std::move(opened));
}

}  // namespace touchmove::serve
