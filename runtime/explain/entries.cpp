// Finds declared entries. See entries.hpp.
#include "runtime/explain/entries.hpp"

#include <assay/text.hpp>

#include "runtime/rubric/rubric_impl.hpp"

namespace assay {

std::string one_line(std::string_view source) {
  std::string line;
  bool comment = false, quoted = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (quoted && c == '\\' && i + 1 < source.size()) {
      line += c;
      line += source[++i];
      continue;
    }
    if (c == '"') quoted = !quoted && !comment;
    if (c == '#' && !quoted) comment = true;
    if (c == '\n') comment = false;
    const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (comment || (space && (line.empty() || line.back() == ' '))) continue;
    line += space ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string part_of_formula(std::string_view source) {
  constexpr std::size_t kScanned = 16 * kPartOfFormula;  // bytes, with comments and layout
  std::size_t size = source.size();
  if (size > kScanned) size = kScanned;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
  while (size > 0 && size < source.size() && continues(source[size])) --size;
  std::string text = one_line(source.substr(0, size));
  const std::size_t whole = text.size();
  text = shorten(text, kPartOfFormula);
  if (size < source.size() && text.size() == whole) text += "…";
  return text;
}

const Expr* find_op(const Expr* e, Op op, int depth) {
  constexpr int kDeepest = 8;
  if (e == nullptr || depth > kDeepest) return nullptr;
  if (e->op == op) return e;
  for (const Expr* arg : e->args) {
    if (const Expr* found = find_op(arg, op, depth + 1)) return found;
  }
  return nullptr;
}

namespace {

struct ListWord {
  std::string_view key, word;
};
constexpr ListWord kListWords[] = {
    {"deductions", "deduction"}, {"bonuses", "bonus"}, {"caps", "cap"}, {"flags", "flag"}, {"advice", "advice"}};

class Finder {
 public:
  Finder(const Rubric::Impl& rubric, EntryList& list) : rubric_(rubric), list_(list) {}

  void find(const Expr* e, const Expr* loop) {
    switch (e->op) {
      case Op::adjust:
      case Op::compact:
      case Op::builtin: find(e->args[0], loop); return;
      case Op::concat:
      case Op::make_list:
        for (const Expr* arg : e->args) find(arg, loop);
        return;
      case Op::let_in:
        if (list_.key != "caps") break;  // `where` belongs to the entry
        find(e->args[1], loop);
        return;
      case Op::loop: find(e->loop->value, e); return;
      default: break;
    }
    add(e, loop);
  }

 private:
  void add(const Expr* e, const Expr* loop) {
    const Expr* made = e;
    while (made->op == Op::let_in) made = made->args[1];
    if (made->op == Op::choice) made = made->args[0];
    Entry entry;
    entry.expr = e;
    entry.label = made->op == Op::make_record ? made->args[0] : made;
    entry.loop = loop;
    Span span = loop != nullptr ? loop->span : e->span;
    entry.declared = one_line(rubric_.sources.text(span));
    if (list_.key == "caps") entry.declared = "cap " + entry.declared;
    if (entry.label->op == Op::constant) {
      if (!entry.label->value.missing()) entry.name = std::string(entry.label->value.text.view());
    } else {
      entry.name = one_line(rubric_.sources.text(entry.label->span));
      if (entry.name.size() > 1 && entry.name.front() == '"') entry.name = entry.name.substr(1, entry.name.size() - 2);
    }
    list_.entries.push_back(std::move(entry));
  }

  const Rubric::Impl& rubric_;
  EntryList& list_;
};

}  // namespace

std::vector<EntryList> declared_entries(const Rubric::Impl& rubric) {
  std::vector<EntryList> lists;
  const std::vector<Item>& items = rubric.rubric().items;
  for (const ListWord& word : kListWords) {
    EntryList list{word.key, word.word, -1, {}};
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].kind == ItemKind::pipeline && items[i].name == word.key && items[i].body != nullptr)
        list.item = static_cast<int>(i);
    }
    if (list.item < 0) continue;
    const Expr* body = items[static_cast<std::size_t>(list.item)].body;
    if (body->op == Op::constant) continue;  // none is declared
    Finder(rubric, list).find(body, nullptr);
    lists.push_back(std::move(list));
  }
  return lists;
}

const Expr* deciding(const Entry& entry) {
  if (entry.loop != nullptr) return entry.loop;
  const bool adjustment = entry.expr->op == Op::make_record && entry.expr->args.size() == 3;  // name, amount, reason
  return adjustment ? entry.expr->args[1] : entry.expr;
}

namespace {

const Expr* made_by(const Entry& entry) {
  const Expr* made = entry.expr;
  while (made->op == Op::let_in) made = made->args[1];
  return made;
}

}  // namespace

const std::vector<std::uint32_t>& Instances::of(const EntryList& list, const Entry& entry) {
  const std::uint32_t top = trace_.item(list.item);
  if (known_.insert(&list).second && top != 0) {
    for (const Entry& one : list.entries) made_[made_by(one)];
    // In order of creation, without recursion.
    std::uint32_t at = trace_[top].first;
    while (at != 0) {
      const TraceNode& node = trace_[at];
      const auto made = node.point->kind == TracePoint::Kind::expr ? made_.find(node.point->expr) : made_.end();
      if (made != made_.end()) made->second.push_back(at);
      if (made == made_.end() && node.first != 0) {
        at = node.first;
        continue;
      }
      while (at != top && trace_[at].next == 0) at = trace_[at].parent;
      at = at == top ? 0 : trace_[at].next;
    }
  }
  return made_[made_by(entry)];
}

std::string_view instance_name(const EntryList& list, const Value& value) {
  if (value.missing()) return {};
  const bool text = list.key == "flags" || list.key == "advice";
  const Value& name = text ? value : value.record.fields[0];
  return name.missing() ? std::string_view() : name.text.view();
}

bool may_be_named(const Entry& entry, std::string_view name) {
  if (entry.label->op == Op::constant) return entry.name == name;
  if (entry.label->op != Op::join_text) return false;
  bool literal = false;
  std::size_t at = 0;
  const std::vector<TextSegment>& parts = entry.label->parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].arg >= 0) continue;
    const std::string& text = parts[i].literal;
    if (text.empty()) continue;
    literal = true;
    const std::size_t found = i == 0 ? (name.starts_with(text) ? 0 : std::string_view::npos)
                              : i + 1 == parts.size()
                                  ? (name.ends_with(text) && name.size() >= at + text.size() ? name.size() - text.size()
                                                                                             : std::string_view::npos)
                                  : name.find(text, at);
    if (found == std::string_view::npos || found < at) return false;
    at = found + text.size();
  }
  return literal;
}

}  // namespace assay
