// model_device.cpp - a board as docs/protocol.md describes it, in plain C++, and a cable to it
// SPDX-License-Identifier: Apache-2.0
#include "model_device.hpp"

#include <algorithm>
#include <utility>

#include "host/link/little_endian.hpp"

namespace touchmove::link::test {
namespace {

Error stall() {
    return Error(std::errc::broken_pipe, "stalled");
}

}  // namespace

ModelDevice::ModelDevice(std::uint32_t session, std::uint64_t now_us, std::uint16_t first_seq,
                         std::size_t queue_records)
    : session_(session),
      now_(now_us),
      oldest_(first_seq),
      sent_(first_seq),
      next_(first_seq),
      capacity_(queue_records) {
    if (now_us != 0) return;
    write(RecordKind::session, 0, 0, session);
    snapshot();
}

void ModelDevice::push(const Record& record, std::uint64_t at) {
    queue_.push_back(record);
    written_.push_back({at, record});
    ++next_;
}

void ModelDevice::write(RecordKind kind, std::uint8_t index, std::uint64_t at, std::uint32_t word) {
    Record record{kind, 0, index, ((at >> 32) & 1) != 0, next_, word};
    if (overflow_ != 0 && queue_.size() + 5 < capacity_) {
        const std::uint32_t lost = std::exchange(overflow_, 0);
        push({RecordKind::gap, 0, 0, false, next_, lost}, at);
        snapshot();
        record.seq = next_;
    }
    if (overflow_ != 0 || queue_.size() == capacity_) {
        ++overflow_;
        written_.push_back({at, record, true});
        return;
    }
    push(record, at);
}

void ModelDevice::change(RecordKind kind, std::uint8_t index, std::uint64_t delay_us) {
    due_.push_back({now_ + delay_us, now_, kind, index});
}

void ModelDevice::run(std::uint64_t us) {
    const std::uint64_t end = now_ + us;
    for (;;) {
        const auto first = std::min_element(
            due_.begin(), due_.end(), [](const Due& a, const Due& b) { return a.due < b.due; });
        const std::uint64_t wrap = ((now_ >> 32) + 1) << 32;
        const std::uint64_t next_due = first == due_.end() ? ~std::uint64_t{0} : first->due;
        if (std::min(wrap, next_due) > end) break;
        if (wrap <= next_due) {
            now_ = wrap;
            write(RecordKind::epoch, 0, wrap, static_cast<std::uint32_t>(wrap >> 32));
            continue;
        }
        const Due due = *first;
        due_.erase(first);
        now_ = due.due;
        const std::uint64_t bit = std::uint64_t{1} << (due.index & 63);
        if (due.kind == RecordKind::lift) squares_ &= ~bit;
        if (due.kind == RecordKind::place) squares_ |= bit;
        write(due.kind, due.index, due.at, static_cast<std::uint32_t>(due.at));
    }
    now_ = end;
}

void ModelDevice::snapshot() {
    write(RecordKind::snapshot, 0, now_, static_cast<std::uint32_t>(now_));
    write(RecordKind::snapshot, 1, now_, static_cast<std::uint32_t>(squares_));
    write(RecordKind::snapshot, 2, now_, static_cast<std::uint32_t>(squares_ >> 32));
    write(RecordKind::snapshot, 3, now_, inputs_);
}

std::vector<std::uint8_t> ModelDevice::next_packet() {
    std::vector<std::uint8_t> packet;
    const auto append = [&](const Record& r) {
        const auto bytes = encode_record(r);
        packet.insert(packet.end(), bytes.begin(), bytes.end());
    };
    while (sent_ != next_ && packet.size() < TM_PACKET_BYTES) {
        const Record& r = queue_[static_cast<std::uint16_t>(sent_ - oldest_)];
        if (withhold != r.seq) append(r);
        ++sent_;
    }
    if (packet.empty()) {
        std::uint64_t t = now_;
        for (const Due& d : due_)
            t = std::min(t, d.at);
        append({RecordKind::watermark, 0, 0, ((t >> 32) & 1) != 0, 0xBEEF,
                static_cast<std::uint32_t>(t)});
    }
    return packet;
}

void ModelDevice::drop_oldest() {
    if (sent_ == oldest_) ++sent_;
    queue_.pop_front();
    ++oldest_;
}

void ModelDevice::take_out(std::span<const std::uint8_t> message) {
    if (message.size() != TM_OUT_BYTES || message[0] != TM_OUT_ACK) return;
    if (read_u32(message.subspan<4, 4>()) != session_) return;
    ++acks;
    const auto count = static_cast<std::uint16_t>(read_u16(message.subspan<2, 2>()) - oldest_ + 1);
    if (count <= kept()) forget_up_to(static_cast<std::uint16_t>(oldest_ + count));
}

Result<std::vector<std::uint8_t>> ModelDevice::control_in(std::uint8_t request) {
    if (request == TM_REQ_TIME) {
        std::vector<std::uint8_t> reply(8);
        write_u32(std::span(reply).subspan<0, 4>(), static_cast<std::uint32_t>(now_));
        write_u32(std::span(reply).subspan<4, 4>(), static_cast<std::uint32_t>(now_ >> 32));
        return reply;
    }
    if (request != TM_REQ_INFO) return stall();
    std::vector<std::uint8_t> reply(TM_INFO_BYTES);
    const std::span<std::uint8_t> b(reply);
    write_u16(b.subspan<0, 2>(), version);
    write_u32(b.subspan<4, 4>(), session_);
    write_u16(b.subspan<8, 2>(), oldest_);
    write_u16(b.subspan<10, 2>(), next_);
    reply[18] = lamps;
    return reply;
}

Result<void> ModelDevice::control_out(std::uint8_t request, std::span<const std::uint8_t> data) {
    if (request == TM_REQ_SNAPSHOT) {
        ++snapshots;
        snapshot();
        return {};
    }
    if (request == TM_REQ_LAMPS && lamps > 0 && data.size() == TM_LAMPS_BYTES) {
        lit = read_u32(data.first<4>()) | std::uint64_t{read_u32(data.last<4>())} << 32U;
        ++lamp_requests;
        return {};
    }
    if (request == TM_REQ_NAME_SESSION && session_ == 0 && data.size() == 4) {
        session_ = read_u32(data.first<4>());
        return {};
    }
    if (request == TM_REQ_RESUME && data.size() == TM_RESUME_BYTES) {
        ++resumes;
        const std::uint16_t seq = read_u16(data.subspan<4, 2>());
        const bool held = static_cast<std::uint16_t>(seq - oldest_) <= kept();
        if (refuse_resume || read_u32(data.first<4>()) != session_ || !held) return stall();
        sent_ = seq;
        return {};
    }
    return stall();
}

// --- The cable ---------------------------------------------------------------------------------

void ModelCable::control_in(ControlRequest request, std::uint16_t length, Reply reply) {
    requests_.push_back({[this, request, length, reply = std::move(reply)] {
        auto result = device_.control_in(request.request);
        if (result && result->size() > length) result->resize(length);
        return [reply, result = std::move(result)] { reply(result); };
    }});
}

void ModelCable::control_out(ControlRequest request, std::span<const std::uint8_t> data,
                             Done done) {
    requests_.push_back(
        {[this, request, bytes = std::vector(data.begin(), data.end()), done = std::move(done)] {
            return [done, result = device_.control_out(request.request, bytes)] { done(result); };
        }});
}

void ModelCable::bulk_out(std::span<const std::uint8_t> bytes, Done done) {
    requests_.push_back(
        {[this, message = std::vector(bytes.begin(), bytes.end()), done = std::move(done)] {
            device_.take_out(message);
            return [done] { done({}); };
        }});
}

void ModelCable::stop() {
    stopped_ = true;
    handler_ = nullptr;
    requests_.clear();
    answers_.clear();
}

bool ModelCable::execute() {
    if (requests_.empty()) return false;
    const Request request = std::move(requests_.front());
    requests_.pop_front();
    answers_.push_back(request.execute());
    return true;
}

bool ModelCable::answer() {
    if (answers_.empty()) return false;
    const auto tell = std::move(answers_.front());
    answers_.pop_front();
    tell();
    return true;
}

void ModelCable::send_packet() {
    packets_.push_back(device_.next_packet());
}

void ModelCable::lose_packet() {
    if (!packets_.empty()) packets_.pop_back();
}

void ModelCable::double_packet() {
    if (!packets_.empty()) packets_.push_back(packets_.back());
}

bool ModelCable::deliver(std::size_t bytes) {
    if (handler_ == nullptr || packets_.empty()) return false;
    auto& packet = packets_.front();
    const std::size_t count = std::min(bytes, packet.size());
    const std::vector<std::uint8_t> part(packet.begin(), packet.begin() + std::ptrdiff_t(count));
    packet.erase(packet.begin(), packet.begin() + std::ptrdiff_t(count));
    if (packet.empty()) packets_.pop_front();
    handler_->on_bulk_in(part);
    return true;
}

void ModelCable::settle() {
    // A watermark is always to be had; one after everything else has been said is the end.
    for (;;) {
        while (execute() || answer()) {
        }
        while (deliver(TM_PACKET_BYTES)) {
        }
        if (stopped_) return;
        if (!requests_.empty() || !answers_.empty()) continue;
        const bool last = !device_.has_unsent();
        send_packet();
        while (deliver(TM_PACKET_BYTES)) {
        }
        if (last && requests_.empty() && answers_.empty()) return;
    }
}

void ModelCable::pull(const Error& why) {
    Handler* handler = std::exchange(handler_, nullptr);
    requests_.clear();
    answers_.clear();
    packets_.clear();
    if (handler != nullptr) handler->on_lost(why);
}

}  // namespace touchmove::link::test
