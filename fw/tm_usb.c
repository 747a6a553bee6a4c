// tm_usb.c - the control endpoint: USB 2.0 chapter 9, and a way in for vendor requests
// SPDX-License-Identifier: Apache-2.0
#include "fw/tm_usb.h"

#include <stddef.h>

#include "fw/tm_bytes.h"
#include "fw/tm_descriptors.h"
#include "fw/usb_regs.h"

// What a request led to.
struct outcome {
    bool ok;               // else STALL
    const uint8_t *data;   // of an IN request
    uint16_t length;
};

static const struct outcome refused = {false, NULL, 0};
static const struct outcome done = {true, NULL, 0};

static struct outcome send(const void *data, size_t length) {
    return (struct outcome){true, data, (uint16_t)length};
}

// --- endpoint 1 --------------------------------------------------------------------------------

static void set_ep1(struct tm_usb *usb, uint32_t actions) {
    uint32_t levels = 0;
    if (usb->state == TM_USB_CONFIGURED) levels |= TM_USB_EP1_ENABLE;
    if (usb->halt_in) levels |= TM_USB_EP1_HALT_IN;
    if (usb->halt_out) levels |= TM_USB_EP1_HALT_OUT;
    tm_hw_write(usb->hw, TM_USB_EP1_CTRL, levels | actions);
}

// Toggles to DATA0, nothing halted: the state after SET_CONFIGURATION and SET_INTERFACE (9.1.1.5).
static void restart_ep1(struct tm_usb *usb) {
    usb->halt_in = false;
    usb->halt_out = false;
    set_ep1(usb, TM_USB_EP1_DATA0_IN | TM_USB_EP1_DATA0_OUT | TM_USB_EP1_ARM_OUT);
}

// --- standard requests -------------------------------------------------------------------------

static uint8_t recipient_of(const struct tm_usb_setup *setup) {
    return setup->request_type & TM_USB_RECIPIENT_MASK;
}

// In the address state only endpoint 0 exists, and no interface (9.4.1, 9.4.5, 9.4.9).
static bool endpoint_exists(const struct tm_usb *usb, uint16_t endpoint) {
    if (endpoint == 0x00 || endpoint == 0x80) return true;
    return usb->state == TM_USB_CONFIGURED && (endpoint == TM_EP_IN || endpoint == TM_EP_OUT);
}

static bool interface_exists(const struct tm_usb *usb, uint16_t interface) {
    return usb->state == TM_USB_CONFIGURED && interface == TM_INTERFACE;
}

static struct outcome get_status(struct tm_usb *usb) {
    const struct tm_usb_setup *setup = &usb->setup;
    if (setup->value != 0 || setup->length != 2) return refused;
    uint16_t status = 0;
    switch (recipient_of(setup)) {
        case TM_USB_TO_DEVICE:
            if (setup->index != 0) return refused;
            status = usb->self_powered ? 1 : 0;
            break;
        case TM_USB_TO_INTERFACE:
            if (!interface_exists(usb, setup->index)) return refused;
            break;
        case TM_USB_TO_ENDPOINT:
            if (!endpoint_exists(usb, setup->index)) return refused;
            if (setup->index == TM_EP_IN) status = usb->halt_in ? 1 : 0;
            if (setup->index == TM_EP_OUT) status = usb->halt_out ? 1 : 0;
            break;
        default: return refused;
    }
    tm_put16(usb->reply, status);
    return send(usb->reply, 2);
}

// The one feature there is: halting an endpoint. Remote wake-up and test modes do not exist here.
static struct outcome change_feature(struct tm_usb *usb, bool set) {
    const struct tm_usb_setup *setup = &usb->setup;
    if (recipient_of(setup) != TM_USB_TO_ENDPOINT || setup->length != 0 ||
        setup->value != TM_USB_FEATURE_ENDPOINT_HALT || !endpoint_exists(usb, setup->index)) {
        return refused;
    }
    if (setup->index == TM_EP_IN) {
        usb->halt_in = set;
        // Clearing starts at DATA0 even where nothing was halted (9.4.5): the host's own toggle
        // went to DATA0 with it.
        set_ep1(usb, set ? 0 : TM_USB_EP1_DATA0_IN);
    } else if (setup->index == TM_EP_OUT) {
        usb->halt_out = set;
        set_ep1(usb, set ? 0 : TM_USB_EP1_DATA0_OUT);
    } else if (set) {
        return refused;  // endpoint 0 could not be freed again
    }
    return done;
}

static struct outcome set_address(struct tm_usb *usb) {
    const struct tm_usb_setup *setup = &usb->setup;
    if (setup->value > 127 || setup->index != 0 || setup->length != 0 ||
        usb->state == TM_USB_CONFIGURED) {
        return refused;
    }
    usb->address_waits = true;
    return done;
}

