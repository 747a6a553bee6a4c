// words_en.hpp - decisions in English, against which the other languages are checked
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/serve/words.hpp"

namespace touchmove::serve {

inline constexpr PhraseTable english_phrases{{
    {Phrase::touch_move,
     "{Side} touched the man{on} and then moved otherwise; {other} may claim."},
    {Phrase::touch_move_4_3_3,
     "{Side} touched men of both colours and then neither took nor moved as that demands; "
     "{other} may claim."},
    {Phrase::touch_move_4_4_1,
     "{Side} touched king and rook and then did not castle on that side; {other} may claim."},
    {Phrase::touch_move_4_4_2,
     "{Side} touched the rook before the king, so castling with it was not open on this "
     "move; {other} may claim."},
    {Phrase::touch_move_4_4_3,
     "{Side} touched king and rook where castling is illegal and then did not move the "
     "king; {other} may claim."},
    {Phrase::released,
     "{Side} had released a man on its square and then played otherwise; {other} may claim."},
    {Phrase::released_4_7_2,
     "{Side} had released the king for castling and then moved otherwise; {other} may claim."},
    {Phrase::illegal_move, "{Side} completed an illegal move{at}."},
    {Phrase::pawn_not_exchanged,
     "{Side} left a pawn on the last rank{on} and pressed the clock, which is an illegal "
     "move."},
    {Phrase::press_without_move, "{Side} pressed the clock without having made a move."},
    {Phrase::adjust_not_permitted, "{Side} announced adjusting without having the move."},
    {Phrase::adjust_not_permitted_6_2_5,
     "{Side} announced adjusting while {side_gen} clock was not running."},
    {Phrase::two_hands,
     "{Side} may have used both hands for one move: two men left and arrived almost at once."},
    {Phrase::accidental,
     "Men{on} were brushed and stand again; this does not count as touching them."},
    {Phrase::displaced, "The men do not stand as the record has them{at}."},
    {Phrase::displaced_7_6,
     "What was played while the board was not watched cannot be told{at}; the men are to be "
     "put as recorded."},
    {Phrase::out_of_turn, "{Side} moved a man without having the move{at}."},
    {Phrase::ambiguous, "More than one move fits what was seen{choice}."},
    {Phrase::promotion_choice, "Promotion: which piece takes the place of {side_gen} pawn{on}?"},
    {Phrase::setup_suspect, "Men may have stood on the wrong squares from the start{at}."},
    {Phrase::setup_suspect_7_3, "The game may have begun with colours reversed{at}."},
    {Phrase::claim_correct,
     "The claim of a draw by {side} is correct: the position has occurred for the third "
     "time."},
    {Phrase::claim_correct_9_3,
     "The claim of a draw by {side} is correct: fifty moves by each side without a capture "
     "or a pawn move."},
    {Phrase::claim_wrong, "The claim of a draw by {side} is not correct."},
    {Phrase::claim_refused, "{Side} cannot claim a draw now, not having the move."},
    {Phrase::claim_refused_9_4,
     "{Side} touched a man and so lost the right to claim a draw on this move."},
    {Phrase::claim_refused_5_2_3,
     "A draw cannot be agreed before both players have made a move."},
    {Phrase::claim_refused_6_8, "No such flag has fallen on the clock of this game."},
    {Phrase::claim_refused_9_1, "There is no draw offer that could be accepted."},
    {Phrase::result_signal, "The kings were put on the centre squares{at}: has the game ended?"},
    {Phrase::flag, "The flag of {side} has fallen."},
    {Phrase::flag_6_3_1,
     "The time of {side} is used up; it counts once the arbiter observes it or the opponent "
     "claims."},
    {Phrase::arbiter, "The Laws leave this to the arbiter."},
    {Phrase::arbiter_6_9,
     "The flag fell while it was open what stood on the board; win or draw is for the "
     "arbiter to decide."},
    {Phrase::arbiter_9_5, "A draw was claimed with one move, and another one was made."},
    {Phrase::arbiter_7_5_1, "An illegal move was answered before it was completed{at}."},
    {Phrase::arbiter_4_4_3,
     "King and rook were touched where castling is illegal; whether castling was meant is "
     "for the arbiter to say."},
    {Phrase::arbiter_5_1_1, "The pawn was left where a queen would have given mate."},
    {Phrase::arbiter_5_1_2,
     "A player resigned while it was open what stood on the board, or whether the opponent "
     "can mate; loss or draw is for the arbiter to decide."},
    {Phrase::arbiter_5_2_1, "The pawn was left where a queen would have given stalemate."},
    {Phrase::arbiter_A_5_4,
     "Both kings are in check, and were so a move before; nobody claimed, and the arbiter "
     "may declare a draw."},
    {Phrase::due, " Due: {moves}."},
    {Phrase::penalty_time, " Penalty: {other} gets {time} more."},
    {Phrase::penalty_loss, " Penalty: loss of the game."},
    {Phrase::penalty_draw, " Penalty: a draw, since the opponent cannot mate."},
    {Phrase::white_wins, "White wins by {reason} (Article {article})"},
    {Phrase::black_wins, "Black wins by {reason} (Article {article})"},
    {Phrase::draw, "Draw by {reason} (Article {article})"},
    {Phrase::draw_no_mate, "Draw: {reason}, but the opponent cannot mate (Article {article})"},
    {Phrase::arbiter_decides, "For the arbiter to decide: {reason} (Article {article})"},
    {Phrase::by_checkmate, "checkmate"},
    {Phrase::by_resignation, "resignation"},
    {Phrase::by_stalemate, "stalemate"},
    {Phrase::by_dead_position, "dead position"},
    {Phrase::by_agreement, "agreement"},
    {Phrase::by_time, "time"},
    {Phrase::by_illegal_moves, "illegal moves"},
    {Phrase::by_threefold, "threefold repetition"},
    {Phrase::by_fifty, "the 50-move rule"},
    {Phrase::by_fivefold, "fivefold repetition"},
    {Phrase::by_seventyfive, "the 75-move rule"},
    {Phrase::evidence_capture_inferred,
     "the square of the man taken never read empty; only this capture fits"},
    {Phrase::evidence_unseen, "not all of it was seen: the board was not watched"},
    {Phrase::evidence_chosen, "the arbiter said which move it was"},
    {Phrase::evidence_told, "made before the board was watched"},
    {Phrase::evidence_piece_named, "the new piece was named at the selector or by the arbiter"},
    {Phrase::evidence_piece_deduced, "the new piece is known by what it did later"},
    {Phrase::evidence_piece_open, "the promoted piece is not named yet"},
    {Phrase::record_corrected, "(corrected)"},
    {Phrase::record_piece_known, "(the piece is known now)"},
    {Phrase::record_shortened, "The record has {half_moves} now; the rest was taken back"},
    {Phrase::on_squares, " on {squares}"},
    {Phrase::list_and, " and "},
    {Phrase::list_or, " or "},
    {Phrase::list_more, "{n} more"},
}};

}  // namespace touchmove::serve
