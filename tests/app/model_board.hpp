// model_board.hpp - a model device behind a real connection, without a cable or a simulator
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "host/app/connection.hpp"
#include "host/chess/types.hpp"
#include "tests/link/model_device.hpp"

namespace touchmove::app::testing {

/// Opens cables to one device, which outlives it.
class ModelOpener final : public link::BoardOpener {
  public:
    /// `cable` always points at the one that was opened last.
    ModelOpener(boost::asio::io_context& io, link::test::ModelDevice& device,
                link::test::ModelCable*& cable)
        : io_(io), device_(device), cable_(cable) {}

    void open(Opened opened) override {
        attempt_ = std::make_shared<int>(0);
        boost::asio::post(io_, [this, attempt = std::weak_ptr(attempt_),
                                opened = std::move(opened)] {
            if (attempt.expired()) return;
            auto cable = std::make_unique<link::test::ModelCable>(device_);
            cable_ = cable.get();
            opened(link::OpenedBoard{std::move(cable), "TM-1"});
        });
    }
    void cancel() override { attempt_.reset(); }

  private:
    boost::asio::io_context& io_;
    link::test::ModelDevice& device_;
    link::test::ModelCable*& cable_;
    std::shared_ptr<int> attempt_;
};

inline std::uint8_t index_of(std::string_view square) {
    return static_cast<std::uint8_t>(chess::Square::parse(square)->index());
}

/// The contacts of one move, 100 ms apart; the device's clock stops right after the press.
inline void play(link::test::ModelDevice& device, std::string_view from, std::string_view to,
                 bool white) {
    using link::RecordKind;
    const std::uint8_t own = white ? 0 : 1;
    const std::uint8_t other = white ? 1 : 0;
    device.run(100'000);
    device.change(RecordKind::lift, index_of(from), 1000);
    device.run(100'000);
    device.change(RecordKind::place, index_of(to), 1000);
    device.run(100'000);
    device.change(RecordKind::input_up, other, 500);
    device.change(RecordKind::input_down, own, 500);
    device.run(1000);
}

}  // namespace touchmove::app::testing
