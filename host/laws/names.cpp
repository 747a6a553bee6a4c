// names.cpp - the vocabulary of decisions as text
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "host/laws/decision.hpp"

namespace touchmove::laws {

std::string_view name_of(ReportKind kind) noexcept {
    switch (kind) {
        case ReportKind::touch_move:
            return "touch_move";
        case ReportKind::released:
            return "released";
        case ReportKind::illegal_move:
            return "illegal_move";
        case ReportKind::pawn_not_exchanged:
            return "pawn_not_exchanged";
        case ReportKind::press_without_move:
            return "press_without_move";
        case ReportKind::adjust_not_permitted:
            return "adjust_not_permitted";
        case ReportKind::two_hands:
            return "two_hands";
        case ReportKind::accidental:
            return "accidental";
        case ReportKind::displaced:
            return "displaced";
        case ReportKind::out_of_turn:
            return "out_of_turn";
        case ReportKind::ambiguous:
            return "ambiguous";
        case ReportKind::promotion_choice:
            return "promotion_choice";
        case ReportKind::setup_suspect:
            return "setup_suspect";
        case ReportKind::claim_correct:
            return "claim_correct";
        case ReportKind::claim_wrong:
            return "claim_wrong";
        case ReportKind::claim_refused:
            return "claim_refused";
        case ReportKind::result_signal:
            return "result_signal";
        case ReportKind::flag:
            return "flag";
        case ReportKind::arbiter:
            return "arbiter";
    }
    return "";
}

std::string_view name_of(Score score) noexcept {
    switch (score) {
        case Score::white_wins:
            return "1-0";
        case Score::black_wins:
            return "0-1";
        case Score::draw:
            return "1/2-1/2";
        case Score::open_to_arbiter:
            return "?";
    }
    return "";
}

std::string_view name_of(Evidence evidence) noexcept {
    switch (evidence) {
        case Evidence::seen:
            return "seen";
        case Evidence::capture_inferred:
            return "capture_inferred";
        case Evidence::unseen:
            return "unseen";
        case Evidence::chosen:
            return "chosen";
        case Evidence::told:
            return "told";
    }
    return "";
}

std::string_view name_of(PieceEvidence evidence) noexcept {
    switch (evidence) {
        case PieceEvidence::none:
            return "";
        case PieceEvidence::named:
            return "piece_named";
        case PieceEvidence::deduced:
            return "piece_deduced";
    }
    return "";
}

std::string RecordedMove::evidence_text() const {
    std::string text(name_of(evidence));
    if (piece_evidence != PieceEvidence::none) {
        text += '+';
        text += name_of(piece_evidence);
    }
    return text;
}

std::string RecordedMove::uci() const {
    if (kind_known) return move.uci();
    return move.from().name() + move.to().name() + "?";
}

}  // namespace touchmove::laws
