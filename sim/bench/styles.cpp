// styles.cpp - how different players handle the men, as one table of habits
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/styles.hpp"

namespace touchmove::bench {
namespace {

constexpr BenchUs ms = 1000;

constexpr Range between_ms(BenchUs from, BenchUs to) { return {from * ms, to * ms}; }

// The style that the others differ from.
constexpr Style careful{
    .name = "careful",
    .what = "lifts, places, lets go, presses; one man after the other",
    .reply_from = ReplyFrom::press,
    .reply = between_ms(60, 160),
    .in_hand = between_ms(80, 160),
    .per_square = 10 * ms,
    .let_go = between_ms(35, 80),
    .between = between_ms(60, 140),
    .press = between_ms(70, 160),
    .capture = {1, 1, 0},
    .en_passant = {1, 1, 1},
    .castling = {1, 0, 0},
    .promotion = {1, 1, 1},
    .slides = 0,
    .slide_square = between_ms(25, 70),
    .stops = 0,
    .stop = between_ms(40, 260),
    .hovers = 0,
    .touches = 0,
    .announces = 0,
    .recentres = 0,
    .presses = true};

constexpr Style slider() {
    Style s = careful;
    s.name = "slider";
    s.what = "slides men over the squares of their way, with short stops on some of them";
    s.slides = 900;
    s.stops = 250;
    return s;
}

constexpr Style blitz() {
    Style s = careful;
    s.name = "blitz";
    s.what = "replies 80-200 ms after the opponent lets go, before or around the opponent's press";
    s.reply_from = ReplyFrom::release;
    s.reply = between_ms(80, 200);
    s.in_hand = between_ms(50, 120);
    s.let_go = between_ms(30, 50);
    s.between = between_ms(30, 70);
    s.press = between_ms(60, 260);
    s.capture = {2, 2, 1};
    s.castling = {2, 1, 1};
    s.slides = 250;
    s.slide_square = between_ms(15, 40);
    return s;
}

constexpr Style victim_first() {
    Style s = careful;
    s.name = "victim-first";
    s.what = "takes the captured man off before touching its own";
    s.capture = {1, 0, 0};
    s.en_passant = {0, 1, 0};
    return s;
}

constexpr Style captor_first() {
    Style s = careful;
    s.name = "captor-first";
    s.what = "has its own man in hand when it takes the captured one off";
    s.capture = {0, 1, 0};
    s.en_passant = {1, 0, 1};
    s.castling = {1, 1, 0};
    return s;
}

constexpr Style two_handed() {
    Style s = careful;
    s.name = "two-handed";
    s.what = "captures and castles with both hands, nearly at once (Article 4.1: a hint, no more)";
    s.capture = {0, 0, 1};
    s.en_passant = {0, 0, 1};
    s.castling = {0, 0, 1};
    return s;
}

constexpr Style adjuster() {
    Style s = careful;
    s.name = "adjuster";
    s.what =
        "says j'adoube (button) and straightens men, or returns and recentres the man it moves";
    s.announces = 250;
    s.touches = 250;
    s.recentres = 250;
    return s;
}

constexpr Style hesitant() {
    Style s = careful;
    s.name = "hesitant";
    s.what = "shows the man on several squares before it lets go";
    s.hovers = 700;
    s.stop = between_ms(40, 220);
    s.touches = 100;
    return s;
}

constexpr Style no_lever() {
    Style s = careful;
    s.name = "no-lever";
    s.what = "a board without levers: never presses; moves count by dwell or the opponent's touch";
    s.capture = {1, 1, 1};
    s.castling = {1, 1, 1};
    s.slides = 300;
    s.stops = 150;
    s.presses = false;
    return s;
}

constexpr std::array table{careful,      slider(),   blitz(),    victim_first(), captor_first(),
                           two_handed(), adjuster(), hesitant(), no_lever()};

}  // namespace

std::span<const Style> styles() noexcept { return table; }

std::optional<Hands> parse_hands(std::string_view name) noexcept {
    if (name == "dealt") return Hands{};
    for (const Style& style : table) {
        if (style.name == name) return Hands{&style};
    }
    return std::nullopt;
}

std::string hands_names() {
    std::string names = "dealt";
    for (const Style& style : table) (names += ", ") += style.name;
    return names;
}

}  // namespace touchmove::bench
