// tm_board.c - the whole firmware of a board: starts a session, then serves the host
// SPDX-License-Identifier: Apache-2.0
#include "fw/tm_board.h"

#include <stddef.h>

#include "fw/regs.h"
#include "fw/tm_bytes.h"
#include "fw/tm_descriptors.h"
#include "fw/tm_settings.h"

static uint32_t read_reg(const struct tm_board *board, uint32_t reg) {
    return tm_hw_read(board->hw, 4 * reg);
}

static void write_reg(const struct tm_board *board, uint32_t reg, uint32_t value) {
    tm_hw_write(board->hw, 4 * reg, value);
}

// --- frontend ----------------------------------------------------------------------------------

static uint8_t sensor_style(const struct tm_board *board) {
    const uint32_t control = read_reg(board, TM_REG_CONTROL);
    return (control & TM_CONTROL_CHAIN) != 0 ? TM_SENSOR_SHIFT_CHAIN : TM_SENSOR_MATRIX;
}

uint16_t tm_board_frame_us(const struct tm_board *board) {
    const uint32_t least = sensor_style(board) == TM_SENSOR_SHIFT_CHAIN ? TM_SETTLE_MIN_CHAIN_US
                                                                        : TM_SETTLE_MIN_MATRIX_US;
    const uint32_t settle = board->store.state.settings.settle_us;
    return (uint16_t)TM_FRAME_US(settle < least ? least : settle);
}

static uint16_t next_seq(const struct tm_board *board) {
    return (uint16_t)read_reg(board, TM_REG_QUEUE);
}

static uint16_t acknowledged_seq(const struct tm_board *board) {
    return (uint16_t)(read_reg(board, TM_REG_QUEUE) >> 16);
}

static void apply_settings(const struct tm_board *board) {
    const struct tm_settings *settings = &board->store.state.settings;
    write_reg(board, TM_REG_LIFT_US, settings->lift_us);
    write_reg(board, TM_REG_PLACE_US, settings->place_us);
    write_reg(board, TM_REG_SCAN,
              (uint32_t)settings->settle_us << TM_SCAN_SETTLE_SHIFT |
                  (uint32_t)settings->flags << TM_SCAN_FLAGS_SHIFT |
                  (uint32_t)settings->aux_invert << TM_SCAN_AUX_INVERT_SHIFT);
}

static void run_session(struct tm_board *board) {
    apply_settings(board);
    write_reg(board, TM_REG_SESSION, board->session);
    write_reg(board, TM_REG_CONTROL, TM_CONTROL_RUN);
    board->phase = TM_BOARD_RUNNING;
    tm_usb_connect(&board->usb);
}

// --- vendor requests ---------------------------------------------------------------------------

static uint16_t encode_info(struct tm_board *board) {
    const uint32_t id = read_reg(board, TM_REG_ID);
    uint8_t *to = board->reply;
    to = tm_put16(to, TM_PROTO_VERSION);
    to = tm_put16(to, (uint16_t)id);
    to = tm_put32(to, board->session);
    to = tm_put16(to, (uint16_t)(acknowledged_seq(board) + 1));
    to = tm_put16(to, next_seq(board));
    to = tm_put16(to, (uint16_t)(id >> 16));
    to = tm_put16(to, tm_board_frame_us(board));
    to = tm_put8(to, sensor_style(board));
    to = tm_put8(to, board->acknowledged ? TM_INFO_ACKED : 0);
    to = tm_put8(to, board->options->lamps);
    tm_put8(to, 0);
    return TM_INFO_BYTES;
}

static uint16_t encode_time(struct tm_board *board) {
    uint32_t high = read_reg(board, TM_REG_TIME_HIGH);
    uint32_t low;
    for (;;) {
        low = read_reg(board, TM_REG_TIME_LOW);
        const uint32_t again = read_reg(board, TM_REG_TIME_HIGH);
        if (again == high) break;
        high = again;
    }
    tm_put32(tm_put32(board->reply, low), high);
    return 8;
}

static uint16_t name_length(const char *name) {
    uint16_t length = 0;
    while (length < TM_BOARD_NAME_MAX && name[length] != '\0') ++length;
    return length;
}

