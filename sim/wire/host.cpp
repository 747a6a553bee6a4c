// host.cpp - a USB host at the level of bits: packets, transactions, control transfers
// SPDX-License-Identifier: Apache-2.0
#include "sim/wire/host.hpp"

#include <algorithm>

namespace touchmove::wire {
namespace {

constexpr std::size_t packet_size = 64;
// A device that never lets go of the bus: more bits than any packet has.
constexpr double babble_bits = 2000;
// Frames, and the longest transaction: 64 bytes, every seventh bit stuffed, with gaps and time-outs
constexpr double frame_bits = 12'000, transaction_bits = 780;

Answer answer_of(std::uint8_t pid) {
    switch (static_cast<Pid>(pid)) {
        case Pid::ack:
            return Answer::ack;
        case Pid::nak:
            return Answer::nak;
        case Pid::stall:
            return Answer::stall;
        case Pid::data0:
        case Pid::data1:
            return Answer::data;
        default:
            return Answer::broken;
    }
}

}  // namespace

Fs Host::jitter() {
    if (signal.jitter_ns == 0) return 0;
    std::uniform_real_distribution<double> off(-signal.jitter_ns, signal.jitter_ns);
    return static_cast<Fs>(off(random_) * static_cast<double>(fs_per_ns));
}

Fs Host::send(std::span<const std::uint8_t> packet, const Fault& fault) {
    std::vector<Line> bits = line_bits(packet);
    const auto invert = static_cast<std::size_t>(fault.invert_bit);
    if (fault.invert_bit != Fault::none && invert < bits.size()) {
        bits[invert] = bits[invert] == Line::j ? Line::k : Line::j;
    }
    if (fault.cut_at_bit != Fault::none) {
        bits.resize(std::min(bits.size(), static_cast<std::size_t>(fault.cut_at_bit)));
    }
    for (int i = 0; i < fault.dribble_bits; ++i)
        bits.push_back(bits.back());
    // Anywhere between two clocks of the device
    std::uniform_int_distribution<Fs> phase(0, clock48_fs);
    const Fs start = bus_->now() + bits_fs(signal.gap_bits) + phase(random_);
    const auto skew = static_cast<Fs>(signal.skew_ns * static_cast<double>(fs_per_ns));
    const Fs bit = bits_fs(1);
    Fs at = start;
    for (std::size_t i = 0; i < bits.size();) {
        std::size_t same = i;
        while (same < bits.size() && bits[same] == bits[i])
            ++same;
        // Rounded once from the start, so that errors do not add up
        const bool last = same == bits.size();
        const Fs until = start + bits_fs(static_cast<double>(same)) + jitter();
        bus_->plan(bits[i], at, last ? until : until - skew);
        if (!last && skew > 0) bus_->plan(Line::se0, until - skew, until);
        at = until;
        i = same;
    }
    Fs end = at;
    if (!fault.no_end) {
        end = at + static_cast<Fs>(signal.end_ns * static_cast<double>(fs_per_ns));
        bus_->plan(Line::se0, at, end);
        bus_->plan(Line::j, end, end + bit);
    }
    bus_->clear_changes();
    bus_->run_until(fault.no_end ? end : end + bit);
    return end;
}

Reply Host::await(Fs end) {
    Reply reply;
    const auto starts = [&] { return bus_->pins().oe; };
    while (!starts() && bus_->now() < end + bits_fs(signal.time_out_bits))
        bus_->step();
    if (!starts()) return reply;
    const Fs limit = bus_->now() + bits_fs(babble_bits);
    while (bus_->pins().oe && bus_->now() < limit)
        bus_->step();
    const auto& changes = bus_->changes();
    const auto first = std::find_if(changes.begin(), changes.end(),
                                    [](const PinChange& change) { return change.pins.oe; });
    reply.turnaround_bits = static_cast<double>(first->at - end) / static_cast<double>(bits_fs(1));
    const auto last =
        std::find_if(first, changes.end(), [](const PinChange& change) { return !change.pins.oe; });
    if (last == changes.end()) {
        reply.answer = Answer::broken;
        reply.problem = "does not let go of the bus";
        return reply;
    }
    Decoded decoded = decode({first, last + 1});
    if (!decoded.problem.empty()) {
        reply.answer = Answer::broken;
        reply.problem = std::move(decoded.problem);
        return reply;
    }
    reply.answer = answer_of(decoded.bytes[0]);
    reply.data1 = decoded.bytes[0] == static_cast<std::uint8_t>(Pid::data1);
    if (reply.answer == Answer::data) {
        reply.data.assign(decoded.bytes.begin() + 1, decoded.bytes.end() - 2);
    }
    return reply;
}

void Host::bus_reset(Fs length) {
    const Fs start = bus_->now();
    bus_->plan(Line::se0, start, start + length);
    bus_->run_until(start + length);
    bus_->run_for(10 * bit_fs);
    toggle_in = toggle_out = {};
    address = 0;
}

void Host::frames(bool on) {
    next_frame_.reset();
    if (on) next_frame_ = bus_->now();
}

void Host::run_until(Fs until) {
    while (next_frame_ && *next_frame_ < until) {
        bus_->run_until(*next_frame_);
        *next_frame_ += bits_fs(frame_bits);
        start_of_frame();
    }
    bus_->run_until(until);
}

void Host::keep_frames() {
    if (next_frame_ && bus_->now() + bits_fs(transaction_bits) > *next_frame_) {
        run_until(*next_frame_ + 1);
    }
}

Reply Host::in(unsigned endpoint, const InOptions& options) {
    keep_frames();
    const Fs end = send(token_packet(Pid::in, address, endpoint), options.token_fault);
    Reply reply = await(end);
    if (reply.answer != Answer::data || options.deaf) return reply;
    reply.repeated = reply.data1 != toggle_in[endpoint];
    if (!reply.repeated) toggle_in[endpoint] = !toggle_in[endpoint];
    if (options.acknowledge) send(handshake_packet(Pid::ack), options.ack_fault);
    return reply;
}

Reply Host::out(unsigned endpoint, std::span<const std::uint8_t> data, const OutOptions& options) {
    keep_frames();
    send(token_packet(Pid::out, address, endpoint), options.token_fault);
    const Fs end = send(data_packet(toggle_out[endpoint], data), options.data_fault);
    Reply reply = await(end);
    if (options.deaf) return {};
    if (reply.answer == Answer::ack) toggle_out[endpoint] = !toggle_out[endpoint];
    return reply;
}

Reply Host::setup(std::span<const std::uint8_t, 8> packet, const OutOptions& options) {
    keep_frames();
    send(token_packet(Pid::setup, address, 0), options.token_fault);
    const Fs end = send(data_packet(false, packet), options.data_fault);
    Reply reply = await(end);
    if (options.deaf) return {};
    if (reply.answer == Answer::ack) toggle_in[0] = toggle_out[0] = true;
    return reply;
}

Reply Host::retry(int patience, const std::function<Reply()>& transaction) {
    Reply reply;
    int silent = 0;
    for (int turn = 0; turn < patience && silent < 3; ++turn) {
        reply = transaction();
        const bool failed = reply.answer == Answer::none || reply.answer == Answer::broken;
        silent = failed ? silent + 1 : 0;
        if (!failed && reply.answer != Answer::nak && !reply.repeated) return reply;
        if (!failed) idle(200);
    }
    return {};
}

ControlResult Host::control(std::span<const std::uint8_t, 8> setup_packet,
                            std::span<const std::uint8_t> data, int patience) {
    const std::size_t length = setup_packet[6] | std::size_t{setup_packet[7]} << 8;
    const bool is_in = (setup_packet[0] & 0x80U) != 0 && length > 0;
    ControlResult result;
    if (retry(patience, [&] { return setup(setup_packet, {}); }).answer != Answer::ack) {
        return result;
    }
    const auto one_in = [&] { return in(0); };
    if (is_in) {
        for (;;) {
            const Reply reply = retry(patience, one_in);
            if (reply.answer != Answer::data) {
                result.answer = reply.answer;
                return result;
            }
            result.data.insert(result.data.end(), reply.data.begin(), reply.data.end());
            if (reply.data.size() < packet_size || result.data.size() >= length) break;
        }
        toggle_out[0] = true;  // the status stage is DATA1 (8.5.3)
        result.answer = retry(patience, [&] { return out(0, {}); }).answer;
        return result;
    }
    for (std::size_t at = 0; at < data.size(); at += packet_size) {
        const auto part = data.subspan(at, std::min(packet_size, data.size() - at));
        const Reply reply = retry(patience, [&] { return out(0, part); });
        if (reply.answer != Answer::ack) {
            result.answer = reply.answer;
            return result;
        }
    }
    toggle_in[0] = true;
    const Reply reply = retry(patience, one_in);
    result.answer = reply.answer == Answer::data && reply.data.empty() ? Answer::ack : reply.answer;
    return result;
}

}  // namespace touchmove::wire
