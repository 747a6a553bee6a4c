// usbip_session.cpp - one connection to a USB/IP server
// SPDX-License-Identifier: Apache-2.0
#include "host/link/usbip_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "host/link/descriptors.hpp"

namespace touchmove::link {
namespace {

using boost::asio::ip::tcp;
using ErrorCode = boost::system::error_code;

/// How often deadlines are looked at, as a part of the shortest of them.
constexpr int checks_per_deadline = 4;

Error network_error(const ErrorCode& code, std::string what) {
    return Error(std::error_code(code), fmt::format("{}: {}", what, code.message()));
}

}  // namespace

UsbipSession::UsbipSession(boost::asio::any_io_executor loop, UsbipAddress address,
                           UsbipTuning tuning)
    : loop_(std::move(loop)),
      address_(std::move(address)),
      tuning_(tuning),
      resolver_(loop_),
      socket_(loop_),
      timer_(loop_),
      parser_(*this) {}

std::string UsbipSession::server() const {
    return fmt::format("the USB/IP server {}:{}", address_.host, address_.port);
}

void UsbipSession::open(Imported imported) {
    imported_ = std::move(imported);
    step_deadline_ = Clock::now() + tuning_.connect_timeout;
    watch();
    // A numeric address needs no resolver, which would start a thread.
    ErrorCode not_numeric;
    const auto numeric = boost::asio::ip::make_address(address_.host, not_numeric);
    if (!not_numeric) {
        return connect(tcp::resolver::results_type::create(tcp::endpoint(numeric, address_.port),
                                                           address_.host, ""));
    }
    resolver_.async_resolve(
        address_.host, std::to_string(address_.port),
        [self = shared_from_this()](const ErrorCode& error, const auto& where) {
            if (self->state_ != State::connecting) return;
            if (error) return self->fail(network_error(error, self->server() + " is not known"));
            self->connect(where);
        });
}

void UsbipSession::connect(const tcp::resolver::results_type& where) {
    boost::asio::async_connect(
        socket_, where, [self = shared_from_this()](const ErrorCode& error, const tcp::endpoint&) {
            if (self->state_ != State::connecting) return;
            if (error) {
                return self->fail(network_error(error, self->server() + " cannot be reached"));
            }
            ErrorCode ignored;
            self->socket_.set_option(tcp::no_delay(true), ignored);
            self->state_ = State::importing;
            self->last_heard_ = Clock::now();
            put_import(self->out_, self->address_.busid);
            self->flush();
            self->receive();
        });
}

void UsbipSession::receive() {
    socket_.async_read_some(
        boost::asio::buffer(in_),
        [self = shared_from_this()](const ErrorCode& error, std::size_t count) {
            if (self->state_ == State::closed) return;
            if (error) {
                return self->fail(network_error(error, self->server() + " closed the connection"));
            }
            self->last_heard_ = Clock::now();
            // What the answers lead to goes out in one write.
            self->parsing_ = true;
            const auto fed = self->parser_.feed({self->in_.data(), count});
            self->parsing_ = false;
            if (self->state_ == State::closed) return;
            if (!fed) return self->fail(fed.error());
            self->flush();
            self->receive();
        });
}

void UsbipSession::flush() {
    if (write_in_flight_ || parsing_ || out_.empty()) return;
    write_in_flight_ = true;
    writing_.swap(out_);
    boost::asio::async_write(
        socket_, boost::asio::buffer(writing_),
        [self = shared_from_this()](const ErrorCode& error, std::size_t) {
            self->write_in_flight_ = false;
            self->writing_.clear();
            if (self->state_ == State::closed) return;
            if (error) {
                return self->fail(network_error(error, self->server() + " closed the connection"));
            }
            self->flush();
        });
}

// --- Requests ----------------------------------------------------------------------------------

void UsbipSession::add(Pending pending) {
    if (!pending.is_read) pending.deadline = Clock::now() + tuning_.answer_timeout;
    pending_.push_back(std::move(pending));
    flush();
}

void UsbipSession::read_bulk(std::uint8_t endpoint, std::uint32_t length) {
    if (state_ != State::open) return;
    put_submit(out_,
               {.seqnum = ++last_seqnum_,
                .devid = devid_,
                .is_in = true,
                .endpoint = endpoint,
                .length = length},
               {});
    add({.seqnum = last_seqnum_, .room = length, .is_read = true});
}

void UsbipSession::write_bulk(std::uint8_t endpoint, Bytes data, Done done) {
    if (state_ != State::open) return;
    const auto length = static_cast<std::uint32_t>(data.size());
    put_submit(out_,
               {.seqnum = ++last_seqnum_,
                .devid = devid_,
                .is_in = false,
                .endpoint = endpoint,
                .length = length},
               data);
    add({.seqnum = last_seqnum_,
         .room = 0,
         .is_read = false,
         .asked = length,
         .done = std::move(done)});
}

void UsbipSession::control(const UsbSetup& setup, Bytes data, Done done) {
    if (state_ != State::open) return;
    const bool is_in = (setup.type & 0x80U) != 0;
    put_submit(out_,
               {.seqnum = ++last_seqnum_,
                .devid = devid_,
                .is_in = is_in,
                .endpoint = 0,
                .length = setup.length,
                .setup = setup},
               data);
    add({.seqnum = last_seqnum_,
         .room = is_in ? setup.length : 0U,
         .is_read = false,
         .asked = is_in ? 0U : setup.length,
         .done = std::move(done)});
}

void UsbipSession::unlink(Pending& pending) {
    if (pending.unlinked_by != 0) return;
    pending.unlinked_by = ++last_seqnum_;
    pending.deadline = Clock::now() + tuning_.answer_timeout;
    put_unlink(out_, last_seqnum_, devid_, pending.seqnum);
}

void UsbipSession::cancel_reads() {
    for (Pending& pending : pending_) {
        if (pending.is_read) unlink(pending);
    }
    flush();
}

std::size_t UsbipSession::reads() const {
    return static_cast<std::size_t>(std::count_if(pending_.begin(), pending_.end(),
                                                  [](const Pending& p) { return p.is_read; }));
}

// --- Answers -----------------------------------------------------------------------------------

void UsbipSession::on_import(Result<UsbipDevice> device) {
    if (state_ != State::importing) return;
    if (!device) return fail(device.error());
    devid_ = device->devid;
    state_ = State::open;
    if (const auto tell = std::exchange(imported_, nullptr)) tell(std::move(device));
}

std::optional<std::uint32_t> UsbipSession::room(std::uint32_t seqnum) const {
    if (seqnum == 0) return std::nullopt;  // an answered one whose taking back is under way
    for (const Pending& pending : pending_) {
        if (pending.seqnum == seqnum) return pending.room;
    }
    return std::nullopt;
}

void UsbipSession::on_submit_reply(std::uint32_t seqnum, std::int32_t status, std::uint32_t length,
                                   Bytes data) {
    const auto found = std::find_if(pending_.begin(), pending_.end(),
                                    [&](const Pending& p) { return p.seqnum == seqnum; });
    Pending pending = std::move(*found);
    pending_.erase(found);
    if (pending.unlinked_by != 0) {
        // The answer crossed with the request to take it back; that one's own answer still comes.
        pending_.push_back({.seqnum = 0,
                            .room = 0,
                            .is_read = false,
                            .unlinked_by = pending.unlinked_by,
                            .deadline = pending.deadline});
    }
    auto result = usbip_outcome(status, pending.is_read ? "reading from the board" : "a request");
    if (result && pending.asked != 0 && length != pending.asked) {
        result = Error(std::errc::io_error, "the device took a part of a message only");
    }
    answer(pending, result, data);
}

void UsbipSession::on_unlink_reply(std::uint32_t seqnum, std::int32_t) {
    const auto found = std::find_if(pending_.begin(), pending_.end(),
                                    [&](const Pending& p) { return p.unlinked_by == seqnum; });
    if (found == pending_.end()) {
        return fail(
            Error(std::errc::protocol_error,
                  fmt::format("{} says that request {} was taken back, which is not pending",
                              server(), seqnum)));
    }
    Pending pending = std::move(*found);
    pending_.erase(found);
    if (pending.seqnum != 0) {
        answer(pending, Error(std::errc::operation_canceled, "taken back"), {});
    } else if (state_ == State::draining && pending_.empty()) {
        shut();
    }
}

void UsbipSession::answer(Pending& pending, const Result<void>& result, Bytes bytes) {
    if (state_ == State::draining) {
        if (pending_.empty()) shut();
        return;
    }
    if (pending.is_read) {
        const Done read = read_;  // it may be taken away from within
        if (read) read(result, bytes);
    } else if (pending.done) {
        pending.done(result, bytes);
    }
}

// --- Watching, ending --------------------------------------------------------------------------

void UsbipSession::watch() {
    timer_.expires_after(std::min({tuning_.connect_timeout, tuning_.answer_timeout, tuning_.silence,
                                   tuning_.unlink_timeout}) /
                         checks_per_deadline);
    timer_.async_wait([self = shared_from_this()](const ErrorCode& error) {
        if (error || self->state_ == State::closed) return;
        self->check_deadlines();
        if (self->state_ != State::closed) self->watch();
    });
}

void UsbipSession::check_deadlines() {
    const auto now = Clock::now();
    switch (state_) {
        case State::connecting:
        case State::importing:
            if (now >= step_deadline_) {
                fail(Error(std::errc::timed_out, server() + " does not answer"));
            }
            return;
        case State::draining:
            if (now >= step_deadline_) shut();
            return;
        case State::closed:
            return;
        case State::open:
            break;
    }
    for (const Pending& pending : pending_) {
        if (pending.deadline && now >= *pending.deadline) {
            return fail(Error(std::errc::timed_out, server() + " no longer answers"));
        }
    }
    if (pinging_ || now - last_heard_ < tuning_.silence) return;
    pinging_ = true;
    constexpr std::uint16_t status_bytes = 2;
    control({.type = standard_device_in, .request = get_status, .length = status_bytes}, {},
            [this](const Result<void>&, Bytes) { pinging_ = false; });
}

void UsbipSession::fail(const Error& why) {
    const bool was_told = state_ == State::draining || state_ == State::closed;
    shut();
    if (was_told) return;
    if (const auto tell = std::exchange(imported_, nullptr)) return tell(why);
    if (const auto tell = std::exchange(lost_, nullptr)) tell(why);
}

void UsbipSession::close() {
    imported_ = nullptr;
    lost_ = nullptr;
    read_ = nullptr;
    if (state_ != State::open || pending_.empty()) return shut();
    state_ = State::draining;
    step_deadline_ = Clock::now() + tuning_.unlink_timeout;
    for (Pending& pending : pending_)
        unlink(pending);
    flush();
}

void UsbipSession::shut() {
    if (state_ == State::closed) return;
    state_ = State::closed;
    ErrorCode ignored;
    resolver_.cancel();
    timer_.cancel();
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
    // Callbacks may own what owns this session.
    boost::asio::post(loop_, [self = shared_from_this()] { self->pending_.clear(); });
}

}  // namespace touchmove::link
