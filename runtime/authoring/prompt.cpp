// The instructions for a judge, in Markdown: the sentences of sentences.def, or those of the frame, filled in from the
// rubric.
#include "runtime/authoring/judged.hpp"
#include "runtime/json/json_tree.hpp"

#include "lang/number/number.hpp"
#include "lang/text/key.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

namespace assay {
namespace {

enum class Sentence : std::size_t {
#define ASSAY_SENTENCE(name, text) name,
#include "runtime/authoring/sentences.def"
#undef ASSAY_SENTENCE
  count,
};
struct SentenceRow {
  std::string_view name, text;
};
constexpr SentenceRow kSentences[] = {
#define ASSAY_SENTENCE(name, text) {#name, text},
#include "runtime/authoring/sentences.def"
#undef ASSAY_SENTENCE
};

// What stands in the place of a name in braces: a text that is shown as it is, or Markdown.
struct Part {
  std::string_view name;
  std::string text;
  bool markdown = false;
};

class PromptWriter {
 public:
  PromptWriter(const Rubric& rubric, const PromptOptions& options)
      : source_(rubric), impl_(rubric.impl()), rubric_(impl_.rubric()), options_(options) {
    for (const SentenceRow& row : kSentences) sentences_.emplace_back(row.text);
  }

  Prompt run() {
    Prompt result;
    read_frame();
    weigh();
    choose();
    const std::vector<const Slot*> too = judged_too(impl_, options_.judged_too, only(), problem_);
    if (problem_.empty() && judged_.empty() && too.empty()) {
      problem_ =
          Printable("'" + rubric_.name +
                    "' has nothing to judge: every dimension is computed. Declare what a judge gives (input name: type "
                    "judged), or name it (--judged)");
    }
    if (problem_.empty()) write(too);
    result.problem = std::move(problem_);
    if (result.problem.empty()) result.markdown = std::move(out_);
    return result;
  }

 private:
  // ---- the selection

