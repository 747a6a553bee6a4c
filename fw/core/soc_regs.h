// soc_regs.h - what the soft core sees beside its memory (docs/cpu.md, Memory map)
// SPDX-License-Identifier: Apache-2.0
// Offsets from TM_SOC_WINDOW, as in fw/usb_regs.h; the frontend's registers stand at 0.
#ifndef TM_SOC_REGS_H
#define TM_SOC_REGS_H

#define TM_SOC_RAM_BYTES 0x2000u
#define TM_SOC_WINDOW 0x8000u

#define TM_SOC_BASE 0x2000u

// The configuration flash. W: bits 7..0 go out, most significant first, and chip select goes low;
// bit 8: instead chip select goes high. R: bits 7..0 what came in. Both wait for the byte before.
#define TM_SOC_SPI (TM_SOC_BASE + 0x00u)
#define TM_SOC_SPI_RELEASE 0x100u

// R: what the board has. W: its lamps: a bit each of eight, or the pins of the chain.
#define TM_SOC_BOARD (TM_SOC_BASE + 0x04u)
#define TM_SOC_SELF_POWERED 0x01u  // a supply of its own
#define TM_SOC_VBUS 0x02u          // the host's supply is there
#define TM_SOC_LAMPS_MASK 0x0Cu
#define TM_SOC_LAMPS_EIGHT 0x04u
#define TM_SOC_LAMPS_CHAIN 0x08u
#define TM_SOC_CHAIN_DATA 0x01u
#define TM_SOC_CHAIN_CLOCK 0x02u
#define TM_SOC_CHAIN_LATCH 0x04u
#define TM_SOC_CHAIN_OFF 0x08u     // output enable of the 74HC595 is active low

// R: ends when TM_USB_EVENTS has a bit set other than TM_USB_EVENT_ALIVE; the core sleeps till
// then.
#define TM_SOC_WAIT (TM_SOC_BASE + 0x0Cu)

#endif  // TM_SOC_REGS_H
