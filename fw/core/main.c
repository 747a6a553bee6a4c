// main.c - the firmware on the soft core: a board, for ever
// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#include "fw/core/lamps.h"
#include "fw/core/soc_regs.h"
#include "fw/core/spi_flash.h"
#include "fw/tm_board.h"

static const struct tm_hw hw = {TM_SOC_WINDOW};
static struct tm_flash flash;
static struct tm_board board;

int main(void) {
    const bool has_flash = tm_spi_flash(&hw, &flash);
    char serial[TM_USB_SERIAL_MAX + 1];
    uint32_t length = 0;
    if (has_flash) {
        tm_spi_flash_read(&hw, TM_FLASH_SERIAL_AT, (uint8_t *)serial, TM_USB_SERIAL_MAX);
        while (length < TM_USB_SERIAL_MAX && serial[length] > ' ' && serial[length] <= '~') {
            ++length;
        }
    }
    if (length == 0) serial[length++] = '0';
    serial[length] = '\0';
    const struct tm_board_options options = {
        .name = TM_BOARD_NAME,
        .serial = serial,
        .self_powered = (tm_hw_read(&hw, TM_SOC_BOARD) & TM_SOC_SELF_POWERED) != 0,
        .milliamperes = TM_BOARD_MILLIAMPERES,
        .lamps = tm_lamps_count(&hw),
        .show_lamps = tm_lamps_show,
        .lamps_context = (void *)(uintptr_t)&hw,
    };
    tm_board_init(&board, &hw, has_flash ? &flash : NULL, &options);
    for (;;) {
        tm_board_poll(&board);
        if (tm_board_rests(&board)) (void)tm_hw_read(&hw, TM_SOC_WAIT);
    }
}
