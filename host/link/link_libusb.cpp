// link_libusb.cpp - boards on the machine's own USB, through libusb in the Asio loop
// SPDX-License-Identifier: Apache-2.0
#include "host/link/link_libusb.hpp"

#include <fmt/format.h>
#include <libusb.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cassert>
#include <optional>
#include <utility>

#include "fw/tm_proto.h"
#include "host/link/descriptors.hpp"
#include "host/link/usb_loop.hpp"

namespace touchmove::link {
namespace {

/// Halts, and failed transfers, in a row after which the device is given up.
constexpr unsigned max_halts = 5;
constexpr unsigned max_errors = 16;

unsigned to_ms(std::chrono::milliseconds t) {
    return static_cast<unsigned>(t.count());
}

Error gone() {
    return Error(std::errc::no_such_device, "the board was unplugged");
}

/// What a finished transfer's status means; success is COMPLETED.
Result<void> outcome(const libusb_transfer& raw, const char* what) {
    switch (raw.status) {
        case LIBUSB_TRANSFER_COMPLETED:
            return {};
        case LIBUSB_TRANSFER_STALL:
            return Error(std::errc::broken_pipe, fmt::format("the device refused {}", what));
        case LIBUSB_TRANSFER_TIMED_OUT:
            return Error(std::errc::timed_out, fmt::format("the device did not answer {}", what));
        case LIBUSB_TRANSFER_NO_DEVICE:
            return gone();
        case LIBUSB_TRANSFER_CANCELLED:
            return Error(std::errc::operation_canceled, fmt::format("{} was cancelled", what));
        default:
            return Error(std::errc::io_error, fmt::format("{} failed on the bus", what));
    }
}

using Bytes = std::vector<std::uint8_t>;
using BytesReply = std::function<void(Result<Bytes>)>;

/// A control transfer that reads. `reply` is called later, or the error returned at once.
Result<void> read_control(UsbDevice& device, std::uint8_t type, std::uint8_t request,
                          std::uint16_t value, std::uint16_t index, std::uint16_t length,
                          std::chrono::milliseconds timeout, BytesReply reply) {
    UsbTransfer& transfer = device.make_single_transfer(
        LIBUSB_CONTROL_SETUP_SIZE + length, [reply = std::move(reply)](UsbTransfer& done) {
            const auto result = outcome(done.raw(), "a control request");
            if (!result) return reply(result.error());
            const std::uint8_t* data = libusb_control_transfer_get_data(&done.raw());
            reply(Bytes(data, data + done.raw().actual_length));
        });
    libusb_fill_control_setup(transfer.buffer().data(), type, request, value, index, length);
    libusb_fill_control_transfer(&transfer.raw(), nullptr, transfer.buffer().data(), nullptr,
                                 nullptr, to_ms(timeout));
    return device.submit(transfer);
}

// --- The transport -----------------------------------------------------------------------------

/// What the transfers of a transport share; outlives it until the last of them has come back.
class UsbPipes : public std::enable_shared_from_this<UsbPipes> {
  public:
    UsbPipes(std::shared_ptr<UsbDevice> device, const UsbTuning& tuning)
        : device_(std::move(device)), tuning_(tuning), timer_(device_->loop().executor()) {}

    void start(Transport::Handler& handler);
    void stop();
    void control_in(ControlRequest request, std::uint16_t length, Transport::Reply reply);
    void control_out(ControlRequest request, std::span<const std::uint8_t> data,
                     Transport::Done done);
    void bulk_out(std::span<const std::uint8_t> bytes, Transport::Done done);

  private:
    using Clock = std::chrono::steady_clock;

    void read(UsbTransfer& transfer);
    void on_read(UsbTransfer& transfer);
    void clear_halt();
    void watch();
    void check_silence();
    void lose(const Error& why);
    void lose_later(const Error& why);
    void fail_later(Transport::Done done, const Error& why);

