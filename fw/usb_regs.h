// usb_regs.h - the USB block's registers, as the firmware sees them
// SPDX-License-Identifier: Apache-2.0
// Endpoint 0 is packet by packet: the firmware arms, the block answers the bus. Bulk IN needs no
// firmware: the block fills it from the record stream. A register every four bytes; those read are
// eight bits wide, those written as wide as said here. The block is rtl/usb; docs/usb.md.
#ifndef TM_USB_REGS_H
#define TM_USB_REGS_H

#define TM_USB_BASE 0x1000u

// R: what happened; W: clears the bits written as 1.
#define TM_USB_EVENTS (TM_USB_BASE + 0x00u)
#define TM_USB_EVENT_RESET 0x01u    // bus reset: address 0, EP1 off, everything disarmed, all other
                                    // events cleared
#define TM_USB_EVENT_SETUP 0x02u    // a SETUP packet came. It has disarmed EP0 and cleared its
                                    // stall and both events below; while this bit is set,
                                    // TM_USB_EP0_CTRL is deaf: an answer to the transfer that the
                                    // SETUP ended cannot slip in
#define TM_USB_EVENT_EP0_IN 0x04u   // the armed packet was taken
#define TM_USB_EVENT_EP0_OUT 0x08u  // a packet came into the EP0 OUT buffer, which is now disarmed
#define TM_USB_EVENT_EP1_OUT 0x10u  // the same for EP1
#define TM_USB_EVENT_ALIVE 0x20u    // a packet for any device ended: the bus is not suspended
#define TM_USB_SETUP_HALF 0x80u     // no event: which half of TM_USB_SETUP holds the last packet

// W: bits 0..6 the address to answer to from now on; bit 7, a level, connects to the bus.
#define TM_USB_ADDRESS (TM_USB_BASE + 0x04u)
#define TM_USB_CONNECT 0x80u

// W: bits 6..0 length of the IN packet. Data packets alternate from DATA1, as after any SETUP.
#define TM_USB_EP0_CTRL (TM_USB_BASE + 0x08u)
#define TM_USB_EP0_LENGTH_MASK 0x7Fu
#define TM_USB_EP0_ARM_IN 0x080u
#define TM_USB_EP0_ARM_OUT 0x100u
#define TM_USB_EP0_STALL 0x200u  // both directions, until the next SETUP

// W: bits 0..3 are levels, the others act once. Waits for the end of a bulk IN transaction.
#define TM_USB_EP1_CTRL (TM_USB_BASE + 0x0Cu)
#define TM_USB_EP1_ENABLE 0x01u
#define TM_USB_EP1_HALT_IN 0x02u
#define TM_USB_EP1_HALT_OUT 0x04u
#define TM_USB_EP1_HOLD_IN 0x08u    // take no record from the queue
#define TM_USB_EP1_DATA0_IN 0x10u   // the next packet is DATA0 (USB 2.0, 9.4.5)
#define TM_USB_EP1_DATA0_OUT 0x20u
#define TM_USB_EP1_FLUSH_IN 0x40u   // drop the records that wait in the endpoint
#define TM_USB_EP1_ARM_OUT 0x80u    // the buffer is free for the next packet

// Packet buffers: one memory, a byte every four bytes.
#define TM_USB_MEMORY(byte) (TM_USB_BASE + 0x800u + 4u * (byte))
#define TM_USB_BUFFER_BYTES 64u
#define TM_USB_EP0_IN_DATA TM_USB_MEMORY(0x080u)       // W
#define TM_USB_EP0_OUT_DATA TM_USB_MEMORY(0x100u)      // R
#define TM_USB_EP1_OUT_DATA TM_USB_MEMORY(0x180u)      // R
// R: bytes in the OUT buffers, and the two of the CRC that came behind them.
#define TM_USB_EP0_OUT_COUNT TM_USB_MEMORY(0x14Fu)
#define TM_USB_EP1_OUT_COUNT TM_USB_MEMORY(0x1CFu)
#define TM_USB_CRC_BYTES 2u
// R: the eight bytes of a SETUP packet, in one of two places. The next one goes into the other, so
// what a broken packet writes is not seen; but a whole one may come while this one is read.
#define TM_USB_SETUP(half) TM_USB_MEMORY((half) ? 0x170u : 0x160u)

#endif  // TM_USB_REGS_H
