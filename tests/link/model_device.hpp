// model_device.hpp - a board as docs/protocol.md describes it, in plain C++, and a cable to it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "fw/tm_proto.h"
#include "host/link/record.hpp"
#include "host/link/transport.hpp"

namespace touchmove::link::test {

/// The device side of the protocol: queue, session, epochs, watermark. Written from the protocol
/// alone and in another way than the RTL: the test's second opinion.
class ModelDevice {
  public:
    /// What really happened at the contacts, one for each record that was ever written.
    struct Written {
        std::uint64_t at;
        Record record;
        bool lost = false;  ///< dropped because the queue was full
    };

    /// `now_us`: the age of the session; it began then if 0.
    ModelDevice(std::uint32_t session, std::uint64_t now_us, std::uint16_t first_seq,
                std::size_t queue_records = 8192);

    /// A contact changed at `at`, and the debouncer will be sure of it `delay_us` later.
    void change(RecordKind kind, std::uint8_t index, std::uint64_t delay_us);
    /// Runs the device's clock; accepted changes and wraps of time become records.
    void run(std::uint64_t us);
    void snapshot();

    [[nodiscard]] std::uint64_t now() const { return now_; }
    /// The next packet: up to eight records, or a watermark when all are sent.
    [[nodiscard]] std::vector<std::uint8_t> next_packet();
    [[nodiscard]] bool has_unsent() const { return sent_ != next_; }
    void take_out(std::span<const std::uint8_t> message);
    [[nodiscard]] Result<std::vector<std::uint8_t>> control_in(std::uint8_t request);
    [[nodiscard]] Result<void> control_out(std::uint8_t request,
                                           std::span<const std::uint8_t> data);
    /// The cable was put in again: what was under way is forgotten, the queue is not.
    void replug() { sent_ = oldest_; }

    [[nodiscard]] const std::vector<Written>& written() const { return written_; }
    [[nodiscard]] std::size_t kept() const { return static_cast<std::uint16_t>(next_ - oldest_); }
    /// Records lost that no gap record tells of yet.
    [[nodiscard]] std::uint32_t overflowed() const { return overflow_; }
    [[nodiscard]] std::uint16_t oldest() const { return oldest_; }
    [[nodiscard]] std::uint16_t next() const { return next_; }
    [[nodiscard]] std::uint32_t session() const { return session_; }

    // Misbehaviour.
    void forget_up_to(std::uint16_t seq) {
        while (oldest_ != seq)
            drop_oldest();
    }
    bool refuse_resume = false;
    std::optional<std::uint16_t> withhold;  ///< this record is never sent
    std::uint16_t version = TM_PROTO_VERSION;
    std::uint8_t lamps = 0;  ///< how many it has
    std::uint64_t lit = 0;
    unsigned lamp_requests = 0;
    unsigned resumes = 0;
    unsigned snapshots = 0;
    unsigned acks = 0;

  private:
    struct Due {
        std::uint64_t due;
        std::uint64_t at;
        RecordKind kind;
        std::uint8_t index;
    };

    void write(RecordKind kind, std::uint8_t index, std::uint64_t at, std::uint32_t word);
    void push(const Record& record, std::uint64_t at);
    void drop_oldest();

    std::uint32_t session_;
    std::uint64_t now_;
    std::uint16_t oldest_, sent_, next_;
    std::size_t capacity_;
    std::deque<Record> queue_;  // oldest_ first
    std::vector<Due> due_;
    std::vector<Written> written_;
    std::uint32_t overflow_ = 0;
    std::uint64_t squares_ = 0xFFFF00000000FFFF;
    std::uint8_t inputs_ = 0;
};

/// A transport whose every step the test takes by hand: nothing arrives unless pumped.
class ModelCable final : public Transport {
  public:
    explicit ModelCable(ModelDevice& device) : device_(device) { device_.replug(); }

    void start(Handler& handler) override { handler_ = &handler; }
    void control_in(ControlRequest request, std::uint16_t length, Reply reply) override;
    void control_out(ControlRequest request, std::span<const std::uint8_t> data,
                     Done done) override;
    void bulk_out(std::span<const std::uint8_t> bytes, Done done) override;
    void stop() override;

    /// The device executes the oldest request that it has not seen yet.
    bool execute();
    /// The host learns of the oldest request executed.
    bool answer();
    /// The device sends a packet into the cable.
    void send_packet();
    /// The packet last sent gets lost; or comes twice.
    void lose_packet();
    void double_packet();
    /// The host gets up to `bytes` of what is in the cable.
    bool deliver(std::size_t bytes);
    /// Everything that is under way arrives, until nothing more happens.
    void settle();
    void clear_halt() {
        if (handler_ != nullptr) handler_->on_halt_cleared();
    }
    void pull(const Error& why = Error(std::errc::no_such_device, "pulled"));

    [[nodiscard]] bool stopped() const { return stopped_; }

  private:
    struct Request {
        std::function<std::function<void()>()> execute;  // gives the answer
    };
    ModelDevice& device_;
    Handler* handler_ = nullptr;
    std::deque<Request> requests_;
    std::deque<std::function<void()>> answers_;
    std::deque<std::vector<std::uint8_t>> packets_;
    bool stopped_ = false;
};

}  // namespace touchmove::link::test
