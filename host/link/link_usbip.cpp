// link_usbip.cpp - boards behind a USB/IP server, without a kernel module and without root
// SPDX-License-Identifier: Apache-2.0
#include "host/link/link_usbip.hpp"

#include <boost/asio/post.hpp>
#include <cassert>
#include <utility>

#include "fw/tm_proto.h"
#include "host/link/descriptors.hpp"
#include "host/link/usbip_session.hpp"

namespace touchmove::link {
namespace {

constexpr std::uint8_t endpoint_number = TM_EP_IN & 0x0F;
/// Halts, and failed reads, in a row after which the device is given up.
constexpr unsigned max_halts = 5;
constexpr unsigned max_errors = 16;

using Bytes = UsbipSession::Bytes;

class UsbipTransport final : public Transport {
  public:
    UsbipTransport(std::shared_ptr<UsbipSession> session, unsigned in_transfers)
        : session_(std::move(session)), in_transfers_(in_transfers) {
        // Until start() nobody listens; a loss in between is told then.
        session_->on_lost([this](const Error& why) { lose(why); });
    }
    ~UsbipTransport() override { stop(); }

    void start(Handler& handler) override {
        assert(handler_ == nullptr);
        handler_ = &handler;
        if (lost_) {
            boost::asio::post(session_->executor(), [this, alive = std::weak_ptr(alive_)] {
                if (!alive.expired() && handler_ != nullptr) tell_lost();
            });
            return;
        }
        session_->on_read(
            [this](const Result<void>& result, Bytes bytes) { on_read(result, bytes); });
        for (unsigned i = 0; i < in_transfers_; ++i)
            read();
    }