static struct outcome get_string(struct tm_usb *usb, uint8_t number) {
    const struct tm_descriptors *all = &tm_descriptors;
    if (number == TM_STRING_LANGUAGES) return send(&all->languages, sizeof(all->languages));
    if (usb->setup.index != TM_LANGUAGE) return refused;
    if (number == TM_STRING_MAKER) return send(&all->maker, sizeof(all->maker));
    if (number == TM_STRING_PRODUCT) return send(&all->product, sizeof(all->product));
    if (number != TM_STRING_SERIAL) return refused;
    uint8_t *to = usb->reply + 2;
    for (const char *from = usb->serial; *from != '\0'; ++from) to = tm_put16(to, (uint8_t)*from);
    usb->reply[0] = (uint8_t)(to - usb->reply);
    usb->reply[1] = TM_DESC_STRING;
    return send(usb->reply, usb->reply[0]);
}

// What feeds the board, and how much it takes (9.6.3), is the board's own.
static struct outcome get_configuration_descriptor(struct tm_usb *usb) {
    struct tm_desc_configuration *own = (struct tm_desc_configuration *)usb->reply;
    _Static_assert(sizeof(*own) <= sizeof(usb->reply), "the reply holds the descriptor");
    *own = tm_descriptors.configuration;
    if (usb->self_powered) own->attributes |= TM_DESC_SELF_POWERED;
    own->max_power_2ma = (uint8_t)((usb->milliamperes + 1u) / 2u);
    return send(own, sizeof(*own));
}

static struct outcome get_descriptor(struct tm_usb *usb) {
    const struct tm_descriptors *all = &tm_descriptors;
    const uint8_t type = (uint8_t)(usb->setup.value >> 8);
    const uint8_t number = (uint8_t)usb->setup.value;
    if (type == TM_DESC_STRING) return get_string(usb, number);
    if (number != 0) return refused;
    switch (type) {
        case TM_DESC_DEVICE: return send(&all->device, sizeof(all->device));
        case TM_DESC_CONFIGURATION: return get_configuration_descriptor(usb);
        case TM_DESC_BOS: return send(&all->bos, sizeof(all->bos));
        default: return refused;  // also DEVICE_QUALIFIER: there is no high speed (9.6.2)
    }
}

static struct outcome get_configuration(struct tm_usb *usb) {
    const struct tm_usb_setup *setup = &usb->setup;
    if (setup->value != 0 || setup->index != 0 || setup->length != 1) return refused;
    usb->reply[0] = usb->state == TM_USB_CONFIGURED ? TM_CONFIGURATION : 0;
    return send(usb->reply, 1);
}

static struct outcome set_configuration(struct tm_usb *usb) {
    const struct tm_usb_setup *setup = &usb->setup;
    if (setup->value > TM_CONFIGURATION || setup->index != 0 || setup->length != 0) return refused;
    usb->state = setup->value == 0 ? TM_USB_ADDRESSED : TM_USB_CONFIGURED;
    restart_ep1(usb);
    return done;
}

static struct outcome get_interface(struct tm_usb *usb) {
    const struct tm_usb_setup *setup = &usb->setup;
    if (setup->value != 0 || setup->length != 1 || !interface_exists(usb, setup->index)) {
        return refused;
    }
    usb->reply[0] = 0;
    return send(usb->reply, 1);
}

static struct outcome set_interface(struct tm_usb *usb) {
    const struct tm_usb_setup *setup = &usb->setup;
    if (setup->value != 0 || setup->length != 0 || !interface_exists(usb, setup->index)) {
        return refused;
    }
    restart_ep1(usb);
    return done;
}

static struct outcome standard_request(struct tm_usb *usb) {
    // Which direction, recipients and states each request has (table 9-3 and 9.4.1 to 9.4.11).
    const bool in = (usb->setup.request_type & TM_USB_DIR_IN) != 0;
    const uint8_t recipient = recipient_of(&usb->setup);
    const bool to_device = recipient == TM_USB_TO_DEVICE;
    const bool to_interface = recipient == TM_USB_TO_INTERFACE;
    const bool has_address = usb->state != TM_USB_DEFAULT;
    switch (usb->setup.request) {
        case TM_USB_GET_STATUS: return in && has_address ? get_status(usb) : refused;
        case TM_USB_CLEAR_FEATURE: return !in && has_address ? change_feature(usb, false) : refused;
        case TM_USB_SET_FEATURE: return !in && has_address ? change_feature(usb, true) : refused;
        case TM_USB_SET_ADDRESS: return !in && to_device ? set_address(usb) : refused;
        case TM_USB_GET_DESCRIPTOR: return in && to_device ? get_descriptor(usb) : refused;
        case TM_USB_GET_CONFIGURATION:
            return in && to_device && has_address ? get_configuration(usb) : refused;
        case TM_USB_SET_CONFIGURATION:
            return !in && to_device && has_address ? set_configuration(usb) : refused;
        case TM_USB_GET_INTERFACE: return in && to_interface ? get_interface(usb) : refused;
        case TM_USB_SET_INTERFACE: return !in && to_interface ? set_interface(usb) : refused;
        default: return refused;
    }
}

