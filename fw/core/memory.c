// memory.c - the functions that the compiler calls by itself
// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

void *memcpy(void *to, const void *from, size_t bytes) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (bytes-- > 0) *t++ = *f++;
    return to;
}

void *memset(void *to, int value, size_t bytes) {
    unsigned char *t = to;
    while (bytes-- > 0) *t++ = (unsigned char)value;
    return to;
}