    void control_in(ControlRequest request, std::uint16_t length, Reply reply) override {
        session_->control({vendor_device_in, request.request, request.value, request.index, length},
                          {}, [reply = std::move(reply)](const Result<void>& result, Bytes bytes) {
                              if (!result) return reply(result.error());
                              reply(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
                          });
    }

    void control_out(ControlRequest request, std::span<const std::uint8_t> data,
                     Done done) override {
        session_->control(
            {vendor_device_out, request.request, request.value, request.index,
             static_cast<std::uint16_t>(data.size())},
            data, [done = std::move(done)](const Result<void>& result, Bytes) { done(result); });
    }

    void bulk_out(std::span<const std::uint8_t> bytes, Done done) override {
        session_->write_bulk(endpoint_number, bytes,
                             [this, done = std::move(done)](const Result<void>& result, Bytes) {
                                 if (!result && result.error().code == std::errc::broken_pipe) {
                                     // Else the next host would find it halted still.
                                     clear_feature_halt(TM_EP_OUT, nullptr);
                                 }
                                 done(result);
                             });
    }

    void stop() override {
        handler_ = nullptr;
        session_->close();
    }

  private:
    void read() { session_->read_bulk(endpoint_number, TM_PACKET_BYTES); }

    void on_read(const Result<void>& result, Bytes bytes) {
        // Whatever became of the request, the device believes these bytes to be delivered.
        if (!bytes.empty()) {
            halts_ = 0;
            errors_ = 0;
            handler_->on_bulk_in(bytes);
            if (handler_ == nullptr) return;
        }
        if (!result) {
            const auto& code = result.error().code;
            if (code == std::errc::no_such_device) return lose(result.error());
            if (code == std::errc::broken_pipe) {
                if (!std::exchange(halted_, true)) session_->cancel_reads();
            } else if (code != std::errc::operation_canceled && ++errors_ >= max_errors) {
                return lose(result.error());
            }
        }
        if (!halted_) return read();
        if (session_->reads() == 0) clear_halt();
    }

    void clear_halt() {
        if (++halts_ > max_halts) {
            return lose(Error(std::errc::broken_pipe, "the board's endpoint stays halted"));
        }
        clear_feature_halt(TM_EP_IN, [this](const Result<void>& result, Bytes) {
            if (!result) return lose(result.error());
            halted_ = false;
            for (unsigned i = 0; i < in_transfers_; ++i)
                read();
            if (handler_ != nullptr) handler_->on_halt_cleared();
        });
    }

    void clear_feature_halt(std::uint8_t endpoint, UsbipSession::Done done) {
        session_->control({standard_endpoint_out, clear_feature, endpoint_halt, endpoint, 0}, {},
                          std::move(done));
    }

    void lose(const Error& why) {
        if (lost_) return;
        lost_ = why;
        session_->close();
        if (handler_ != nullptr) tell_lost();
    }

    void tell_lost() { std::exchange(handler_, nullptr)->on_lost(*lost_); }

    std::shared_ptr<UsbipSession> session_;
    unsigned in_transfers_;
    Handler* handler_ = nullptr;
    std::optional<Error> lost_;
    bool halted_ = false;
    unsigned halts_ = 0;
    unsigned errors_ = 0;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

/// One attempt: connect, import, configure, ask for the serial number.
class Attempt : public std::enable_shared_from_this<Attempt> {
  public:
    Attempt(boost::asio::any_io_executor loop, UsbipAddress address, const UsbipTuning& tuning,
            BoardOpener::Opened opened)
        : session_(std::make_shared<UsbipSession>(std::move(loop), std::move(address), tuning)),
          in_transfers_(tuning.in_transfers),
          opened_(std::move(opened)) {}

    void begin() {
        session_->on_lost([self = shared_from_this()](const Error& why) { self->fail(why); });
        session_->open([self = shared_from_this()](const Result<UsbipDevice>& device) {
            if (!device) return self->fail(device.error());
            self->configure();
        });
    }

    void cancel() {
        opened_ = nullptr;
        if (session_) session_->close();
        session_.reset();
    }

  private:
    // A port reset does not exist in USB/IP; an unconfigured device has no bulk endpoints.
    void configure() {
        constexpr std::uint16_t only_configuration = 1;
        session_->control({standard_device_out, set_configuration, only_configuration, 0, 0}, {},
                          [self = shared_from_this()](const Result<void>& result, Bytes) {
                              if (!self->opened_) return;
                              if (!result) return self->fail(result.error());
                              self->ask_serial();
                          });
    }

    void ask_serial() {
        ask(device_descriptor_request, [this](Bytes descriptor) {
            const auto index = serial_number_index(descriptor);
            if (!index) return fail(index.error());
            ask(language_request, [this, number = *index](Bytes languages) {
                const auto language = first_language(languages);
                if (!language) return fail(language.error());
                ask(string_request(number, *language), [this](Bytes text) {
                    auto serial = string_of(text);
                    if (!serial) return fail(serial.error());
                    succeed(std::move(*serial));
                });
            });
        });
    }

    template <class Then>
    void ask(DescriptorRequest request, Then then) {
        session_->control(
            {standard_device_in, get_descriptor, request.value, request.language, request.length},
            {}, [self = shared_from_this(), then](const Result<void>& result, Bytes bytes) {
                if (!self->opened_) return;
                if (!result) return self->fail(result.error());
                then(bytes);
            });
    }

    void succeed(std::string serial) {
        auto transport = std::make_unique<UsbipTransport>(std::move(session_), in_transfers_);
        session_.reset();
        std::exchange(opened_, nullptr)(OpenedBoard{std::move(transport), std::move(serial)});
    }

    void fail(const Error& why) {
        if (session_) session_->close();
        session_.reset();
        if (const auto tell = std::exchange(opened_, nullptr)) tell(why);
    }

    std::shared_ptr<UsbipSession> session_;
    unsigned in_transfers_;
    BoardOpener::Opened opened_;  // empty: cancelled or done
};

class UsbipOpener final : public BoardOpener {
  public:
    UsbipOpener(boost::asio::any_io_executor loop, UsbipAddress address, UsbipTuning tuning)
        : loop_(std::move(loop)), address_(std::move(address)), tuning_(tuning) {}
    ~UsbipOpener() override { cancel(); }

    void open(Opened opened) override {
        cancel();
        attempt_ = std::make_shared<Attempt>(loop_, address_, tuning_, std::move(opened));
        attempt_->begin();
    }
    void cancel() override {
        if (attempt_) attempt_->cancel();
        attempt_.reset();
    }

  private:
    boost::asio::any_io_executor loop_;
    UsbipAddress address_;
    UsbipTuning tuning_;
    std::shared_ptr<Attempt> attempt_;
};

}  // namespace

std::unique_ptr<BoardOpener> usbip_opener(boost::asio::any_io_executor loop, UsbipAddress address,
                                          UsbipTuning tuning) {
    return std::make_unique<UsbipOpener>(std::move(loop), std::move(address), tuning);
}

}  // namespace touchmove::link