    std::shared_ptr<UsbDevice> device_;
    UsbTuning tuning_;
    Transport::Handler* handler_ = nullptr;
    bool stopped_ = false;
    bool halted_ = false;
    unsigned halts_ = 0;
    unsigned errors_ = 0;
    std::vector<UsbTransfer*> reads_;
    boost::asio::steady_timer timer_;
    Clock::time_point last_heard_{};
    std::optional<Clock::time_point> ping_deadline_;
};

void UsbPipes::start(Transport::Handler& handler) {
    assert(handler_ == nullptr && !stopped_);
    handler_ = &handler;
    device_->on_gone([weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->lose(gone());
    });
    for (unsigned i = 0; i < tuning_.in_transfers; ++i) {
        UsbTransfer& transfer =
            device_->make_transfer(TM_PACKET_BYTES, [weak = weak_from_this()](UsbTransfer& done) {
                if (const auto self = weak.lock()) self->on_read(done);
            });
        libusb_fill_bulk_transfer(&transfer.raw(), nullptr, TM_EP_IN, transfer.buffer().data(),
                                  static_cast<int>(transfer.buffer().size()), nullptr, nullptr,
                                  to_ms(tuning_.in_timeout));
        reads_.push_back(&transfer);
        read(transfer);
    }
    last_heard_ = Clock::now();
    watch();
}

void UsbPipes::watch() {
    constexpr int checks_per_silence = 4;
    timer_.expires_after(tuning_.silence / checks_per_silence);
    timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
        const auto self = weak.lock();
        if (error || !self || self->stopped_) return;
        self->check_silence();
        if (!self->stopped_) self->watch();
    });
}

void UsbPipes::check_silence() {
    const auto now = Clock::now();
    if (ping_deadline_) {
        if (now >= *ping_deadline_) {
            lose(Error(std::errc::timed_out, "the board no longer answers"));
        }
        return;
    }
    if (now - last_heard_ < tuning_.silence) return;
    constexpr std::uint16_t status_bytes = 2;
    ping_deadline_ = now + tuning_.control_timeout;
    const auto sent = read_control(
        *device_, standard_device_in, get_status, 0, 0, status_bytes, tuning_.control_timeout,
        [weak = weak_from_this()](const Result<Bytes>& result) {
            const auto self = weak.lock();
            // A refusal is an answer, too.
            const bool answers = result || result.error().code == std::errc::broken_pipe;
            if (self && answers) self->ping_deadline_.reset();
        });
    if (!sent) lose(sent.error().code == std::errc::no_such_device ? gone() : sent.error());
}

void UsbPipes::stop() {
    if (std::exchange(stopped_, true)) return;
    handler_ = nullptr;
    timer_.cancel();
    device_->on_gone(nullptr);
    device_->cancel_all();
    device_.reset();  // the transfers keep it until the last has come back
}

void UsbPipes::read(UsbTransfer& transfer) {
    if (const auto submitted = device_->submit(transfer); !submitted) {
        lose_later(submitted.error().code == std::errc::no_such_device ? gone()
                                                                       : submitted.error());
    }
}

void UsbPipes::on_read(UsbTransfer& transfer) {
    if (stopped_) return;
    const libusb_transfer& raw = transfer.raw();
    last_heard_ = Clock::now();
    // Whatever became of the transfer, the device believes these bytes to be delivered.
    if (raw.actual_length > 0 && handler_ != nullptr) {
        halts_ = 0;
        errors_ = 0;
        handler_->on_bulk_in({raw.buffer, static_cast<std::size_t>(raw.actual_length)});
        if (stopped_) return;
    }
    switch (raw.status) {
        case LIBUSB_TRANSFER_NO_DEVICE:
            return lose(gone());
        case LIBUSB_TRANSFER_STALL:
            if (!std::exchange(halted_, true)) {
                for (UsbTransfer* other : reads_) {
                    if (other->in_flight()) (void)libusb_cancel_transfer(&other->raw());
                }
            }
            break;
        case LIBUSB_TRANSFER_ERROR:
        case LIBUSB_TRANSFER_OVERFLOW:
            if (++errors_ >= max_errors) {
                return lose(Error(std::errc::io_error, "reading from the board keeps failing"));
            }
            break;
        default:
            break;
    }
    if (!halted_) return read(transfer);
    const bool all_back = std::none_of(reads_.begin(), reads_.end(),
                                       [](const UsbTransfer* t) { return t->in_flight(); });
    if (all_back) clear_halt();
}

