// live_game.cpp - one board as others see it: record, men, clocks, open questions
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/live_game.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cassert>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "host/chess/san.hpp"
#include "host/serve/report_text.hpp"

namespace touchmove::serve {
namespace {

namespace json = boost::json;
using chess::Color;
using chess::Square;
using laws::ReportKind;

// A reader runs the clock on by itself; beyond this difference it is told anew. Delay and Bronstein
// hold a clock still while it "runs", which costs two messages a second.
constexpr Millis clock_tolerance{500};

// Reports kept for the arbiter; older ones that are closed are dropped.
constexpr std::size_t reports_kept = 100;

// What can answer an open report.
enum Closer : unsigned {
    by_next_move = 1U << 0U,
    by_piece_named = 1U << 1U,
    by_men_in_place = 1U << 2U,
    by_restored = 1U << 3U,
    by_resumed = 1U << 4U,
    by_record_shortened = 1U << 5U,
    by_result = 1U << 6U,
    by_touch = 1U << 7U,  ///< of the side to move (4.8)
};

// None: a note, never open.
unsigned closers(ReportKind kind) {
    constexpr unsigned any_end = by_result | by_record_shortened;
    switch (kind) {
        case ReportKind::touch_move:
        case ReportKind::released:
            return by_touch | by_next_move | by_restored | any_end;
        case ReportKind::ambiguous:
        case ReportKind::setup_suspect:
            return by_next_move | by_restored | any_end;
        case ReportKind::illegal_move:
        case ReportKind::pawn_not_exchanged:
        case ReportKind::press_without_move:
        case ReportKind::flag:
        case ReportKind::claim_wrong:
        case ReportKind::arbiter:
            return by_next_move | by_restored | by_resumed | any_end;
        case ReportKind::displaced:
        case ReportKind::out_of_turn:
        case ReportKind::result_signal:
            return by_men_in_place | by_restored | any_end;
        case ReportKind::promotion_choice:
            return by_piece_named | any_end;
        case ReportKind::claim_correct:
            return by_result;
        case ReportKind::adjust_not_permitted:
        case ReportKind::two_hands:
        case ReportKind::accidental:
        case ReportKind::claim_refused:
            return 0;
    }
    return 0;
}

std::string_view name_of(Color color) {
    return color == Color::white ? "white" : "black";
}

json::value optional_side(std::optional<Color> side) {
    return side ? json::value(name_of(*side)) : json::value(nullptr);
}

json::value optional_ms(std::optional<Millis> time) {
    return time ? json::value(time->count()) : json::value(nullptr);
}

json::array squares_of(chess::Bitboard squares) {
    json::array names;
    for (unsigned i = 0; i < chess::square_count; ++i) {
        const Square square(i);
        if ((squares & square.bit()) != 0) names.emplace_back(square.name());
    }
    return names;
}

std::string_view link_name(LinkState state) {
    switch (state) {
        case LinkState::connected:
            return "connected";
        case LinkState::lost:
            return "lost";
        case LinkState::replayed:
            return "replayed";
    }
    return {};
}

std::string_view result_tag(const std::optional<laws::GameResult>& result) {
    if (!result || result->score == laws::Score::open_to_arbiter) return "*";
    return laws::name_of(result->score);
}

// PGN's Termination tag (PGN standard, 9.8.1).
std::string_view termination(const std::optional<laws::GameResult>& result) {
    if (result_tag(result) == "*") return "unterminated";
    if (result->reason == "time") return "time forfeit";
    if (result->reason == "illegal_moves") return "rules infraction";
    return "normal";
}

std::string period_text(const laws::ClockPeriod& period, Millis extra, char sign) {
    std::string text;
    if (period.moves) text = fmt::format("{}/", *period.moves);
    text += fmt::format("{}", period.base.count() / 1000);
    if (extra.count() > 0) text += fmt::format("{}{}", sign, extra.count() / 1000);
    return text;
}

}  // namespace

std::string time_control_tag(const laws::ClockSetup& clock) {
    if (clock.mode == laws::ClockMode::none || clock.periods.empty()) return "-";
    const auto extra = clock.mode == laws::ClockMode::sudden ? Millis{0} : clock.extra;
    const char sign = clock.mode == laws::ClockMode::fischer ? '+' : 'd';
    std::string text;
    for (const auto& period : clock.periods) {
        if (!text.empty()) text += ':';
        text += period_text(period, extra, sign);
    }
    return text;
}

LiveGame::LiveGame(GameInfo info, const laws::GameSetup& setup, Language language)
    : info_(std::move(info)),
      language_(language),
      positions_{setup.start},
      moves_before_(setup.before.size()),
      occupied_(setup.start.occupied()) {
    for (std::size_t ply = 0; ply < setup.before.size(); ++ply) {
        const laws::RecordedMove recorded{
            .move = setup.before[ply], .completed = true, .evidence = laws::Evidence::told};
        set_move(ply, recorded, true);
    }
    occupied_ = position().occupied();
}

void LiveGame::touch(unsigned parts) noexcept {
    for (auto& pending : pending_)
        pending.parts |= parts;
}

void LiveGame::touch_moves(std::size_t from) noexcept {
    for (auto& pending : pending_) {
        pending.moves_from =
            (pending.parts & part_moves) != 0 ? std::min(pending.moves_from, from) : from;
    }
    touch(part_moves | part_men);
}

void LiveGame::on_input(DeviceTime at, const laws::Input& input) {
    const auto set_offer = [this](std::optional<Color> side) {
        if (offer_ == side) return;
        offer_ = side;
        touch(part_players);
    };
    const auto set_paused = [this](bool paused) {
        if (paused_ == paused) return;
        paused_ = paused;
        touch(part_status);
    };
    if (const auto* lift = std::get_if<laws::SquareLifted>(&input)) {
        const auto man = position().man_at(lift->square);
        // An offer lives until the opponent touches a man with the intention of moving (9.1.2.1).
        if (offer_ && man && man->color != *offer_ && position().side_to_move() != *offer_) {
            set_offer(std::nullopt);
        }
        const bool announced = adjusting_[0] || adjusting_[1];
        if (!announced && !paused_ && man && man->color == position().side_to_move())
            close_reports(at, by_touch);
        occupied_ &= ~lift->square.bit();
        board_changed(at);
    } else if (const auto* place = std::get_if<laws::SquarePlaced>(&input)) {
        occupied_ |= place->square.bit();
        board_changed(at);
    } else if (const auto* seen = std::get_if<laws::BoardSeen>(&input)) {
        occupied_ = seen->occupied;
        board_changed(at);
    } else if (std::holds_alternative<laws::LeverPressed>(input)) {
        last_press_ = at;
    } else if (const auto* offer = std::get_if<laws::DrawOffered>(&input)) {
        set_offer(offer->side);
    } else if (const auto* claim = std::get_if<laws::DrawClaimed>(&input)) {
        set_offer(claim->side);  // 9.1.2.3
    } else if (std::holds_alternative<laws::DrawAccepted>(input)) {
        set_offer(std::nullopt);
    } else if (const auto* declined = std::get_if<laws::DrawDeclined>(&input)) {
        if (offer_ != declined->side) set_offer(std::nullopt);  // no offer can be withdrawn
    } else if (const auto* announced = std::get_if<laws::AdjustAnnounced>(&input)) {
        set_adjusting(announced->side, true);
    } else if (const auto* ended = std::get_if<laws::AdjustEnded>(&input)) {
        set_adjusting(ended->side, false);
    } else if (std::holds_alternative<laws::ClocksPaused>(input)) {
        set_paused(true);
    } else if (std::holds_alternative<laws::ClocksResumed>(input)) {
        set_paused(false);
        close_reports(at, by_resumed);
    } else if (std::holds_alternative<laws::PositionRestored>(input)) {
        close_reports(at, by_restored);
    } else if (std::holds_alternative<laws::PromotionNamed>(input)) {
        close_reports(at, by_piece_named);
    }
}

void LiveGame::set_adjusting(Color side, bool adjusting) {
    if (std::exchange(adjusting_[chess::index_of(side)], adjusting) != adjusting) {
        touch(part_players);
    }
}

void LiveGame::board_changed(DeviceTime at) {
    touch(part_men);
    if (occupied_ == position().occupied()) close_reports(at, by_men_in_place);
}

void LiveGame::on_decision(const laws::Decision& decision) {
    const auto at = decision.at;
    const auto play = [&](std::size_t ply, const laws::RecordedMove& move, bool published) {
        set_move(ply, move, published);
        close_reports(at, by_next_move);
        if (move.kind_known && move.move.promotion()) close_reports(at, by_piece_named);
        if (occupied_ == position().occupied()) close_reports(at, by_men_in_place);
    };
    if (const auto* shown = std::get_if<laws::MoveShown>(&decision.what)) {
        play(shown->ply, shown->move, false);
    } else if (const auto* withdrawn = std::get_if<laws::ShownWithdrawn>(&decision.what)) {
        truncate(withdrawn->ply);
    } else if (const auto* published = std::get_if<laws::MovePublished>(&decision.what)) {
        play(published->ply, published->move, true);
        set_adjusting(positions_[published->ply].side_to_move(), false);
    } else if (const auto* completed = std::get_if<laws::MoveCompleted>(&decision.what)) {
        set_move(completed->ply, completed->move, true);
    } else if (const auto* known = std::get_if<laws::PromotionKnown>(&decision.what)) {
        set_move(known->ply, known->move, true);
        close_reports(at, by_piece_named);
    } else if (const auto* corrected = std::get_if<laws::MoveCorrected>(&decision.what)) {
        play(corrected->ply, corrected->move, true);
    } else if (const auto* shortened = std::get_if<laws::RecordShortened>(&decision.what)) {
        truncate(shortened->ply);
        close_reports(at, by_record_shortened);
        if (result_) {  // a provisional one
            result_.reset();
            record_changed_ = true;
            touch(part_result | part_players);
        }
    } else if (const auto* reported = std::get_if<laws::Reported>(&decision.what)) {
        add_report(at, reported->report);
    } else if (const auto* ended = std::get_if<laws::GameEnded>(&decision.what)) {
        result_ = ended->result;
        record_changed_ = true;
        offer_.reset();
        touch(part_result | part_players);
        const bool final = ended->result.score != laws::Score::open_to_arbiter;
        if (final && !ended->result.provisional) close_reports(at, by_result);
    }
}

void LiveGame::set_move(std::size_t ply, const laws::RecordedMove& move, bool published) {
    assert(ply <= moves_.size());
    const bool replaces = ply < moves_.size();
    const bool same = replaces && moves_[ply].recorded.move == move.move;
    const bool was_published = replaces && moves_[ply].published;
    if (replaces && !same && was_published && ply + 1 < moves_.size()) {
        // A correction in the midst of the record: the moves that follow are kept, their notation
        // and legality are worked out again.
        auto rest = std::vector<MoveView>(moves_.begin() + static_cast<std::ptrdiff_t>(ply) + 1,
                                          moves_.end());
        truncate(ply);
        set_move(ply, move, published);
        for (const auto& view : rest)
            set_move(moves_.size(), view.recorded, view.published);
        return;
    }
    if (replaces && !same) truncate(ply);
    if (!same) {
        const auto& before = positions_[ply];
        moves_.push_back({move, {}, before.is_legal(move.move), published, std::nullopt});
        auto after = before;
        if (before.man_at(move.move.from())) after.make(move.move);
        positions_.push_back(after);
    }
    auto& view = moves_[ply];
    view.recorded = move;
    view.published = published || was_published;
    if (!view.legal) {
        view.san = move.uci();
    } else {
        view.san = chess::to_san(positions_[ply], move.move);
        // The letter stands for a piece that is not known: "a8=Q+" becomes "a8=?".
        const auto sign = view.san.find('=');
        if (!move.kind_known && sign != std::string::npos) {
            view.san.resize(sign + 1);
            view.san += '?';
        }
    }
    rework_times(ply);
    touch_moves(ply);
    if (view.published) record_changed_ = true;
}

void LiveGame::truncate(std::size_t ply) {
    if (ply >= moves_.size()) return;
    const auto gone = moves_.begin() + static_cast<std::ptrdiff_t>(ply);
    if (std::any_of(gone, moves_.end(), [](const MoveView& each) { return each.published; })) {
        record_changed_ = true;
    }
    moves_.erase(gone, moves_.end());
    positions_.erase(positions_.begin() + static_cast<std::ptrdiff_t>(ply) + 1, positions_.end());
    touch_moves(ply);
}

std::optional<DeviceTime> LiveGame::turn_began(std::size_t ply) const noexcept {
    if (ply == moves_before_) return clock_started_;
    if (ply < moves_before_) return std::nullopt;
    const auto& previous = moves_[ply - 1].recorded;
    return previous.pressed_at ? *previous.pressed_at : previous.made_at;
}

void LiveGame::rework_times(std::size_t from) {
    for (auto ply = from; ply < moves_.size(); ++ply) {
        auto& view = moves_[ply];
        view.spent.reset();
        const auto began = turn_began(ply);
        if (!began || ply < moves_before_) continue;
        const auto& move = view.recorded;
        const auto ended = move.pressed_at ? *move.pressed_at : move.made_at;
        auto spent = ended - *began;
        for (const auto& stop : stops_) {
            const auto overlap = std::min(ended, stop.to) - std::max(*began, stop.from);
            spent -= std::max(overlap, Micros{0});
        }
        view.spent = std::chrono::duration_cast<Millis>(std::max(spent, Micros{0}));
    }
}

void LiveGame::on_clock(const ClockView& clock) {
    // The press that started the clock is known more exactly than the instant when it was seen.
    if (clock.running && !clock_started_) clock_started_ = last_press_.value_or(clock.at);
    if (clock_started_ && !clock.running && !clock_stopped_) clock_stopped_ = clock.at;
    if (clock.running && clock_stopped_) {
        stops_.push_back({*clock_stopped_, clock.at});
        clock_stopped_.reset();
    }
    clock_ = clock;
    for (auto& pending : pending_) {
        const auto& sent = pending.clock_sent;
        bool due = sent.running != clock.running;
        for (const auto side : {Color::white, Color::black}) {
            const auto i = chess::index_of(side);
            due = due || sent.left[i].has_value() != clock.left[i].has_value();
            if (due || !clock.left[i]) continue;
            auto expected = *sent.left[i];
            if (sent.running == side) {
                expected -= std::chrono::duration_cast<Millis>(clock.at - sent.at);
            }
            due = std::abs((expected - *clock.left[i]).count()) >= clock_tolerance.count();
        }
        if (due) pending.parts |= part_clock;
    }
}

void LiveGame::on_stories(std::size_t open) {
    if (open == stories_) return;
    stories_ = open;
    touch(part_stories);
}

void LiveGame::on_link(LinkState state, std::string why) {
    if (state == link_ && why == link_why_) return;
    link_ = state;
    link_why_ = std::move(why);
    touch(part_status);
}

void LiveGame::add_report(DeviceTime at, const laws::Report& report) {
    ReportView view{next_report_++, report, at, closers(report.kind) != 0 && !result_, {}, {}};
    // Written down at once: the moves can be named only while their position stands.
    view.text = sentence(
        report, [this](laws::Move move) { return name_of_move(move); }, language_);
    for (const auto move : report.candidates)
        view.candidates.push_back(name_of_move(move));
    reports_.push_back(std::move(view));
    if (reports_.size() > reports_kept) {
        const auto closed = std::find_if(reports_.begin(), reports_.end(),
                                         [](const ReportView& each) { return !each.open; });
        if (closed != reports_.end()) reports_.erase(closed);
    }
    touch(part_reports);
}

void LiveGame::close_reports(DeviceTime at, unsigned events) {
    for (auto& view : reports_) {
        // What happens at the instant of the report belongs to what is reported.
        if (!view.open || view.at >= at || (closers(view.report.kind) & events) == 0) continue;
        view.open = false;
        touch(part_reports);
    }
}

bool LiveGame::take_record_changed() noexcept {
    return std::exchange(record_changed_, false);
}

std::string LiveGame::name_of_move(laws::Move move) const {
    // Duties and candidates belong to the turn in hand or to the one just finished.
    if (position().is_legal(move)) return chess::to_san(position(), move);
    if (positions_.size() > 1) {
        const auto& before = positions_[positions_.size() - 2];
        if (before.is_legal(move)) return chess::to_san(before, move);
    }
    return move.uci();
}

std::string LiveGame::state_message(Audience audience) const {
    return message(audience, part_all, 0, true);
}

std::optional<std::string> LiveGame::take_change(Audience audience) {
    auto& pending = pending_[static_cast<std::size_t>(audience)];
    auto parts = pending.greeted ? pending.parts : part_all;
    if (audience == Audience::viewer) parts &= part_reports - 1U;
    const bool whole = !std::exchange(pending.greeted, true);
    pending.parts = 0;
    if (parts == 0) return std::nullopt;
    if ((parts & part_clock) != 0) pending.clock_sent = clock_;
    return message(audience, parts, whole ? 0 : pending.moves_from, whole);
}

std::string LiveGame::message(Audience audience, unsigned parts, std::size_t moves_from,
                              bool whole) const {
    const bool arbiter = audience == Audience::arbiter;
    json::object out;
    out["type"] = whole ? "state" : "change";
    out["board"] = info_.board;
    out["game"] = info_.game_id;
    if (whole) {
        out["white"] = info_.white;
        out["black"] = info_.black;
        out["event"] = info_.event;
        out["site"] = info_.site;
        out["round"] = info_.round;
        out["date"] = info_.date;
        out["time_control"] = info_.time_control;
        out["start"] = positions_.front().fen();
    }
    if ((parts & part_men) != 0) {
        const auto expected = position().occupied();
        out["fen"] = position().board_fen();
        out["turn"] = name_of(position().side_to_move());
        out["off"] = squares_of(expected & ~occupied_);
        out["extra"] = squares_of(occupied_ & ~expected);
    }
    if ((parts & part_moves) != 0) {
        json::array list;
        for (auto ply = moves_from; ply < moves_.size(); ++ply) {
            const auto& view = moves_[ply];
            json::object move;
            move["san"] = view.san;
            move["uci"] = view.recorded.uci();
            move["fen"] = positions_[ply + 1].board_fen();
            move["state"] = !view.published           ? "shown"
                            : !arbiter                ? "published"
                            : view.recorded.completed ? "completed"
                                                      : "made";
            move["clk_ms"] = optional_ms(view.recorded.clock_left);
            move["emt_ms"] = optional_ms(view.spent);
            if (!view.legal) move["legal"] = false;
            if (arbiter) {
                move["evidence"] = view.recorded.evidence_text();
                if (auto why = evidence_note(view.recorded, language_); !why.empty()) {
                    move["why"] = std::move(why);
                }
            }
            list.push_back(std::move(move));
        }
        out["moves"] = json::object{{"from", moves_from}, {"list", std::move(list)}};
    }
    if ((parts & part_clock) != 0) {
        out["clock"] = json::object{{"white_ms", optional_ms(clock_.left[0])},
                                    {"black_ms", optional_ms(clock_.left[1])},
                                    {"running", optional_side(clock_.running)}};
    }
    if ((parts & part_result) != 0) {
        if (result_) {
            out["result"] = json::object{{"score", laws::name_of(result_->score)},
                                         {"reason", result_->reason},
                                         {"article", result_->article},
                                         {"provisional", result_->provisional},
                                         {"text", sentence(*result_, language_)}};
        } else {
            out["result"] = nullptr;
        }
    }
    if ((parts & part_status) != 0) {
        out["paused"] = paused_;
        json::object link{{"state", link_name(link_)}};
        if (arbiter) link["why"] = link_why_;
        out["link"] = std::move(link);
    }
    if (!arbiter) return json::serialize(out);

    if ((parts & part_players) != 0) {
        out["offer"] = optional_side(offer_);
        json::array adjusting;
        for (const auto side : {Color::white, Color::black}) {
            if (adjusting_[chess::index_of(side)]) adjusting.emplace_back(name_of(side));
        }
        out["adjusting"] = std::move(adjusting);
    }
    if ((parts & part_stories) != 0) out["stories"] = stories_;
    if ((parts & part_reports) != 0) {
        json::array list;
        for (const auto& view : reports_) {
            json::array squares;
            for (const auto square : view.report.squares)
                squares.emplace_back(square.name());
            json::array candidates;
            for (std::size_t i = 0; i < view.candidates.size(); ++i) {
                candidates.push_back(json::object{{"uci", view.report.candidates[i].uci()},
                                                  {"san", view.candidates[i]}});
            }
            list.push_back(json::object{{"number", view.number},
                                        {"open", view.open},
                                        {"kind", laws::name_of(view.report.kind)},
                                        {"article", view.report.article},
                                        {"side", optional_side(view.report.side)},
                                        {"at_ms", to_us(view.at) / 1000},
                                        {"squares", std::move(squares)},
                                        {"candidates", std::move(candidates)},
                                        {"text", view.text}});
        }
        out["reports"] = std::move(list);
    }
    return json::serialize(out);
}

chess::PgnGame LiveGame::pgn() const {
    const auto known = [](const std::string& text, const char* otherwise) {
        return text.empty() ? std::string(otherwise) : text;
    };
    const std::string result(result_tag(result_));
    chess::PgnGame game;
    game.start = positions_.front();
    game.result = result;
    game.tags = {{"Event", known(info_.event, "?")},
                 {"Site", known(info_.site, "?")},
                 {"Date", known(info_.date, "????.??.??")},
                 {"Round", known(info_.round, "?")},
                 {"White", known(info_.white, "?")},
                 {"Black", known(info_.black, "?")},
                 {"Result", result},
                 {"Board", known(info_.board, "?")},
                 {"GameId", info_.game_id},
                 {"TimeControl", known(info_.time_control, "?")},
                 {"Termination", std::string(termination(result_))}};
    if (result_ && result != "*") {
        game.tags.emplace_back("TerminationDetails", sentence(*result_, Language::en));
    }
    std::string unreadable;
    for (const auto& view : moves_) {
        if (!view.published) break;
        if (!view.legal || !unreadable.empty()) {
            if (!unreadable.empty()) unreadable += ' ';
            unreadable += view.recorded.uci();
            continue;
        }
        chess::PgnMove move{view.recorded.move, view.recorded.clock_left, view.spent};
        if (is_worth_telling(view.recorded)) {
            move.comment = evidence_note(view.recorded, Language::en);
        }
        game.moves.push_back(std::move(move));
    }
    if (!unreadable.empty() && game.moves.empty()) {
        game.tags.emplace_back("IllegalFromStart", unreadable);
    } else if (!unreadable.empty()) {
        auto& comment = game.moves.back().comment;
        if (!comment.empty()) comment += "; ";
        comment += "an illegal move follows, the game went on: " + unreadable;
    }
    return game;
}

}  // namespace touchmove::serve