  void read_frame() {
    if (options_.frame.empty()) return;
    JsonNode frame;
    JsonProblem problem;
    if (!parse_json(options_.frame, frame, problem)) return fail("the frame is not valid JSON: " + problem.message);
    if (!frame.is(JsonNode::Kind::object)) return fail("the frame is not a JSON object");
    if (const std::string* key = frame.repeated()) return fail("the frame has the sentence '" + *key + "' twice");
    for (const auto& [name, value] : frame.members) {
      const std::string& key = name;
      const auto* row = std::find_if(std::begin(kSentences), std::end(kSentences),
                                     [&](const SentenceRow& one) { return one.name == key; });
      if (row == std::end(kSentences)) {
        std::vector<std::string_view> known;
        for (const SentenceRow& one : kSentences) known.push_back(one.name);
        const std::string_view near = nearest(key, known);
        return fail("the frame has no sentence '" + key + "'" +
                    (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
      }
      if (!value.is(JsonNode::Kind::text)) return fail("the sentence '" + key + "' of the frame is not a text");
      check_places(*row, value.text);
      sentences_[static_cast<std::size_t>(row - std::begin(kSentences))] = value.text;
    }
  }

  // The names in braces: {title}.
  static std::vector<std::string_view> places(std::string_view text) {
    std::vector<std::string_view> names;
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
      const std::size_t close = text.find('}', open);
      const std::string_view name = text.substr(open + 1, close == text.npos ? 0 : close - open - 1);
      if (is_name(name)) names.push_back(name);
    }
    return names;
  }

  // Braces may stand for themselves, but not around what is meant as one of our names.
  void check_places(const SentenceRow& row, const std::string& text) {
    const std::vector<std::string_view> own = places(row.text);
    for (const std::string_view name : places(text)) {
      if (std::find(own.begin(), own.end(), name) != own.end()) continue;
      const bool of_another = std::any_of(std::begin(kSentences), std::end(kSentences), [&](const SentenceRow& one) {
        const std::vector<std::string_view> theirs = places(one.text);
        return std::find(theirs.begin(), theirs.end(), name) != theirs.end();
      });
      const std::string_view near = nearest(name, own);
      if (near.empty() && !of_another) continue;
      std::string has;
      for (const std::string_view one : own) has += (has.empty() ? "{" : ", {") + std::string(one) + "}";
      fail("the sentence '" + std::string(row.name) + "' of the frame has no place for {" + std::string(name) + "}" +
           (has.empty() ? "" : "; it has " + has));
    }
  }

  void fail(const std::string& why) {
    if (problem_.empty()) problem_ = Printable(why);
  }

  // Sets the weights in force, as an explanation of a verdict shows them.
  void weigh() {
    if (options_.contexts.empty()) return;
    Evaluator evaluator(source_);
    Settings settings;
    settings.contexts = options_.contexts;
    if (const auto error = evaluator.configure(settings)) return fail(error->message.str());
    for (const std::string& name : options_.contexts) {
      for (const ContextModel& context : rubric_.weighting.contexts) {
        if (context.name != name) continue;
        for (const auto& [index, weight] : context.weights) changed_.emplace_back(index, weight);
      }
    }
  }

  void choose() {
    judged_ = judged_dimensions(impl_);
    if (options_.dimension.empty()) return;
    const auto is_it = [this](const Judged& one) {
      return one.slot->name == options_.dimension || one.dimension->name == options_.dimension ||
             (one.around != nullptr && one.around->name == options_.dimension);
    };
    std::vector<std::string> names;
    for (const Judged& one : judged_) names.push_back(one.slot->name);
    judged_.erase(std::remove_if(judged_.begin(), judged_.end(), [&](const Judged& one) { return !is_it(one); }),
                  judged_.end());
    if (!judged_.empty()) return;
    const std::vector<Provenance> said = provenances(impl_);
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (said[i] != Provenance::judged) continue;
      if (rubric_.slots[i].name == options_.dimension) return;
      names.push_back(rubric_.slots[i].name);
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view near = nearest(options_.dimension, views);
    fail("'" + options_.dimension + "' is not a judged dimension or input" +
         (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
  }

  // The one thing that was asked for, by the names of inputs; empty: everything.
  std::vector<std::string> only() const {
    std::vector<std::string> names;
    if (options_.dimension.empty()) return names;
    for (const Judged& one : judged_) names.push_back(one.slot->name);
    if (names.empty()) names.push_back(options_.dimension);
    return names;
  }

  // ---- writing

  // `depth`: of a list inside of lists.
  void put(Sentence sentence, std::initializer_list<Part> parts = {}, std::size_t depth = 0) {
    const std::string& text = sentences_[static_cast<std::size_t>(sentence)];
    if (text.empty()) return;  // a frame may omit a sentence
    out_.append(2 * depth, ' ');
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t open = std::min(text.find('{', at), text.size());
      out_ += text.substr(at, open - at);
      at = open;
      if (at == text.size()) break;
      const std::size_t close = text.find('}', at);
      const std::string_view name =
          close == text.npos ? std::string_view() : std::string_view(text).substr(at + 1, close - at - 1);
      const Part* found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
      if (close == text.npos || found == parts.end()) {
        out_ += text[at++];
      } else {
        at = close + 1;
        // A sentence that puts a name between backticks means a code span, whatever the name holds.
        if (out_.ends_with('`') && at < text.size() && text[at] == '`') {
          out_.pop_back();
          out_ += code_span(found->text);
          ++at;
        } else {
          out_ += found->markdown ? found->text : plain_markdown(found->text);
        }
      }
    }
    out_ += '\n';
  }
  void gap() { out_ += '\n'; }

  std::string kind(TypeId type) const { return impl_.model->types.str(type); }

  std::string weight(const DimensionModel& dimension) const {
    Number value = rubric_.weighting.weights[static_cast<std::size_t>(dimension.weight)].value;
    for (const auto& [index, other] : changed_) {
      if (index == dimension.weight) value = other;
    }
    std::string out;
    write_shortest(value, out);
    std::string total;
    write_shortest(rubric_.weighting.total, total);
    return total == "1" || rubric_.weighting.total.missing() ? out : out + " of " + total;
  }

  void write(const std::vector<const Slot*>& too) {
    given_ = too;
    for (const Judged& one : judged_) given_.push_back(one.slot);
    put(Sentence::heading, {{"title", rubric_.prose.empty() ? rubric_.name : rubric_.prose}});
    gap();
    if (options_.dimension.empty()) {
      put(Sentence::task);
    } else {
      put(Sentence::task_one, {{"name", options_.dimension}});
    }
    if (!judged_.empty()) {
      gap();
      put(Sentence::dimensions);
      for (const Judged& one : judged_) dimension(one);
    }
    if (!too.empty()) {
      gap();
      put(Sentence::also);
      gap();
      for (const Slot* slot : too) {
        put(slot->prose.empty() ? Sentence::input_bare : Sentence::input,
            {{"name", slot->name}, {"kind", kind(slot->type)}, {"prose", slot->prose}});
        parts(slot->type, 1);
      }
    }
    if (options_.dimension.empty()) computed(too);
    answer();
  }

  void dimension(const Judged& one) {
    gap();
    put(Sentence::dimension, {{"name", one.slot->name}, {"kind", kind(one.slot->type)}});
    gap();
    if (one.around != nullptr && !one.around->prose.empty()) out_ += plain_markdown(one.around->prose) + "\n\n";
    if (!one.dimension->prose.empty()) out_ += plain_markdown(one.dimension->prose) + "\n\n";
    // A context that names some weights may reduce the others: then only those that it names are given.
    if (one.dimension->weight >= 0) {
      const bool told = changed_.empty() || std::any_of(changed_.begin(), changed_.end(), [&](const auto& change) {
                          return change.first == one.dimension->weight;
                        });
      if (told) put(Sentence::weight, {{"weight", weight(*one.dimension)}});
    } else {
      put(Sentence::advisory);
    }
    if (may_be_left_out(*one.slot)) put(Sentence::may_be_left_out);
    if (one.dimension->levels.empty()) return;
    gap();
    put(Sentence::levels);
    gap();
    levels(*one.dimension, 0);
  }

  void levels(const DimensionModel& dimension, std::size_t depth) {
    for (const LevelModel& level : dimension.levels) {
      std::string mark;
      write_shortest(level.level, mark);
      put(Sentence::level, {{"level", mark}, {"text", level.prose}}, depth);
    }
  }

  // The fields of the records that a value consists of, each type once: for those of another rubric, what that says.
  void parts(TypeId id, std::size_t depth) {
    const Type& type = impl_.model->types[id];
    if (type.kind == TypeKind::list || type.kind == TypeKind::map) return parts(type.element, depth);
    for (const TypeId one : type.alternatives) parts(one, depth);
    if (type.kind != TypeKind::record || !told_.insert(id).second) return;
    const RubricModel* of = rubric_of(*impl_.model, type);
    for (std::size_t i = of != nullptr ? 1 : 0; i < type.fields.size(); ++i) {  // slot 0 of a rubric: the id
      const Field& field = type.fields[i];
      const DimensionModel* dimension = of != nullptr ? dimension_of(*of, of->slots[i]) : nullptr;
      const std::string prose = of != nullptr ? prose_of(*of, of->slots[i]) : std::string();
      put(prose.empty() ? Sentence::input_bare : Sentence::input,
          {{"name", field.name}, {"kind", kind(field.type)}, {"prose", prose}}, depth);
      if (dimension != nullptr) levels(*dimension, depth + 1);
      parts(field.type, depth + 1);
    }
  }

  bool may_be_left_out(const Slot& slot) const {
    const auto& conditional = rubric_.required_when;
    return slot.presence != Presence::required &&
           std::none_of(conditional.begin(), conditional.end(), [&](const RequiredWhen& one) {
             return &rubric_.slots[static_cast<std::size_t>(one.slot)] == &slot &&
                    required_of_judge(impl_, one, given_);
           });
  }

  // Describes values that the rubric computes or that come from elsewhere.
  void computed(const std::vector<const Slot*>& too) {
    std::vector<std::pair<std::string, std::string>> items;
    for (const DimensionModel& dimension : rubric_.dimensions) {
      const bool judged =
          !dimension.parts.empty() ||
          std::any_of(judged_.begin(), judged_.end(), [&](const Judged& one) { return one.dimension == &dimension; });
      if (!judged) items.emplace_back(dimension.name, dimension.prose);
    }
    for (const Slot& slot : rubric_.slots) {
      const bool is_judged =
          std::any_of(judged_.begin(), judged_.end(), [&](const Judged& one) { return one.slot == &slot; });
      if (is_judged || slot.name == "id" || std::find(too.begin(), too.end(), &slot) != too.end()) continue;
      const bool there =
          std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.first == slot.name; });
      if (!there) items.emplace_back(slot.name, slot.prose);
    }
    const bool gates = std::any_of(rubric_.items.begin(), rubric_.items.end(),
                                   [](const Item& item) { return item.kind == ItemKind::gate; });
    if (items.empty() && !gates) return;
    gap();
    put(Sentence::computed);
    if (!items.empty()) {
      gap();
      put(Sentence::computed_why);
      gap();
      for (const auto& [name, prose] : items) listed(name, prose);
    }
    if (!gates) return;
    gap();
    put(Sentence::gates);
    gap();
    for (const Item& item : rubric_.items) {
      if (item.kind == ItemKind::gate) listed(item.name, item.prose);
    }
  }