void UsbPipes::clear_halt() {
    if (++halts_ > max_halts) {
        return lose(Error(std::errc::broken_pipe, "the board's endpoint stays halted"));
    }
    // The one call here that waits for the device; the kernel ends it after five seconds.
    const int code = libusb_clear_halt(device_->handle(), TM_EP_IN);
    if (code == LIBUSB_ERROR_NO_DEVICE || code == LIBUSB_ERROR_NOT_FOUND) return lose(gone());
    if (code != LIBUSB_SUCCESS) return lose(usb_error(code, "the board's halt cannot be cleared"));
    halted_ = false;
    for (UsbTransfer* transfer : reads_)
        read(*transfer);
    if (handler_ != nullptr) handler_->on_halt_cleared();
}

void UsbPipes::lose(const Error& why) {
    Transport::Handler* handler = std::exchange(handler_, nullptr);
    stop();
    if (handler != nullptr) handler->on_lost(why);
}

void UsbPipes::lose_later(const Error& why) {
    boost::asio::post(device_->loop().executor(),
                      [self = shared_from_this(), why] { self->lose(why); });
}

void UsbPipes::fail_later(Transport::Done done, const Error& why) {
    boost::asio::post(device_->loop().executor(),
                      [self = shared_from_this(), done = std::move(done), why] {
                          if (!self->stopped_) done(why);
                      });
}

void UsbPipes::control_in(ControlRequest request, std::uint16_t length, Transport::Reply reply) {
    if (stopped_) return;
    const auto sent = read_control(*device_, vendor_device_in, request.request, request.value,
                                   request.index, length, tuning_.control_timeout,
                                   [self = shared_from_this(), reply](Result<Bytes> result) {
                                       if (!self->stopped_) reply(std::move(result));
                                   });
    if (!sent) fail_later([reply](const Result<void>& r) { reply(r.error()); }, sent.error());
}

void UsbPipes::control_out(ControlRequest request, std::span<const std::uint8_t> data,
                           Transport::Done done) {
    if (stopped_) return;
    UsbTransfer& transfer =
        device_->make_single_transfer(LIBUSB_CONTROL_SETUP_SIZE + data.size(),
                                      [self = shared_from_this(), done](UsbTransfer& finished) {
                                          if (!self->stopped_)
                                              done(outcome(finished.raw(), "a control request"));
                                      });
    std::uint8_t* buffer = transfer.buffer().data();
    libusb_fill_control_setup(buffer, vendor_device_out, request.request, request.value,
                              request.index, static_cast<std::uint16_t>(data.size()));
    std::copy(data.begin(), data.end(), buffer + LIBUSB_CONTROL_SETUP_SIZE);
    libusb_fill_control_transfer(&transfer.raw(), nullptr, buffer, nullptr, nullptr,
                                 to_ms(tuning_.control_timeout));
    if (const auto sent = device_->submit(transfer); !sent) fail_later(done, sent.error());
}

void UsbPipes::bulk_out(std::span<const std::uint8_t> bytes, Transport::Done done) {
    if (stopped_) return;
    UsbTransfer& transfer = device_->make_single_transfer(
        bytes.size(), [self = shared_from_this(), done](UsbTransfer& finished) {
            if (self->stopped_) return;
            const libusb_transfer& raw = finished.raw();
            if (raw.status == LIBUSB_TRANSFER_STALL) {
                // Else the next host would find it halted still.
                (void)libusb_clear_halt(self->device_->handle(), TM_EP_OUT);
            }
            auto result = outcome(raw, "a message");
            if (result && raw.actual_length != raw.length) {
                result = Error(std::errc::io_error, "the device took a part of a message only");
            }
            done(result);
        });
    std::copy(bytes.begin(), bytes.end(), transfer.buffer().begin());
    libusb_fill_bulk_transfer(&transfer.raw(), nullptr, TM_EP_OUT, transfer.buffer().data(),
                              static_cast<int>(bytes.size()), nullptr, nullptr,
                              to_ms(tuning_.out_timeout));
    if (const auto sent = device_->submit(transfer); !sent) fail_later(done, sent.error());
}

