// What the verdicts of a run of records depend on. See also weighted.cpp (exact) and samples.cpp (estimates).
#include "lang/value/limit_message.hpp"
#include "runtime/analysis/analysis_impl.hpp"
#include "runtime/analysis/weighted.hpp"
#include "runtime/engine/references.hpp"
#include "runtime/json/json_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_set>

namespace assay {

namespace {

// Results that occur in a run.
struct Seen {
  std::vector<std::set<int>> rows;           // by ladder
  std::set<int> passed, failed;              // gates
  std::set<std::string> flags, adjustments;  // names
};

void constant_texts(const Expr* e, const TypeTable& types, std::set<std::string>& texts, int level = 0) {
  constexpr int kDeepest = 40;
  if (e == nullptr || level > kDeepest) return;
  if (e->op == Op::choice || e->op == Op::make_record) {
    const Expr* const name = e->args.empty() ? nullptr : e->args[0];
    if (name != nullptr && name->op == Op::constant && types.kind(name->type) == TypeKind::text &&
        !name->value.missing())
      texts.insert(std::string(name->value.text.view()));
    if (e->op == Op::make_record) return;
    constant_texts(name, types, texts, level + 1);
    return;
  }
  for (const Expr* arg : e->args) constant_texts(arg, types, texts, level + 1);
}

class Gathering {
 public:
  Gathering(Probe& probe, NumberPool& pool, Arena& arena)
      : probe_(probe),
        pool_(pool),
        arena_(arena),
        boxes_(probe.model(), probe.rubric_index()),
        raw_(raw_score(probe.rubric())),
        ladders_(band_ladders(probe.model(), probe.rubric())) {
    seen_.rows.resize(ladders_.size());
    const RubricModel& rubric = probe.rubric();
    m_.model = &probe.model();
    m_.rubric = &rubric;
    m_.decimals = raw_.decimals;
    m_.unit = kMissing;
    if (m_.decimals >= 0) {
      m_.unit = whole(1);
      for (int i = 0; i < m_.decimals; ++i) m_.unit = div(m_.unit, whole(10), pool);
    }
    for (const BandLadder& ladder : ladders_) {
      if (ladder.ordered && ladder.key == raw_.item && m_.ladder.labels.empty()) m_.ladder = ladder;
    }
    find_edges();
    composite_ = probe.find_step("composite");
    down_ = probe.find_step("deducted");
    up_ = probe.find_step("added");
    Number total = whole(0);
    for (const DimensionModel& d : rubric.dimensions) {
      if (d.weight >= 0) total = add(total, probe.weight(d.weight), pool);
    }
    total_ = total;
    for (const DimensionModel& d : rubric.dimensions) {
      if (d.weight < 0 || d.contribution < 0) continue;
      weighted_.push_back(&d);
      const Number w = probe.weight(d.weight);
      m_.names.push_back(d.name);
      m_.shares.push_back(sign(total) == 0 ? whole(0) : div(w, total, pool));
      m_.per_unit.push_back(d.points ? 1.0 : to_double(w));
    }
    for (std::size_t i = 0; i < rubric.weighting.weights.size(); ++i)
      weights_.push_back(probe.weight(static_cast<int>(i)));
  }

  // Why weights cannot be analysed; empty: they can.
  std::string cannot() const {
    if (m_.names.empty() || raw_.item < 0 || composite_ < 0) return "the rubric has no weighted dimensions";
    if (m_.names.size() < 2) return "there is one weighted dimension only";
    const Item& composite = probe_.rubric().items[static_cast<std::size_t>(composite_)];
    if (composite.source.begin != composite.source.end)
      return "the composite is a formula of its own, not the weighted sum of the dimensions";
    return {};
  }