// --- transfers on endpoint 0 -------------------------------------------------------------------

static void read_buffer(const struct tm_usb *usb, uint32_t offset, uint8_t *to, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i) to[i] = (uint8_t)tm_hw_read(usb->hw, offset + 4 * i);
}

static void arm_in(struct tm_usb *usb, const uint8_t *from, uint32_t bytes, uint32_t also) {
    for (uint32_t i = 0; i < bytes; ++i) {
        tm_hw_write(usb->hw, TM_USB_EP0_IN_DATA + 4 * i, from[i]);
    }
    tm_hw_write(usb->hw, TM_USB_EP0_CTRL, bytes | TM_USB_EP0_ARM_IN | also);
}

static void stall(struct tm_usb *usb) {
    usb->stage = TM_USB_STAGE_NONE;
    tm_hw_write(usb->hw, TM_USB_EP0_CTRL, TM_USB_EP0_STALL);
}

static void send_next_packet(struct tm_usb *usb) {
    const uint16_t bytes = usb->in_left < TM_PACKET_BYTES ? usb->in_left : TM_PACKET_BYTES;
    // The host may end the data stage early by its status packet (8.5.3): OUT stays armed.
    arm_in(usb, usb->in, bytes, TM_USB_EP0_ARM_OUT);
    usb->in += bytes;
    usb->in_left = (uint16_t)(usb->in_left - bytes);
    if (bytes < TM_PACKET_BYTES) usb->in_ends_short = false;
}

static void finish(struct tm_usb *usb, struct outcome outcome) {
    const struct tm_usb_setup *setup = &usb->setup;
    if (!outcome.ok) {
        stall(usb);
    } else if ((setup->request_type & TM_USB_DIR_IN) == 0 || setup->length == 0) {
        usb->stage = TM_USB_STAGE_STATUS_IN;
        arm_in(usb, NULL, 0, 0);
    } else {
        usb->stage = TM_USB_STAGE_DATA_IN;
        usb->in = outcome.data;
        // Less than was asked for, and a multiple of the packet size: the host waits for a short
        // packet, even an empty one.
        usb->in_ends_short = outcome.length < setup->length;
        usb->in_left = outcome.length < setup->length ? outcome.length : setup->length;
        send_next_packet(usb);
    }
}

static void run_request(struct tm_usb *usb) {
    const struct tm_usb_setup *setup = &usb->setup;
    struct outcome outcome = refused;
    switch (setup->request_type & TM_USB_TYPE_MASK) {
        case TM_USB_TYPE_STANDARD: outcome = standard_request(usb); break;
        case TM_USB_TYPE_VENDOR:
            if (usb->state == TM_USB_DEFAULT || recipient_of(setup) != TM_USB_TO_DEVICE) break;
            if ((setup->request_type & TM_USB_DIR_IN) != 0) {
                outcome.ok = usb->vendor.in(usb->vendor.context, setup, &outcome.data,
                                            &outcome.length);
            } else {
                outcome.ok = usb->vendor.out(usb->vendor.context, setup, usb->out);
            }
            break;
        default: break;
    }
    finish(usb, outcome);
}

static void on_setup(struct tm_usb *usb, bool half) {
    uint8_t bytes[8];
    read_buffer(usb, TM_USB_SETUP(half), bytes, sizeof(bytes));
    // Another one that came meanwhile may have written over these bytes: only that one counts.
    if ((tm_hw_read(usb->hw, TM_USB_EVENTS) & TM_USB_EVENT_SETUP) != 0) return;
    usb->setup = (struct tm_usb_setup){
        .request_type = bytes[0],
        .request = bytes[1],
        .value = tm_get16(bytes + 2),
        .index = tm_get16(bytes + 4),
        .length = tm_get16(bytes + 6),
    };
    usb->address_waits = false;
    usb->out_got = 0;
    if ((usb->setup.request_type & TM_USB_DIR_IN) != 0 || usb->setup.length == 0) {
        run_request(usb);
    } else if (usb->setup.length <= TM_USB_OUT_MAX) {
        usb->stage = TM_USB_STAGE_DATA_OUT;
        tm_hw_write(usb->hw, TM_USB_EP0_CTRL, TM_USB_EP0_ARM_OUT);
    } else {
        stall(usb);
    }
}