class LibusbTransport final : public Transport {
  public:
    LibusbTransport(std::shared_ptr<UsbDevice> device, const UsbTuning& tuning)
        : pipes_(std::make_shared<UsbPipes>(std::move(device), tuning)) {}
    ~LibusbTransport() override { pipes_->stop(); }

    void start(Handler& handler) override { pipes_->start(handler); }
    void control_in(ControlRequest request, std::uint16_t length, Reply reply) override {
        pipes_->control_in(request, length, std::move(reply));
    }
    void control_out(ControlRequest request, std::span<const std::uint8_t> data,
                     Done done) override {
        pipes_->control_out(request, data, std::move(done));
    }
    void bulk_out(std::span<const std::uint8_t> bytes, Done done) override {
        pipes_->bulk_out(bytes, std::move(done));
    }
    void stop() override { pipes_->stop(); }

  private:
    std::shared_ptr<UsbPipes> pipes_;
};

// --- Finding and opening -----------------------------------------------------------------------

/// The devices of that kind that are plugged in, referenced.
std::vector<std::shared_ptr<libusb_device>> candidates(libusb_context* context,
                                                       std::uint16_t vendor,
                                                       std::uint16_t product) {
    libusb_device** list = nullptr;
    const ssize_t count = libusb_get_device_list(context, &list);
    std::vector<std::shared_ptr<libusb_device>> found;
    for (ssize_t i = 0; i < count; ++i) {
        libusb_device_descriptor descriptor{};
        if (libusb_get_device_descriptor(list[i], &descriptor) != LIBUSB_SUCCESS) continue;
        if (descriptor.idVendor != vendor || descriptor.idProduct != product) continue;
        found.emplace_back(libusb_ref_device(list[i]), libusb_unref_device);
    }
    if (count >= 0) libusb_free_device_list(list, 1);
    return found;
}

/// One attempt: looks through the candidates, one after the other, for the board.
class OpenAttempt : public std::enable_shared_from_this<OpenAttempt> {
  public:
    OpenAttempt(std::shared_ptr<UsbLoop> loop, UsbAddress address, const UsbTuning& tuning,
                BoardOpener::Opened opened)
        : loop_(std::move(loop)),
          address_(std::move(address)),
          tuning_(tuning),
          opened_(std::move(opened)),
          timer_(loop_->executor()),
          wait_(tuning.access_first_wait) {}

    void begin() {
        boost::asio::post(loop_->executor(), [self = shared_from_this()] { self->look(); });
    }
    void cancel() {
        opened_ = nullptr;
        timer_.cancel();
        if (device_) device_->cancel_all();
        device_.reset();
    }

  private:
    void look() {
        if (!opened_) return;
        candidates_ = candidates(loop_->context(), address_.vendor, address_.product);
        trouble_.reset();
        next();
    }

    void next() {
        if (!opened_) return;
        device_.reset();
        if (candidates_.empty()) return give_up();
        const auto candidate = std::move(candidates_.back());
        candidates_.pop_back();
        auto device = UsbDevice::open(loop_, candidate.get());
        if (!device) {
            if (device.error().code == std::errc::permission_denied) {
                denied_ = fmt::format("bus {}, address {}", libusb_get_bus_number(candidate.get()),
                                      libusb_get_device_address(candidate.get()));
            }
            return skip(device.error());
        }
        device_ = std::move(*device);
        read(device_descriptor_request, [this](const Bytes& descriptor) {
            const auto index = serial_number_index(descriptor);
            if (!index) return skip(index.error());
            read(language_request, [this, number = *index](const Bytes& languages) {
                const auto language = first_language(languages);
                if (!language) return skip(language.error());
                read(string_request(number, *language), [this](const Bytes& text) {
                    const auto serial = string_of(text);
                    if (!serial) return skip(serial.error());
                    meet(*serial);
                });
            });
        });
    }

    template <class Then>
    void read(DescriptorRequest request, Then then) {
        const auto sent = read_control(*device_, standard_device_in, get_descriptor, request.value,
                                       request.language, request.length, tuning_.control_timeout,
                                       [self = shared_from_this(), then](Result<Bytes> result) {
                                           if (!self->opened_) return;
                                           if (!result) return self->skip(result.error());
                                           then(*result);
                                       });
        if (!sent) skip(sent.error());
    }