  void add_record(Sensitivity& answer) {
    const RubricModel& rubric = probe_.rubric();
    for (std::size_t i = 0; i < ladders_.size(); ++i) {
      std::int64_t row = -1;
      const Value& value = probe_.item(ladders_[i].row_item);
      if (!value.missing() && to_int64(value.number, row)) seen_.rows[i].insert(static_cast<int>(row));
    }
    for (std::size_t i = 0; i < rubric.items.size(); ++i) {
      if (rubric.items[i].kind != ItemKind::gate) continue;
      const Value& v = probe_.item(static_cast<int>(i));
      if (!v.missing()) (v.boolean.truth != 0 ? seen_.passed : seen_.failed).insert(static_cast<int>(i));
    }
    for (const char* list : {"flags", "deductions", "bonuses"}) {
      const int item = probe_.find_step(list);
      if (item < 0 || probe_.item(item).missing()) continue;
      const ListValue entries = probe_.item(item).list;
      for (std::uint32_t i = 0; i < entries.size; ++i) {
        const bool flag = std::string_view(list) == "flags";
        const Value& name = flag ? entries.items[i] : entries.items[i].record.fields[0];
        (flag ? seen_.flags : seen_.adjustments).insert(std::string(name.text.view()));
      }
    }
    if (!cannot().empty() || !probe_.ranked()) {
      if (cannot().empty()) answer.left_out.push_back(name() + ": it is not eligible");
      return;
    }
    weigh(answer);
  }

  WeightedModel& model() { return m_; }

  // Other values that depend on weights are held fixed. The ranking keys after the score break ties if they do not
  // depend on weights.
  void dependences(Sensitivity& answer) {
    if (!cannot().empty()) return;
    const RubricModel& rubric = probe_.rubric();
    around_composite(whole(0), whole(0));
    const auto depends = [&](int item) { return item >= 0 && boxes_.depends(item); };
    for (std::size_t i = 0; i < rubric.items.size(); ++i) {
      const Item& item = rubric.items[i];
      if (item.kind == ItemKind::gate && depends(static_cast<int>(i))) answer.taken.push_back("gate " + item.name);
    }
    if (depends(down_)) answer.taken.emplace_back("deductions");
    if (depends(up_)) answer.taken.emplace_back("bonuses");
    if (conditional(raw_.exact, 0)) answer.taken.emplace_back("caps of the score");
    for (std::size_t k = 0; k < rubric.rank.size(); ++k) {
      const RankModel& key = rubric.rank[k];
      const Expr* body = rubric.items[static_cast<std::size_t>(key.item)].body;
      if (k == 0) {
        m_.ranked = key.higher && body != nullptr && body->op == Op::item && static_cast<int>(body->index) == raw_.item;
        continue;
      }
      if (depends(key.item)) {
        const std::string& name = rubric.items[static_cast<std::size_t>(key.item)].name;
        answer.taken.push_back("ranking key " + name.substr(name.rfind("rank ", 0) == 0 ? 5 : 0) +
                               ": records that only it tells apart are level");
        break;
      }
      m_.tie_keys.push_back(k);
    }
  }

  void never(Sensitivity& answer) const {
    const RubricModel& rubric = probe_.rubric();
    for (std::size_t i = 0; i < ladders_.size(); ++i) {
      for (std::size_t row = 0; row < ladders_[i].labels.size(); ++row) {
        if (seen_.rows[i].count(static_cast<int>(row)) == 0)
          answer.never.push_back("band " + ladders_[i].name + " \"" + ladders_[i].labels[row] + "\", row " +
                                 std::to_string(row + 1));
      }
    }
    for (std::size_t i = 0; i < rubric.items.size(); ++i) {
      const Item& item = rubric.items[i];
      if (item.kind == ItemKind::gate && seen_.failed.count(static_cast<int>(i)) == 0)
        answer.never.push_back("gate " + item.name + " never fails");
      if (item.kind == ItemKind::gate && seen_.passed.count(static_cast<int>(i)) == 0)
        answer.never.push_back("gate " + item.name + " never holds");
    }
    const auto names = [&](const char* list, const std::string& word, const std::set<std::string>& seen) {
      const int item = probe_.find_step(list);
      std::set<std::string> all;
      if (item >= 0) constant_texts(rubric.items[static_cast<std::size_t>(item)].body, probe_.model().types, all);
      for (const std::string& one : all) {
        if (seen.count(one) == 0) answer.never.push_back(word + " " + one);
      }
    };
    names("flags", "flag", seen_.flags);
    names("deductions", "deduction", seen_.adjustments);
    names("bonuses", "bonus", seen_.adjustments);
  }

