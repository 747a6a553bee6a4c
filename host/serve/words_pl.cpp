// words_pl.cpp - decisions in Polish
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/words_check.hpp"
#include "host/serve/words_en.hpp"

namespace touchmove::serve {
namespace {

constexpr PhraseTable polish_phrases{{
    {Phrase::touch_move,
     "Dotknięta bierka: {side} dotknęły bierki{on}, ale wykonały inne posunięcie; {other} "
     "mogą reklamować."},
    {Phrase::touch_move_4_3_3,
     "Dotknięta bierka: {side} dotknęły bierek obu kolorów, ale nie zagrały tak, jak je to "
     "zobowiązuje; {other} mogą reklamować."},
    {Phrase::touch_move_4_4_1,
     "{Side} dotknęły króla i wieży, ale nie wykonały roszady w tę stronę; {other} "
     "mogą reklamować."},
    {Phrase::touch_move_4_4_2,
     "{Side} dotknęły wieży przed królem, dlatego roszada z nią w tym posunięciu nie "
     "była możliwa; {other} mogą reklamować."},
    {Phrase::touch_move_4_4_3,
     "{Side} dotknęły króla i wieży, gdy roszada jest nieprawidłowa, i nie zagrały "
     "królem; {other} mogą reklamować."},
    {Phrase::released,
     "{Side} puściły już bierkę na polu, a potem zagrały inaczej; {other} mogą "
     "reklamować."},
    {Phrase::released_4_7_2,
     "{Side} puściły króla, zaczynając roszadę, a potem wykonały inne posunięcie; "
     "{other} mogą reklamować."},
    {Phrase::illegal_move, "{Side} ukończyły posunięcie nieprawidłowe{at}."},
    {Phrase::pawn_not_exchanged,
     "{Side} pozostawiły piona na ostatnim rzędzie{on} bez promocji i nacisnęły zegar, co "
     "jest posunięciem nieprawidłowym."},
    {Phrase::press_without_move, "{Side} nacisnęły zegar, nie wykonawszy posunięcia."},
    {Phrase::adjust_not_permitted,
     "{Side} zapowiedziały „poprawiam”, nie będąc na posunięciu."},
    {Phrase::adjust_not_permitted_6_2_5,
     "{Side} zapowiedziały „poprawiam”, gdy zegar {side_gen} nie chodził."},
    {Phrase::two_hands,
     "{Side} być może wykonały posunięcie obiema rękami: dwie bierki podniesiono i "
     "postawiono prawie jednocześnie."},
    {Phrase::accidental,
     "Bierki{on} potrącono przypadkowo i znowu stoją na miejscu; nie liczy się to jako "
     "dotknięcie."},
    {Phrase::displaced, "Bierki stoją inaczej, niż wynika z zapisu{at}."},
    {Phrase::displaced_7_6,
     "Nie można ustalić, co zagrano, gdy szachownica nie była obserwowana{at}; bierki "
     "należy ustawić według zapisu."},
    {Phrase::out_of_turn, "{Side} ruszyły bierką poza kolejnością{at}."},
    {Phrase::ambiguous, "Do tego, co widziano, pasuje więcej niż jedno posunięcie{choice}."},
    {Phrase::promotion_choice,
     "Promocja: jaką figurę postawiono{on} w miejsce piona {side_gen}?"},
    {Phrase::setup_suspect, "Być może bierki od początku stały nieprawidłowo{at}."},
    {Phrase::setup_suspect_7_3, "Być może partię rozpoczęto z odwróconymi kolorami{at}."},
    {Phrase::claim_correct,
     "Reklamacja remisu ze strony {side_gen} jest słuszna: pozycja powstała po raz trzeci."},
    {Phrase::claim_correct_9_3,
     "Reklamacja remisu ze strony {side_gen} jest słuszna: po pięćdziesiąt posunięć bez "
     "bicia i bez ruchu pionem."},
    {Phrase::claim_wrong, "Reklamacja remisu ze strony {side_gen} nie jest słuszna."},
    {Phrase::claim_refused,
     "{Side} nie mogą teraz reklamować remisu, bo nie są na posunięciu."},
    {Phrase::claim_refused_9_4,
     "{Side} dotknęły bierki i przez to straciły prawo do reklamowania remisu w tym "
     "posunięciu."},
    {Phrase::claim_refused_5_2_3,
     "Nie można uzgodnić remisu, dopóki obaj zawodnicy nie wykonają posunięcia."},
    {Phrase::claim_refused_6_8, "Na zegarze tej partii ta chorągiewka nie opadła."},
    {Phrase::claim_refused_9_1, "Nie ma propozycji remisu, którą można przyjąć."},
    {Phrase::result_signal,
     "Króle postawiono na polach centralnych{at}: czy partia się zakończyła?"},
    {Phrase::flag, "Przekroczenie czasu: chorągiewka {side_gen} opadła."},
    {Phrase::flag_6_3_1,
     "Czas {side_gen} upłynął; przekroczenie liczy się, gdy stwierdzi je sędzia albo "
     "zgłosi przeciwnik."},
    {Phrase::arbiter, "Rozstrzygnięcie należy do sędziego."},
    {Phrase::arbiter_6_9,
     "Chorągiewka opadła, gdy nie było pewne, co stoi na szachownicy; o wygranej lub "
     "remisie rozstrzyga sędzia."},
    {Phrase::arbiter_9_5, "Zareklamowano remis z jednym posunięciem, a wykonano inne."},
    {Phrase::arbiter_7_5_1,
     "Na posunięcie nieprawidłowe odpowiedziano, zanim je ukończono{at}."},
    {Phrase::arbiter_4_4_3,
     "Dotknięto króla i wieży, gdy roszada jest nieprawidłowa; czy zamierzano roszadę, "
     "rozstrzyga sędzia."},
    {Phrase::arbiter_5_1_1, "Piona pozostawiono tam, gdzie hetman dałby mata."},
    {Phrase::arbiter_5_1_2,
     "Partię poddano, gdy nie było pewne, co stoi na szachownicy albo czy przeciwnik może dać "
     "mata; o przegranej lub remisie rozstrzyga sędzia."},
    {Phrase::arbiter_5_2_1, "Piona pozostawiono tam, gdzie hetman dałby pata."},
    {Phrase::arbiter_A_5_4,
     "Oba króle są szachowane i były szachowane posunięcie wcześniej; nikt nie "
     "reklamował, sędzia może orzec remis."},
    {Phrase::due, " Należy zagrać: {moves}."},
    {Phrase::penalty_time, " Kara: {other} otrzymują dodatkowo {time}."},
    {Phrase::penalty_loss, " Kara: przegrana partia."},
    {Phrase::penalty_draw, " Kara: remis, ponieważ przeciwnik nie może dać mata."},
    {Phrase::white_wins, "Białe wygrały: {reason} (Artykuł {article})"},
    {Phrase::black_wins, "Czarne wygrały: {reason} (Artykuł {article})"},
    {Phrase::draw, "Remis: {reason} (Artykuł {article})"},
    {Phrase::draw_no_mate,
     "Remis: {reason}, ale przeciwnik nie może dać mata (Artykuł {article})"},
    {Phrase::arbiter_decides, "Rozstrzyga sędzia: {reason} (Artykuł {article})"},
    {Phrase::by_checkmate, "mat"},
    {Phrase::by_resignation, "poddanie partii"},
    {Phrase::by_stalemate, "pat"},
    {Phrase::by_dead_position, "martwa pozycja"},
    {Phrase::by_agreement, "zgoda zawodników"},
    {Phrase::by_time, "przekroczenie czasu"},
    {Phrase::by_illegal_moves, "posunięcia nieprawidłowe"},
    {Phrase::by_threefold, "trzykrotne powtórzenie pozycji"},
    {Phrase::by_fifty, "reguła 50 posunięć"},
    {Phrase::by_fivefold, "pięciokrotne powtórzenie pozycji"},
    {Phrase::by_seventyfive, "reguła 75 posunięć"},
    {Phrase::evidence_capture_inferred,
     "pole zbitej bierki ani razu nie było puste; pasuje tylko to bicie"},
    {Phrase::evidence_unseen,
     "posunięcia nie widziano w całości: szachownica nie była obserwowana"},
    {Phrase::evidence_chosen, "posunięcie wskazał sędzia"},
    {Phrase::evidence_told, "wykonano przed rozpoczęciem obserwacji szachownicy"},
    {Phrase::evidence_piece_named,
     "figurę promocji wskazano przełącznikiem lub wskazał ją sędzia"},
    {Phrase::evidence_piece_deduced, "figurę promocji ustalono po jej późniejszych ruchach"},
    {Phrase::evidence_piece_open, "figura promocji nie jest jeszcze nazwana"},
    {Phrase::record_corrected, "(poprawiono)"},
    {Phrase::record_piece_known, "(figura jest już znana)"},
    {Phrase::record_shortened, "W zapisie jest teraz {half_moves}; resztę cofnięto"},
    {Phrase::on_squares, " na {squares}"},
    {Phrase::list_and, " i "},
    {Phrase::list_or, " lub "},
    {Phrase::list_more, "jeszcze {n}"},
}};

static_assert(in_order(polish_phrases));
static_assert(same_arguments(polish_phrases, english_phrases));

}  // namespace

constinit const Words polish_words{
    .phrases = polish_phrases,
    .white = {"Białe", "białe", "białych"},
    .black = {"Czarne", "czarne", "czarnych"},
    .unknown = {"Strony", "strony", "strony"},
    .unknown_other = {"Strony przeciwne", "strony przeciwne", "strony przeciwnej"},
    .minutes = {"{n} minutę", "{n} minuty", "{n} minut"},
    .seconds = {"{n} sekundę", "{n} sekundy", "{n} sekund"},
    .half_moves = {"{n} półruch", "{n} półruchy", "{n} półruchów"},
};

}  // namespace touchmove::serve