static bool vendor_in(void *context, const struct tm_usb_setup *setup, const uint8_t **data,
                      uint16_t *length) {
    struct tm_board *board = context;
    if (setup->value != 0) return false;
    if (setup->request == TM_REQ_MS_OS_20) {
        *data = (const uint8_t *)&tm_descriptors.ms_os_20;
        *length = sizeof(tm_descriptors.ms_os_20);
        return setup->index == 7;
    }
    if (setup->index != 0) return false;
    *data = board->reply;
    switch (setup->request) {
        case TM_REQ_INFO: *length = encode_info(board); return true;
        case TM_REQ_GET_SETTINGS:
            tm_settings_encode(&board->store.state.settings, board->reply);
            *length = TM_SETTINGS_BYTES;
            return true;
        case TM_REQ_TIME: *length = encode_time(board); return true;
        case TM_REQ_BOARD_NAME:
            *data = (const uint8_t *)board->options->name;
            *length = name_length(board->options->name);
            return true;
        case TM_REQ_SENSORS:
            if (board->usb.state != TM_USB_CONFIGURED) return false;
            // The first one begins the watch; it ends with the configuration.
            if (!board->sensors.watching) tm_sensors_start(&board->sensors);
            *data = tm_sensors_report(&board->sensors);
            *length = TM_SENSOR_REPORT_BYTES;
            return true;
        default: return false;
    }
}

static bool name_session(struct tm_board *board, uint32_t session) {
    if (board->session != 0 || board->acknowledged || session == 0) return false;
    board->session = session;
    return true;
}

static bool resume(struct tm_board *board, uint32_t session, uint16_t seq) {
    const uint16_t oldest = (uint16_t)(acknowledged_seq(board) + 1);
    const uint16_t kept = (uint16_t)(next_seq(board) - oldest);
    if (session != board->session || (uint16_t)(seq - oldest) > kept) return false;
    // Held meanwhile, so that no record of before slips in among those asked for.
    tm_usb_hold_bulk_in(&board->usb);
    write_reg(board, TM_REG_RESUME, seq);
    tm_usb_release_bulk_in(&board->usb);
    return true;
}

static bool set_settings(struct tm_board *board, const uint8_t *data) {
    struct tm_stored next = board->store.state;
    if (!tm_settings_decode(data, &next.settings)) return false;
    tm_store_save(&board->store, &next);
    apply_settings(board);
    return true;
}

static bool vendor_out(void *context, const struct tm_usb_setup *setup, const uint8_t *data) {
    struct tm_board *board = context;
    if (setup->value != 0 || setup->index != 0) return false;
    switch (setup->request) {
        case TM_REQ_NAME_SESSION:
            return setup->length == 4 && name_session(board, tm_get32(data));
        case TM_REQ_RESUME:
            return setup->length == TM_RESUME_BYTES &&
                   resume(board, tm_get32(data), tm_get16(data + 4));
        case TM_REQ_SET_SETTINGS:
            return setup->length == TM_SETTINGS_BYTES && set_settings(board, data);
        case TM_REQ_SNAPSHOT:
            if (setup->length != 0) return false;
            write_reg(board, TM_REG_CONTROL, TM_CONTROL_RUN | TM_CONTROL_SNAPSHOT);
            return true;
        case TM_REQ_LAMPS:
            // The current for them is granted with the configuration (USB 2.0, 7.2.1.4).
            if (setup->length != TM_LAMPS_BYTES || board->options->lamps == 0 ||
                board->usb.state != TM_USB_CONFIGURED) {
                return false;
            }
            board->lamps[0] = tm_get32(data);
            board->lamps[1] = tm_get32(data + 4);
            return true;
        default: return false;
    }
}