 private:
  std::string name() const {
    return probe_.id().empty() ? "record " + std::to_string(m_.records.size() + 1) : probe_.id();
  }

  // The raw scores from which the next row of the ladder answers, within the scale.
  void find_edges() {
    const Interval& scale = probe_.rubric().scale.range;
    for (std::size_t i = 0; i < m_.ladder.thresholds.size(); ++i) {
      Number edge = m_.ladder.thresholds[i];
      if (edge.missing()) continue;
      if (!m_.unit.missing()) {  // the least score of the row, and the least number that rounds to it
        const Number position = div(edge, m_.unit, pool_);
        Number steps = round_to(position, 0, Rounding::ceil, pool_);
        if (m_.ladder.open[i] && compare(steps, position) == 0) steps = add(steps, whole(1), pool_);
        edge = mul(sub(steps, div(whole(1), whole(2), pool_), pool_), m_.unit, pool_);
      }
      if (!scale.low.missing() && compare(edge, scale.low) <= 0) continue;
      if (!scale.high.missing() && compare(edge, scale.high) > 0) continue;
      m_.edges.push_back(edge);
    }
    std::sort(m_.edges.begin(), m_.edges.end(), [](Number a, Number b) { return compare(a, b) < 0; });
  }

  // The row for a score, ignoring everything else; -1: none.
  int row_of(Number score) const {
    int row = -1;
    for (std::size_t i = 0; i < m_.ladder.thresholds.size(); ++i) {
      const Number edge = m_.ladder.thresholds[i];
      if (!edge.missing() && compare(score, edge) < (m_.ladder.open[i] ? 1 : 0)) continue;
      const Number best = row < 0 ? kMissing : m_.ladder.thresholds[static_cast<std::size_t>(row)];
      if (row < 0 || best.missing() || (!edge.missing() && compare(edge, best) > 0)) row = static_cast<int>(i);
    }
    return row;
  }

  // The box of the record in which only the composite varies.
  void around_composite(Number low, Number high) {
    boxes_.rebase(&probe_.slot(0), probe_.items(), weights_, std::vector<bool>(probe_.rubric().slots.size(), false));
    auto box = std::make_shared<Box>();
    const Item& composite = probe_.rubric().items[static_cast<std::size_t>(composite_)];
    box->type = composite.type;
    box->kind = TypeKind::number;
    box->number = {low, high, false, false};
    boxes_.fix_item(composite_, std::move(box));
  }
  Number raw_with(Number composite) {
    around_composite(composite, composite);
    boxes_.begin();
    const BoxRef raw = boxes_.value(raw_.exact);
    return raw->point() ? adopt(raw->number.low, pool_) : kMissing;
  }
  bool reads_composite(const Expr* e, int level) {
    constexpr int kDeepest = 200;
    if (e == nullptr) return false;
    if (level > kDeepest || (e->op == Op::item && boxes_.depends(static_cast<int>(e->index)))) return true;
    return std::any_of(e->args.begin(), e->args.end(), [&](const Expr* a) { return reads_composite(a, level + 1); });
  }
  // Whether the score depends on a condition about the composite.
  bool conditional(const Expr* e, int level) {
    constexpr int kDeepest = 200;
    if (e == nullptr || level > kDeepest) return e != nullptr;
    if (e->op == Op::choice && reads_composite(e->args[1], 0)) return true;
    return std::any_of(e->args.begin(), e->args.end(), [&](const Expr* a) { return conditional(a, level + 1); });
  }

