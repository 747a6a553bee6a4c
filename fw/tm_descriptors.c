// tm_descriptors.c - everything that the device says of itself, as one constant
// SPDX-License-Identifier: Apache-2.0
#include "fw/tm_descriptors.h"

#include <stddef.h>

#include "fw/tm_proto.h"

#define LE16(value) {(value) & 0xFFu, (value) >> 8 & 0xFFu}
#define LE32(value) {(value) & 0xFFu, (value) >> 8 & 0xFFu, (value) >> 16 & 0xFFu, (value) >> 24}

// Windows 8.1, the first that knows these descriptors.
#define WINDOWS_VERSION 0x06030000u

// The least USB version for which a host asks for the BOS and with it the Microsoft set.
#define USB_VERSION 0x0210u
#define DEVICE_VERSION 0x0100u

#define ENDPOINT(endpoint_address)                                                             \
    {                                                                                          \
        .length = sizeof(struct tm_desc_endpoint), .type = TM_DESC_ENDPOINT,                   \
        .address = (endpoint_address), .attributes = 2 /* bulk */,                             \
        .packet_bytes = LE16(TM_PACKET_BYTES), .interval = 0                                   \
    }

_Static_assert(sizeof(struct tm_desc_device) == 18, "USB 2.0, table 9-8");
_Static_assert(sizeof(struct tm_desc_configuration) == 9 + 9 + 7 + 7,
               "USB 2.0, tables 9-10 to 9-13");
_Static_assert(sizeof(struct tm_desc_bos) == 5 + 28, "BOS with the Microsoft platform capability");
_Static_assert(sizeof(struct tm_desc_ms_os_20) == 162, "header 10, compatible id 20, property 132");
_Static_assert(sizeof(u"x") == 2 * sizeof(uint16_t), "strings are UTF-16");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "UTF-16LE text is stored as it is sent");

const struct tm_descriptors tm_descriptors = {
    .device =
        {
            .length = sizeof(struct tm_desc_device),
            .type = TM_DESC_DEVICE,
            .usb_version = LE16(USB_VERSION),
            .device_class = 0xFF,
            .device_subclass = 0,
            .device_protocol = 0,
            .ep0_bytes = TM_PACKET_BYTES,
            .vendor = LE16(TM_USB_VID),
            .product = LE16(TM_USB_PID),
            .device_version = LE16(DEVICE_VERSION),
            .maker_string = TM_STRING_MAKER,
            .product_string = TM_STRING_PRODUCT,
            .serial_string = TM_STRING_SERIAL,
            .configurations = 1,
        },
    .configuration =
        {
            .length = offsetof(struct tm_desc_configuration, interface),
            .type = TM_DESC_CONFIGURATION,
            .total_length = LE16(sizeof(struct tm_desc_configuration)),
            .interfaces = 1,
            .value = TM_CONFIGURATION,
            .string = 0,
            .attributes = TM_DESC_ATTRIBUTES,
            .max_power_2ma = 0,  // the board's own: tm_usb.c
            .interface =
                {
                    .length = sizeof(tm_descriptors.configuration.interface),
                    .type = TM_DESC_INTERFACE,
                    .number = TM_INTERFACE,
                    .alternate = 0,
                    .endpoints = 2,
                    .interface_class = 0xFF,
                    .interface_subclass = 0,
                    .interface_protocol = 0,
                    .string = TM_STRING_PRODUCT,
                },
            .bulk_in = ENDPOINT(TM_EP_IN),
            .bulk_out = ENDPOINT(TM_EP_OUT),
        },
    .bos =
        {
            .length = offsetof(struct tm_desc_bos, ms_os_20),
            .type = TM_DESC_BOS,
            .total_length = LE16(sizeof(struct tm_desc_bos)),
            .capabilities = 1,
            .ms_os_20 =
                {
                    .length = sizeof(tm_descriptors.bos.ms_os_20),
                    .type = TM_DESC_DEVICE_CAPABILITY,
                    .capability = 5,  // platform
                    .reserved = 0,
                    // D8DD60DF-4589-4CC7-9CD2-659D9E648A9F
                    .uuid = {0xDF, 0x60, 0xDD, 0xD8, 0x89, 0x45, 0xC7, 0x4C, 0x9C, 0xD2, 0x65, 0x9D,
                             0x9E, 0x64, 0x8A, 0x9F},
                    .windows_version = LE32(WINDOWS_VERSION),
                    .set_length = LE16(sizeof(struct tm_desc_ms_os_20)),
                    .vendor_code = TM_REQ_MS_OS_20,
                    .alternate_enumeration = 0,
                },
        },
    .ms_os_20 =
        {
            .header =
                {
                    .length = LE16(sizeof(tm_descriptors.ms_os_20.header)),
                    .type = LE16(0),
                    .windows_version = LE32(WINDOWS_VERSION),
                    .total_length = LE16(sizeof(struct tm_desc_ms_os_20)),
                },
            .compatible =
                {
                    .length = LE16(sizeof(tm_descriptors.ms_os_20.compatible)),
                    .type = LE16(3),
                    .compatible_id = "WINUSB\0",
                    .sub_compatible_id = "",
                },
            .interface_guids =
                {
                    .length = LE16(sizeof(tm_descriptors.ms_os_20.interface_guids)),
                    .type = LE16(4),
                    .data_type = LE16(7),  // REG_MULTI_SZ
                    .name_length = LE16(sizeof(tm_descriptors.ms_os_20.interface_guids.name)),
                    .name = u"DeviceInterfaceGUIDs",
                    .data_length = LE16(sizeof(tm_descriptors.ms_os_20.interface_guids.data)),
                    .data = u"{4F3B0E52-6C1D-4B7A-9E85-2D0A5C9B7E14}\0",
                },
        },
    .languages =
        {
            .length = sizeof(struct tm_desc_languages),
            .type = TM_DESC_STRING,
            .language = LE16(TM_LANGUAGE),
        },
    .maker =
        {
            .length = sizeof(struct tm_desc_maker),
            .type = TM_DESC_STRING,
            .text = u"Touchmove",
        },
    .product =
        {
            .length = sizeof(struct tm_desc_product),
            .type = TM_DESC_STRING,
            .text = u"Touchmove board",
        },
};
