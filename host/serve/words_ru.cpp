// words_ru.cpp - decisions in Russian
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/words_check.hpp"
#include "host/serve/words_en.hpp"

namespace touchmove::serve {
namespace {

constexpr PhraseTable russian_phrases{{
    {Phrase::touch_move,
     "Правило «тронул — ходи»: {side} коснулись "
     "фигуры{on}, но сделали другой ход; {other} могут "
     "заявить претензию."},
    {Phrase::touch_move_4_3_3,
     "Правило «тронул — ходи»: {side} коснулись своих и "
     "чужих фигур, но не сыграли так, как это "
     "их обязывает; {other} могут заявить претензию."},
    {Phrase::touch_move_4_4_1,
     "{Side} коснулись короля и ладьи, но не сделали "
     "рокировку в эту сторону; {other} могут заявить "
     "претензию."},
    {Phrase::touch_move_4_4_2,
     "{Side} коснулись ладьи раньше короля, поэтому "
     "рокировка с ней на этом ходу невозможна; {other} "
     "могут заявить претензию."},
    {Phrase::touch_move_4_4_3,
     "{Side} коснулись короля и ладьи, когда рокировка "
     "невозможна, и не пошли королём; {other} могут "
     "заявить претензию."},
    {Phrase::released,
     "{Side} уже отпустили фигуру на поле, а затем "
     "сыграли иначе; {other} могут заявить претензию."},
    {Phrase::released_4_7_2,
     "{Side} отпустили короля, начав рокировку, а затем "
     "сделали другой ход; {other} могут заявить претензию."},
    {Phrase::illegal_move, "{Side} завершили невозможный ход{at}."},
    {Phrase::pawn_not_exchanged,
     "{Side} оставили пешку на последней горизонтали{on} "
     "без превращения и нажали на часы, это "
     "невозможный ход."},
    {Phrase::press_without_move,
     "{Side} нажали на часы, не сделав хода."},
    {Phrase::adjust_not_permitted,
     "{Side} объявили «поправляю» не на своём "
     "ходу."},
    {Phrase::adjust_not_permitted_6_2_5,
     "{Side} объявили «поправляю», когда часы {side_gen} не "
     "шли."},
    {Phrase::two_hands,
     "{Side}, возможно, сделали один ход двумя руками: две "
     "фигуры подняты и поставлены почти одновременно."},
    {Phrase::accidental,
     "Фигуры{on} задеты случайно и снова стоят на месте; "
     "касанием это не считается."},
    {Phrase::displaced,
     "Фигуры стоят не так, как должны по записи{at}."},
    {Phrase::displaced_7_6,
     "Нельзя установить, что сыграно, пока доска не "
     "наблюдалась{at}; фигуры следует расставить по "
     "записи."},
    {Phrase::out_of_turn, "{Side} пошли не в свою очередь{at}."},
    {Phrase::ambiguous,
     "Увиденному соответствует более чем один "
     "ход{choice}."},
    {Phrase::promotion_choice,
     "Превращение: какая фигура поставлена{on} вместо "
     "пешки {side_gen}?"},
    {Phrase::setup_suspect,
     "Возможно, фигуры с самого начала стояли "
     "неправильно{at}."},
    {Phrase::setup_suspect_7_3,
     "Возможно, партия начата с "
     "перепутанным цветом фигур{at}."},
    {Phrase::claim_correct,
     "Требование ничьей со стороны {side_gen} обосновано: "
     "позиция возникла в третий раз."},
    {Phrase::claim_correct_9_3,
     "Требование ничьей со стороны {side_gen} обосновано: "
     "по пятьдесят ходов без взятия и без хода пешкой."},
    {Phrase::claim_wrong,
     "Требование ничьей со стороны {side_gen} не "
     "обосновано."},
    {Phrase::claim_refused,
     "{Side} не могут требовать ничью сейчас: очередь "
     "хода не за ними."},
    {Phrase::claim_refused_9_4,
     "{Side} коснулись фигуры и тем самым утратили право "
     "требовать ничью на этом ходу."},
    {Phrase::claim_refused_5_2_3,
     "Соглашение на ничью невозможно, пока каждый из "
     "игроков не сделал хотя бы один ход."},
    {Phrase::claim_refused_6_8,
     "По часам этой партии этот флажок не упал."},
    {Phrase::claim_refused_9_1,
     "Нет предложения ничьей, которое можно принять."},
    {Phrase::result_signal,
     "Короли поставлены на центральные поля{at}: партия "
     "закончена?"},
    {Phrase::flag, "Просрочка времени: флажок {side_gen} упал."},
    {Phrase::flag_6_3_1,
     "Время {side_gen} истекло; просрочка засчитывается, "
     "когда её зафиксирует арбитр или о ней "
     "заявит соперник."},
    {Phrase::arbiter, "Решение остаётся за арбитром."},
    {Phrase::arbiter_6_9,
     "Флажок упал, когда было неясно, что стоит на "
     "доске; победу или ничью определяет арбитр."},
    {Phrase::arbiter_9_5,
     "Требование ничьей заявлено с одним ходом, а сделан "
     "другой."},
    {Phrase::arbiter_7_5_1,
     "На невозможный ход ответили раньше, чем он был "
     "завершён{at}."},
    {Phrase::arbiter_4_4_3,
     "Тронуты король и ладья, когда рокировка "
     "невозможна; имелась ли в виду рокировка, решает "
     "арбитр."},
    {Phrase::arbiter_5_1_1,
     "Пешка оставлена там, где ферзь поставил бы мат."},
    {Phrase::arbiter_5_1_2,
     "Игрок сдался, когда было неясно, что стоит на "
     "доске или может ли соперник дать мат; "
     "поражение или ничью определяет арбитр."},
    {Phrase::arbiter_5_2_1,
     "Пешка оставлена там, где ферзь поставил бы пат."},
    {Phrase::arbiter_A_5_4,
     "Оба короля под шахом и были под шахом ход назад; "
     "претензии не было, арбитр может объявить ничью."},
    {Phrase::due, " Следует сыграть: {moves}."},
    {Phrase::penalty_time,
     " Наказание: {other} получают дополнительно {time}."},
    {Phrase::penalty_loss, " Наказание: проигрыш партии."},
    {Phrase::penalty_draw,
     " Наказание: ничья, так как соперник не может "
     "поставить мат."},
    {Phrase::white_wins, "Белые выиграли: {reason} (Статья {article})"},
    {Phrase::black_wins, "Чёрные выиграли: {reason} (Статья {article})"},
    {Phrase::draw, "Ничья: {reason} (Статья {article})"},
    {Phrase::draw_no_mate,
     "Ничья: {reason}, но соперник не может поставить мат "
     "(Статья {article})"},
    {Phrase::arbiter_decides, "Решает арбитр: {reason} (Статья {article})"},
    {Phrase::by_checkmate, "мат"},
    {Phrase::by_resignation, "сдача партии"},
    {Phrase::by_stalemate, "пат"},
    {Phrase::by_dead_position, "мёртвая позиция"},
    {Phrase::by_agreement, "соглашение игроков"},
    {Phrase::by_time, "просрочка времени"},
    {Phrase::by_illegal_moves, "невозможные ходы"},
    {Phrase::by_threefold, "троекратное повторение позиции"},
    {Phrase::by_fifty, "правило 50 ходов"},
    {Phrase::by_fivefold, "пятикратное повторение позиции"},
    {Phrase::by_seventyfive, "правило 75 ходов"},
    {Phrase::evidence_capture_inferred,
     "поле взятой фигуры ни разу не освобождалось; "
     "подходит только это взятие"},
    {Phrase::evidence_unseen,
     "ход виден не целиком: за доской не было наблюдения"},
    {Phrase::evidence_chosen, "ход указан арбитром"},
    {Phrase::evidence_told,
     "сделан до начала наблюдения за доской"},
    {Phrase::evidence_piece_named,
     "фигура превращения указана переключателем или "
     "арбитром"},
    {Phrase::evidence_piece_deduced,
     "фигура превращения установлена по её "
     "последующим ходам"},
    {Phrase::evidence_piece_open,
     "фигура превращения ещё не названа"},
    {Phrase::record_corrected, "(исправлено)"},
    {Phrase::record_piece_known, "(фигура теперь известна)"},
    {Phrase::record_shortened,
     "В записи теперь {half_moves}; остальное взято назад"},
    {Phrase::on_squares, " на {squares}"},
    {Phrase::list_and, " и "},
    {Phrase::list_or, " или "},
    {Phrase::list_more, "ещё {n}"},
}};

static_assert(in_order(russian_phrases));
static_assert(same_arguments(russian_phrases, english_phrases));

}  // namespace

constinit const Words russian_words{
    .phrases = russian_phrases,
    .white = {"Белые", "белые", "белых"},
    .black = {"Чёрные", "чёрные", "чёрных"},
    .unknown = {"Стороны", "стороны", "стороны"},
    .unknown_other = {"Соперники", "соперники", "соперника"},
    .minutes = {"{n} минуту", "{n} минуты", "{n} минут"},
    .seconds = {"{n} секунду", "{n} секунды", "{n} секунд"},
    .half_moves = {"{n} полуход", "{n} полухода", "{n} полуходов"},
};

}  // namespace touchmove::serve
