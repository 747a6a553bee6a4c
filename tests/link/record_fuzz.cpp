// record_fuzz.cpp - any bytes through the decoder and the event builder
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "host/link/event_builder.hpp"
#include "host/link/record.hpp"

using namespace touchmove::link;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    RecordSplitter splitter;
    EventBuilder builder(1);
    builder.set_epoch(0);
    std::uint16_t next = 0;
    splitter.feed({data, size}, [&](RecordBytes bytes) {
        const auto record = decode_record(bytes);
        if (!record) return true;
        const auto again = encode_record(*record);
        if (!std::equal(again.begin(), again.end(), bytes.begin())) std::abort();
        if (record->kind == RecordKind::watermark) {
            (void)stamp_of(*record, builder.epoch().value_or(0));
            return true;
        }
        Record in_turn = *record;  // the sequencer lets nothing else through
        in_turn.seq = next++;
        const auto event = builder.build(in_turn);
        // An event settles at least its own record, and is stamped within the session.
        if (event && *event &&
            ((*event)->records == 0 || (*event)->at < touchmove::device_time(0))) {
            std::abort();
        }
        return true;
    });
    return 0;
}