  // Expresses the raw score as composite + shift between two bounds; false if it has another form.
  bool follow(WeightedRecord& r) {
    const auto amount = [&](int item) {
      return item < 0 || probe_.number(item).missing() ? whole(0) : adopt(probe_.number(item), arena_.numbers());
    };
    const Number down = amount(down_), up = amount(up_);
    const Interval& scale = probe_.rubric().scale.range;
    const auto within = [&](Number n) {
      if (!scale.low.missing()) n = max(n, scale.low);
      return scale.high.missing() ? n : min(n, scale.high);
    };
    r.shift = adopt(sub(up, down, pool_), arena_.numbers());
    r.low = r.high = kMissing;
    if (sign(down) != 0 || sign(up) != 0) {  // between deductions and bonuses, the scale limits the score
      const bool both = sign(down) != 0 && sign(up) != 0;
      if (!scale.low.missing()) r.low = both ? within(add(scale.low, up, pool_)) : scale.low;
      if (!scale.high.missing()) r.high = both ? within(add(scale.high, up, pool_)) : scale.high;
    }
    const auto line = [&](Number composite) {
      Number n = add(composite, r.shift, pool_);
      if (!r.low.missing()) n = max(n, r.low);
      return r.high.missing() ? n : min(n, r.high);
    };
    // At both ends of the range that weights can give to the composite. A cap may apply at the upper one.
    Number least = r.values.front(), most = least;
    for (const Number value : r.values) {
      least = min(least, value);
      most = max(most, value);
    }
    const Number top = raw_with(most), bottom = raw_with(least);
    r.raw = raw_with(r.composite);
    if (top.missing() || bottom.missing() || r.raw.missing()) return false;
    if (compare(top, line(most)) < 0) r.high = top;
    for (Number* n : {&r.low, &r.high, &r.raw}) *n = adopt(*n, arena_.numbers());
    return compare(line(most), top) == 0 && compare(line(least), bottom) == 0 && compare(line(r.composite), r.raw) == 0;
  }

  void weigh(Sensitivity& answer) {
    WeightedRecord r;
    r.id = name();
    const auto leave = [&](const std::string& why) { answer.left_out.push_back(r.id + ": " + why); };
    const auto kept = [&](Number n) { return adopt(n, arena_.numbers()); };
    Number sum = whole(0);
    for (std::size_t k = 0; k < weighted_.size(); ++k) {
      const DimensionModel& d = *weighted_[k];
      const Number contribution = probe_.number(d.contribution), weight = probe_.weight(d.weight);
      if (contribution.missing()) return leave(d.name + " is missing");
      // The value if this dimension had the whole weight.
      Number value = kMissing;
      if (sign(weight) != 0) value = div(mul(contribution, total_, pool_), weight, pool_);
      if (value.missing() && d.score >= 0) value = mul(probe_.number(d.score), total_, pool_);
      if (value.missing()) return leave(d.name + " has no score");
      r.values.push_back(kept(value));
      r.approximate.push_back(to_double(value));
      sum = add(sum, mul(m_.shares[k], value, pool_), pool_);
    }
    r.composite = kept(probe_.number(composite_));
    r.score = kept(probe_.number(raw_.item));
    if (r.composite.missing() || r.score.missing()) return leave("it has no score");
    if (compare(sum, r.composite) != 0) return leave("its composite is not the weighted sum (a cap, or a formula)");
    if (!follow(r)) return leave("a cap or a formula of its own decides its score");
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    r.line.start = to_double(add(r.composite, r.shift, pool_));
    r.line.low = r.low.missing() ? -kInfinity : to_double(r.low);
    r.line.high = r.high.missing() ? kInfinity : to_double(r.high);
    r.line.size = std::abs(to_double(r.composite)) + std::abs(to_double(r.shift));
    if (!m_.ladder.labels.empty()) {
      std::int64_t row = -1;
      const Value& value = probe_.item(m_.ladder.row_item);
      // Only if the score alone has chosen the row.
      if (!value.missing() && to_int64(value.number, row) && row == row_of(r.score)) r.row = static_cast<int>(row);
    }
    for (const std::size_t k : m_.tie_keys) {
      const int item = probe_.rubric().rank[k].item;
      r.keys.push_back(deep_copy(probe_.model().types, probe_.rubric().items[static_cast<std::size_t>(item)].type,
                                 probe_.item(item), arena_));
    }
    m_.records.push_back(std::move(r));
  }