static void bulk_out(void *context, const uint8_t *data, uint32_t length) {
    struct tm_board *board = context;
    for (uint32_t at = 0; at + TM_OUT_BYTES <= length; at += TM_OUT_BYTES) {
        const uint8_t *message = data + at;
        // A session without a name cannot be acknowledged: after a power cut the next one would
        // have the same number.
        if (message[0] != TM_OUT_ACK || message[1] != 0 || board->session == 0 ||
            tm_get32(message + 4) != board->session) {
            continue;
        }
        const uint16_t seq = tm_get16(message + 2);
        const uint16_t before = acknowledged_seq(board);
        write_reg(board, TM_REG_ACK, seq);
        if (acknowledged_seq(board) != before) board->acknowledged = true;
    }
}

// --- lamps, suspend, self-test -------------------------------------------------------------------

// Three milliseconds without a packet are a suspended bus; within ten the current must be down
// (7.1.7.6). Frames of 2 ms make the clock coarse.
#define SUSPEND_US 4000u

static void watch_bus(struct tm_board *board) {
    const uint32_t now = read_reg(board, TM_REG_TIME_LOW);
    if (board->usb.alive) {
        board->usb.alive = false;
        board->suspended = false;
        board->alive_us = now;
    } else if (now - board->alive_us > SUSPEND_US) {
        board->suspended = true;
    }
}

static void set_lamps(struct tm_board *board) {
    static const uint32_t none[2] = {0, 0};
    const uint32_t *wanted = board->suspended ? none : board->lamps;
    if (board->lit[0] == wanted[0] && board->lit[1] == wanted[1]) return;
    board->lit[0] = wanted[0];
    board->lit[1] = wanted[1];
    board->options->show_lamps(board->options->lamps_context, board->lit);
}

// Rounds of the loop take the same time, and so do scans: only by waiting as if at random, for one
// to eight readings, does the loop meet every group of inputs.
static void sample_sensors(struct tm_board *board) {
    struct tm_sensors *sensors = &board->sensors;
    sensors->phase = (uint8_t)(sensors->phase >> 1 ^ ((sensors->phase & 1u) != 0 ? 0xB8u : 0u));
    uint32_t raw = read_reg(board, TM_REG_RAW);
    for (uint32_t again = sensors->phase & 7u; again > 0; --again) {
        raw = read_reg(board, TM_REG_RAW);
    }
    tm_sensors_take(sensors, raw);
}

// --- the loop ----------------------------------------------------------------------------------

void tm_board_init(struct tm_board *board, const struct tm_hw *hw, const struct tm_flash *flash,
                   const struct tm_board_options *options) {
    *board = (struct tm_board){.hw = hw, .phase = TM_BOARD_COUNTING, .options = options};
    if (options->lamps != 0) options->show_lamps(options->lamps_context, board->lit);
    const struct tm_usb_vendor vendor = {vendor_in, vendor_out, bulk_out, board};
    tm_usb_init(&board->usb, hw, &vendor, options->serial, options->self_powered,
                options->milliamperes);
    const struct tm_stored factory = {
        .session = 0,
        .settings =
            {
                .settle_us = TM_DEFAULT_SETTLE_US,
                .lift_us = TM_DEFAULT_LIFT_US,
                .place_us = TM_DEFAULT_PLACE_US,
            },
    };
    (void)tm_store_load(&board->store, flash, &factory);
    if (flash != NULL) {
        struct tm_stored next = board->store.state;
        next.session = next.session == UINT32_MAX ? 1 : next.session + 1;
        tm_store_save(&board->store, &next);
    }
}

void tm_board_poll(struct tm_board *board) {
    const bool writing = tm_store_poll(&board->store);
    if (board->phase == TM_BOARD_COUNTING) {
        // No record before the number is safe, else two sessions could bear the same one.
        if (writing) return;
        board->session = board->store.failed ? 0 : board->store.state.session;
        run_session(board);
    }
    tm_usb_poll(&board->usb);
    if (board->usb.state != TM_USB_CONFIGURED) {
        board->sensors.watching = false;
        board->lamps[0] = board->lamps[1] = 0;
    }
    watch_bus(board);
    set_lamps(board);
    if (board->sensors.watching) sample_sensors(board);
}

bool tm_board_rests(const struct tm_board *board) {
    return board->phase == TM_BOARD_RUNNING && board->store.step == TM_STORE_IDLE &&
           !board->sensors.watching && (board->lamps[0] | board->lamps[1]) == 0;
}