    void meet(const std::string& serial) {
        if (!address_.serial.empty() && serial != address_.serial) return next();
        if (const auto claimed = device_->claim_interface(); !claimed) return skip(claimed.error());
        auto transport = std::make_unique<LibusbTransport>(std::move(device_), tuning_);
        device_.reset();
        std::exchange(opened_, nullptr)(OpenedBoard{std::move(transport), serial});
    }

    void skip(const Error& why) {
        if (!trouble_) trouble_ = why;
        next();
    }

    void give_up() {
        if (!denied_.empty() && ++attempts_ < tuning_.access_attempts) {
            denied_.clear();
            timer_.expires_after(std::exchange(wait_, 2 * wait_));
            timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
                if (!error) self->look();
            });
            return;
        }
        const auto opened = std::exchange(opened_, nullptr);
        if (!denied_.empty()) {
            opened(Error(std::errc::permission_denied,
                         fmt::format("no permission to use the board at {}: install the udev rule "
                                     "packaging/udev/60-touchmove.rules in /etc/udev/rules.d and "
                                     "plug the board in again",
                                     denied_)));
        } else if (trouble_) {
            opened(*trouble_);
        } else {
            opened(Error(std::errc::no_such_device,
                         fmt::format("no board {} is plugged in", to_string(DeviceUri(address_)))));
        }
    }

    std::shared_ptr<UsbLoop> loop_;
    UsbAddress address_;
    UsbTuning tuning_;
    BoardOpener::Opened opened_;  // empty: cancelled or done
    boost::asio::steady_timer timer_;
    std::chrono::milliseconds wait_;
    unsigned attempts_ = 0;
    std::vector<std::shared_ptr<libusb_device>> candidates_;
    std::shared_ptr<UsbDevice> device_;
    std::optional<Error> trouble_;
    std::string denied_;
};

class LibusbOpener final : public BoardOpener {
  public:
    LibusbOpener(std::shared_ptr<UsbLoop> loop, UsbAddress address, const UsbTuning& tuning)
        : loop_(std::move(loop)), address_(std::move(address)), tuning_(tuning) {}
    ~LibusbOpener() override { cancel(); }

    void open(Opened opened) override {
        cancel();
        attempt_ = std::make_shared<OpenAttempt>(loop_, address_, tuning_, std::move(opened));
        attempt_->begin();
    }
    void cancel() override {
        if (attempt_) attempt_->cancel();
        attempt_.reset();
    }
    void on_chance(std::function<void()> retry) override {
        token_ = loop_->watch_arrivals(std::move(retry));
    }

  private:
    std::shared_ptr<UsbLoop> loop_;
    UsbAddress address_;
    UsbTuning tuning_;
    std::shared_ptr<OpenAttempt> attempt_;
    UsbLoop::Token token_;
};

}  // namespace

// --- UsbHost -----------------------------------------------------------------------------------

UsbHost::UsbHost(std::shared_ptr<UsbLoop> loop, UsbTuning tuning)
    : loop_(std::move(loop)), tuning_(tuning) {}

UsbHost::~UsbHost() {
    loop_->shutdown(std::chrono::seconds(1));
}

Result<std::unique_ptr<UsbHost>> UsbHost::create(boost::asio::any_io_executor loop,
                                                 UsbTuning tuning) {
    auto usb = UsbLoop::create(std::move(loop));
    if (!usb) return usb.error();
    return std::unique_ptr<UsbHost>(new UsbHost(std::move(*usb), tuning));
}

std::unique_ptr<BoardOpener> UsbHost::opener(UsbAddress address) {
    return std::make_unique<LibusbOpener>(loop_, std::move(address), tuning_);
}

std::vector<UsbHost::Seen> UsbHost::seen(std::uint16_t vendor, std::uint16_t product) const {
    std::vector<Seen> found;
    for (const auto& device : candidates(loop_->context(), vendor, product)) {
        libusb_device_handle* handle = nullptr;
        const bool may_open = libusb_open(device.get(), &handle) == LIBUSB_SUCCESS;
        if (may_open) libusb_close(handle);
        found.push_back({libusb_get_bus_number(device.get()),
                         libusb_get_device_address(device.get()), may_open});
    }
    return found;
}

}  // namespace touchmove::link