  Probe& probe_;
  NumberPool& pool_;
  Arena& arena_;
  BoxEvaluator boxes_;
  RawScore raw_;
  std::vector<BandLadder> ladders_;
  std::vector<const DimensionModel*> weighted_;
  std::vector<Number> weights_;
  int composite_ = -1, down_ = -1, up_ = -1;
  Number total_;
  WeightedModel m_;
  Seen seen_;
};

// Whether removing a record can reorder the others: verdicts of most rubrics depend only on their own record.
std::optional<InputError> reversals(const Rubric& rubric, const EvaluatorOptions& evaluation,
                                    const std::vector<std::string_view>& records, const SensitivityOptions& options,
                                    Sensitivity& answer) {
  answer.reversal_impossible = !rubric.serial();
  if (answer.reversal_impossible || !rubric.ranked() || records.size() > options.most_reversals) return std::nullopt;
  const auto order_of = [&](std::size_t without) {
    Evaluator evaluator(rubric, evaluation);
    std::vector<std::string_view> rest;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (i != without) rest.push_back(records[i]);
    }
    std::vector<std::pair<std::size_t, InputError>> left_out;
    std::vector<std::string> ids;  // in the order of the rubric's ranking
    for (const auto& group : evaluator.rank_valid(rest, left_out).groups)
      ids.insert(ids.end(), group.begin(), group.end());
    return ids;
  };
  const std::vector<std::string> all = order_of(records.size());
  std::unordered_set<std::string> here;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Interrupt::State now = interrupt_state(evaluation.interrupt);
    if (now != Interrupt::State::none) return interrupt_error(now);
    const std::vector<std::string> rest = order_of(i);
    ++answer.reversals_tried;
    std::vector<std::string> expected;
    here.clear();
    here.insert(rest.begin(), rest.end());
    for (const std::string& id : all) {
      if (here.count(id) > 0) expected.push_back(id);
    }
    for (std::size_t k = 0; k < rest.size() && k < expected.size(); ++k) {
      if (rest[k] == expected[k]) continue;
      const std::vector<std::string> gone = cells(records[i], {"id"});
      answer.reversals.push_back("without " + (gone.empty() ? std::to_string(i + 1) : gone[0]) + ": " + rest[k] +
                                 " stands before " + expected[k]);
      break;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<InputError> Analysis::sensitivity(const std::vector<std::string_view>& records,
                                                const SensitivityOptions& options, Sensitivity& answer) {
  answer = Sensitivity();
  Probe& probe = impl_->first;
  Arena arena;
  NumberPool kept;
  Number noise;
  if (!options.noise.empty() && (!parse_decimal(options.noise, noise, kept) || sign(noise) < 0))
    return InputError{"noise", "question", "the noise '" + options.noise + "' is not a number from 0"};
  Gathering gathering(probe, kept, arena);
  const auto interrupted = [&] { return interrupt_state(impl_->options.interrupt) != Interrupt::State::none; };
  std::size_t index = 0;
  for (const std::string_view record : records) {
    ++index;
    if (!probe.take(record)) {
      const Interrupt::State now = interrupt_state(impl_->options.interrupt);
      if (now != Interrupt::State::none) return interrupt_error(now);
      const std::vector<std::string> id = cells(record, {"id"});
      answer.left_out.push_back((id.empty() || id[0].empty() ? "record " + std::to_string(index) : id[0]) +
                                ": it is rejected: " + std::string(probe.error().message));
      continue;
    }
    if (++answer.records == 1) gathering.dependences(answer);
    gathering.add_record(answer);
    if (interrupted()) return interrupt_error(interrupt_state(impl_->options.interrupt));
    if (impl_->rubric.serial()) probe.score(record);  // later records see it as an earlier one
  }
  gathering.never(answer);
  if (auto error = reversals(impl_->rubric, impl_->options, records, options, answer)) return error;
  WeightedModel& m = gathering.model();
  answer.note = gathering.cannot();
  if (answer.note.empty() && m.records.empty()) answer.note = "no record is left whose score is the weighted sum";
  if (!answer.note.empty()) return std::nullopt;
  std::stable_sort(m.records.begin(), m.records.end(), [&](const WeightedRecord& a, const WeightedRecord& b) {
    const int order = assay::compare(a.score, b.score);
    return order != 0 ? order > 0 : m.tie(a, b) < 0;
  });
  answer.winner = m.records.front().id;
  WeightWork work(m, impl_->options.interrupt);
  weight_intervals(work, answer);
  if (!work.stopped()) importance(work, answer);
  grade_intervals(work, answer);
  rivals(work, options, answer);
  acceptability(work, options, answer);
  margins(work, options, answer);
  if (interrupted()) return interrupt_error(interrupt_state(impl_->options.interrupt));
  for (const DimensionModel& d : probe.rubric().dimensions) {
    if (d.weight >= 0) continue;
    WeightSensitivity advisory;
    advisory.name = d.name;
    advisory.advisory = true;
    answer.weights.push_back(std::move(advisory));
  }
  return std::nullopt;
}

namespace {

void write_interval(JsonOut& out, std::string_view name, const WeightInterval& interval) {
  out.key(name).object().key("low").exact(interval.low).key("high").exact(interval.high);
  out.key("low_at").text_or_null(interval.low_at).key("high_at").text_or_null(interval.high_at).end_object();
}

void write_weight(JsonOut& out, const WeightSensitivity& w) {
  out.object().key("name").text(w.name).key("advisory").truth(w.advisory);
  if (!w.advisory) {
    out.key("weight").exact(w.weight);
    write_interval(out, "order", w.order);
    write_interval(out, "winner", w.winner);
    out.key("least_change").exact(w.least_change).key("criticality").exact(w.criticality);
    out.key("pair").text_or_null(w.pair).key("effect").number(w.effect);
    out.key("correlation_ratio").number(w.correlation_ratio);
    out.key("constant").truth(w.constant).key("dead").truth(w.dead);
  }
  out.end_object();
}

}  // namespace

std::string Sensitivity::json() const {
  JsonOut out;
  const auto texts = [&](std::string_view key, const std::vector<std::string>& list) {
    out.key(key).list();
    for (const std::string& text : list) out.text(text);
    out.end_list();
  };
  out.object().key("records").count(records);
  texts("left_out", left_out);
  texts("taken_as_it_stands", taken);
  out.key("note").text_or_null(note).key("winner").text_or_null(winner).key("weights").list();
  for (const WeightSensitivity& w : weights) write_weight(out, w);
  out.end_list().key("stable_to_percent").exact(stable_to).key("stability").list();
  for (const Stability& s : stability)
    out.object().key("spread").number(s.spread).key("same_winner").number(s.winner).end_object();
  out.end_list().key("rivals").list();
  for (const Rival& rival : rivals) {
    out.object().key("id").text(rival.id).key("distance").raw(rival.distance).key("total").exact(rival.total);
    out.key("weights").object();
    for (const auto& [name, weight] : rival.weights) out.key(name).exact(weight);
    out.end_object().end_object();
  }
  out.end_list().key("acceptability").list();
  for (const Acceptability& a : acceptability) {
    out.object().key("id").text(a.id).key("ranks").list();
    for (const double share : a.ranks) out.number(share);
    out.end_list().key("central").list();
    for (const double weight : a.central) out.number(weight);
    out.end_list().key("confidence").number(a.confidence).end_object();
  }
  out.end_list().key("grades").list();
  for (const GradeInterval& g : grades) {
    out.object().key("id").text(g.id).key("dimension").text(g.dimension).key("band").text(g.band);
    out.key("low").exact(g.low).key("high").exact(g.high).end_object();
  }
  out.end_list().key("margins").list();
  for (const RecordMargin& margin : margins) {
    out.object().key("id").text(margin.id).key("score").exact(margin.score).key("band").text(margin.band);
    out.key("margin").exact(margin.margin).key("last_places").exact(margin.last_places);
    out.key("flips").number(margin.flips < 0 ? std::numeric_limits<double>::quiet_NaN() : margin.flips).end_object();
  }
  out.end_list().key("alike").list();
  for (const auto& [pair, r] : alike) out.object().key("pair").text(pair).key("correlation").number(r).end_object();
  out.end_list();
  texts("never", never);
  out.key("reversal").object().key("impossible").truth(reversal_impossible).key("tried").count(reversals_tried);
  texts("found", reversals);
  out.end_object().end_object();
  return out.take();
}

}  // namespace assay
