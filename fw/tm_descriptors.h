// tm_descriptors.h - everything that the device says of itself, as one constant
// SPDX-License-Identifier: Apache-2.0
// Fields are bytes and byte arrays, so the structures have no padding and their lengths are sizeof.
#ifndef TM_DESCRIPTORS_H
#define TM_DESCRIPTORS_H

#include <stdint.h>

// USB 2.0, table 9-5.
#define TM_DESC_DEVICE 1u
#define TM_DESC_CONFIGURATION 2u
#define TM_DESC_STRING 3u
#define TM_DESC_INTERFACE 4u
#define TM_DESC_ENDPOINT 5u
#define TM_DESC_BOS 15u
#define TM_DESC_DEVICE_CAPABILITY 16u

#define TM_CONFIGURATION 1u
// bmAttributes (table 9-10): no remote wake-up; self-powered where the board is.
#define TM_DESC_ATTRIBUTES 0x80u
#define TM_DESC_SELF_POWERED 0x40u
#define TM_INTERFACE 0u
#define TM_LANGUAGE 0x0409u

enum tm_string { TM_STRING_LANGUAGES, TM_STRING_MAKER, TM_STRING_PRODUCT, TM_STRING_SERIAL };

typedef uint8_t tm_le16[2];
typedef uint8_t tm_le32[4];

struct tm_desc_device {
    uint8_t length, type;
    tm_le16 usb_version;
    uint8_t device_class, device_subclass, device_protocol, ep0_bytes;
    tm_le16 vendor, product, device_version;
    uint8_t maker_string, product_string, serial_string, configurations;
};

struct tm_desc_endpoint {
    uint8_t length, type, address, attributes;
    tm_le16 packet_bytes;
    uint8_t interval;
};

struct tm_desc_configuration {
    uint8_t length, type;
    tm_le16 total_length;
    uint8_t interfaces, value, string, attributes, max_power_2ma;
    struct {
        uint8_t length, type, number, alternate, endpoints;
        uint8_t interface_class, interface_subclass, interface_protocol, string;
    } interface;
    struct tm_desc_endpoint bulk_in, bulk_out;
};

struct tm_desc_bos {
    uint8_t length, type;
    tm_le16 total_length;
    uint8_t capabilities;
    struct {
        uint8_t length, type, capability, reserved;
        uint8_t uuid[16];
        tm_le32 windows_version;
        tm_le16 set_length;
        uint8_t vendor_code, alternate_enumeration;
    } ms_os_20;
};

// Microsoft OS 2.0 descriptor set of a device with one function: Windows binds WinUSB by itself.
struct tm_desc_ms_os_20 {
    struct {
        tm_le16 length, type;
        tm_le32 windows_version;
        tm_le16 total_length;
    } header;
    struct {
        tm_le16 length, type;
        char compatible_id[8], sub_compatible_id[8];
    } compatible;
    struct {
        tm_le16 length, type, data_type, name_length;
        uint16_t name[21];
        tm_le16 data_length;
        uint16_t data[40];
    } interface_guids;
};

struct tm_desc_languages {
    uint8_t length, type;
    tm_le16 language;
};

struct tm_desc_maker {
    uint8_t length, type;
    uint16_t text[9];
};

struct tm_desc_product {
    uint8_t length, type;
    uint16_t text[15];
};

struct tm_descriptors {
    struct tm_desc_device device;
    struct tm_desc_configuration configuration;
    struct tm_desc_bos bos;
    struct tm_desc_ms_os_20 ms_os_20;
    struct tm_desc_languages languages;
    struct tm_desc_maker maker;
    struct tm_desc_product product;
};

extern const struct tm_descriptors tm_descriptors;

#endif  // TM_DESCRIPTORS_H