  void listed(const std::string& name, const std::string& prose) {
    put(prose.empty() ? Sentence::computed_bare : Sentence::computed_item,
        {{"name", code_span(name), true}, {"prose", prose}});
  }

  void answer() {
    SchemaOptions form;
    form.judged = true;
    form.judged_too = options_.judged_too;
    form.strict_subset = true;
    form.only = only();
    gap();
    put(Sentence::answer);
    gap();
    if (const std::vector<std::string> rules = rules_of_judge(impl_, given_); !rules.empty()) {
      put(Sentence::rules);
      gap();
      for (const std::string& rule : rules) put(Sentence::rule, {{"rule", rule, true}});
      gap();
    }
    put(Sentence::answer_form);
    gap();
    out_ += "```json\n" + printable_json(json_schema(source_, form).json) + "```\n";
  }

  const Rubric& source_;
  const Rubric::Impl& impl_;
  const RubricModel& rubric_;
  const PromptOptions& options_;
  std::vector<std::string> sentences_;
  std::vector<Judged> judged_;
  std::vector<const Slot*> given_;               // what the judge supplies
  std::vector<std::pair<int, Number>> changed_;  // weights of contexts
  std::set<TypeId> told_;                        // records whose fields have been described
  Printable problem_;
  std::string out_;
};

}  // namespace

Prompt judge_prompt(const Rubric& rubric, const PromptOptions& options) { return PromptWriter(rubric, options).run(); }

std::string prompt_frame() {
  std::string out = "{\n";
  for (const SentenceRow& row : kSentences) {
    out += out.size() > 2 ? ",\n  " : "  ";
    write_json_text(row.name, out);
    out += ": ";
    write_json_text(row.text, out);
  }
  return out + "\n}\n";
}

}  // namespace assay