static void on_in_taken(struct tm_usb *usb) {
    if (usb->stage == TM_USB_STAGE_DATA_IN) {
        if (usb->in_left > 0 || usb->in_ends_short) {
            send_next_packet(usb);
        } else {
            usb->stage = TM_USB_STAGE_STATUS_OUT;  // OUT is armed already
        }
    } else if (usb->stage == TM_USB_STAGE_STATUS_IN) {
        usb->stage = TM_USB_STAGE_NONE;
        if (usb->address_waits) {
            // Only now: the status stage still uses the old address (9.4.6).
            usb->address_waits = false;
            usb->state = usb->setup.value == 0 ? TM_USB_DEFAULT : TM_USB_ADDRESSED;
            tm_hw_write(usb->hw, TM_USB_ADDRESS, usb->setup.value | TM_USB_CONNECT);
        }
    }
}

static void on_out_came(struct tm_usb *usb) {
    if (usb->stage != TM_USB_STAGE_DATA_OUT) {
        usb->stage = TM_USB_STAGE_NONE;  // the status packet of an IN transfer
        return;
    }
    const uint32_t bytes = tm_hw_read(usb->hw, TM_USB_EP0_OUT_COUNT) - TM_USB_CRC_BYTES;
    const uint32_t missing = (uint32_t)usb->setup.length - usb->out_got;
    if (bytes > missing || (bytes < missing && bytes < TM_PACKET_BYTES)) {
        stall(usb);  // more, or less, than the setup packet said
        return;
    }
    read_buffer(usb, TM_USB_EP0_OUT_DATA, usb->out + usb->out_got, bytes);
    usb->out_got = (uint16_t)(usb->out_got + bytes);
    run_request(usb);
}

static void on_bulk_out(struct tm_usb *usb) {
    uint8_t packet[TM_PACKET_BYTES];
    const uint32_t bytes = tm_hw_read(usb->hw, TM_USB_EP1_OUT_COUNT) - TM_USB_CRC_BYTES;
    read_buffer(usb, TM_USB_EP1_OUT_DATA, packet, bytes);
    set_ep1(usb, TM_USB_EP1_ARM_OUT);
    usb->vendor.bulk_out(usb->vendor.context, packet, bytes);
}

void tm_usb_init(struct tm_usb *usb, const struct tm_hw *hw, const struct tm_usb_vendor *vendor,
                 const char *serial, bool self_powered, uint16_t milliamperes) {
    *usb = (struct tm_usb){.hw = hw,
                           .vendor = *vendor,
                           .self_powered = self_powered,
                           .milliamperes = milliamperes};
    for (uint32_t i = 0; i < TM_USB_SERIAL_MAX && serial[i] != '\0'; ++i) {
        usb->serial[i] = serial[i];
    }
}

void tm_usb_connect(struct tm_usb *usb) { tm_hw_write(usb->hw, TM_USB_ADDRESS, TM_USB_CONNECT); }

void tm_usb_hold_bulk_in(struct tm_usb *usb) {
    set_ep1(usb, TM_USB_EP1_HOLD_IN | TM_USB_EP1_FLUSH_IN);
}

void tm_usb_release_bulk_in(struct tm_usb *usb) { set_ep1(usb, 0); }

void tm_usb_poll(struct tm_usb *usb) {
    const uint32_t events = tm_hw_read(usb->hw, TM_USB_EVENTS);
    if ((events & ~TM_USB_SETUP_HALF) == 0) return;
    tm_hw_write(usb->hw, TM_USB_EVENTS, events);
    usb->alive = true;
    if ((events & TM_USB_EVENT_RESET) != 0) {
        usb->state = TM_USB_DEFAULT;
        usb->stage = TM_USB_STAGE_NONE;
        usb->halt_in = false;
        usb->halt_out = false;
        usb->address_waits = false;
        set_ep1(usb, 0);
    }
    // Before a SETUP of the same moment: the packet came before it or is of another endpoint.
    if ((events & TM_USB_EVENT_EP1_OUT) != 0) on_bulk_out(usb);
    if ((events & TM_USB_EVENT_SETUP) != 0) {
        on_setup(usb, (events & TM_USB_SETUP_HALF) != 0);
        return;
    }
    if ((events & TM_USB_EVENT_EP0_IN) != 0) on_in_taken(usb);
    if ((events & TM_USB_EVENT_EP0_OUT) != 0) on_out_came(usb);
}
