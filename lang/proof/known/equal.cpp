// Knowledge: which expressions have the same value in every record. See known.hpp.
#include "lang/proof/known/scopes.hpp"

#include <bit>
#include <numeric>

namespace assay {

std::size_t Knowledge::KeyHash::operator()(const std::vector<std::uint64_t>& key) const {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t hash = key.size();
  for (const std::uint64_t part : key) hash = (std::rotl(hash, 23) ^ part) * kOdd;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

std::uint32_t Knowledge::same(const Expr& e) {
  if (e.op == Op::local) {
    numbering_.mentions |= locals_.items.count(e.index) != 0 ? kItemOfLoop : kLocal;
    const auto bound = locals_.bound.find(e.index);
    if (bound != locals_.bound.end()) return bound->second;
  }
  if (const auto known = numbering_.same.find(&e); known != numbering_.same.end()) return known->second;
  if (const auto known = locals_.same.find(&e); known != locals_.same.end()) {
    numbering_.mentions |= kLocal;
    return known->second;
  }
  const unsigned own = e.op == Op::local ? numbering_.mentions : 0;
  const unsigned before = std::exchange(numbering_.mentions, own);
  const std::uint32_t number = number_of(e);
  (numbering_.mentions != 0 ? locals_.same : numbering_.same)[&e] = number;
  numbering_.mentions |= before;
  return number;
}

bool Knowledge::fixed(const Expr& e) {
  same(e);
  return numbering_.same.count(&e) > 0;
}

std::uint32_t Knowledge::number_of(const Expr& e) {
  const Nesting nesting(budget_);
  const bool distinct = e.op == Op::builtin && static_cast<Builtin>(e.index) == Builtin::distinct;
  if (distinct && model_.types[e.args[0]->type].set) return same(*e.args[0]);  // nothing stands there twice
  if (e.op == Op::builtin && static_cast<Builtin>(e.index) == Builtin::values) return same(*e.args[0]);
  std::vector<std::uint64_t> key;
  key.reserve(6);
  key.insert(key.end(), {static_cast<std::uint64_t>(e.op), e.index});
  bool unique = false;
  switch (e.op) {
    case Op::constant: {
      const TypeKind kind = model_.types.kind(e.type);
      key.push_back(static_cast<std::uint64_t>(kind));
      if (kind == TypeKind::number && !e.value.missing() && e.value.number.small()) {
        const Number n = e.value.number;
        const std::int64_t common = std::gcd(n.num, n.den);
        key.push_back(static_cast<std::uint64_t>(n.num / common));
        key.push_back(static_cast<std::uint64_t>(n.den / common));
      } else if (kind == TypeKind::number || kind == TypeKind::text) {
        std::string text;
        if (kind == TypeKind::text && !e.value.missing()) text = e.value.text.view();
        if (kind == TypeKind::number && !e.value.missing()) write_exact(e.value.number, text);
        key.push_back(numbering_.texts.emplace(std::move(text), numbering_.texts.size()).first->second);
        key.push_back(e.value.missing());
        key.push_back(0);  // so that it is longer than the key of a small number
      } else {
        key.push_back(e.value.words.first);
        key.push_back(e.value.words.second);
      }
      break;
    }
    case Op::local: key.push_back(locals_.body); break;
    case Op::item: {
      const Item* item = item_of(e);
      if (item != nullptr && item->body != nullptr && item->body->op != Op::constant) {  // a constant is a setting
        Locals outer = other_body();
        const std::uint32_t number = same(*item->body);
        locals_ = std::move(outer);
        if (std::exchange(numbering_.mentions, 0U) == 0) return number;
      }
      key.push_back(static_cast<std::uint64_t>(rubric_ + 1));
      break;
    }
    case Op::slot:
    case Op::weight:
    case Op::raw_history: key.push_back(static_cast<std::uint64_t>(rubric_ + 1)); break;
    case Op::loop: unique = !number_of_loop(*e.loop, key); break;
    case Op::apply:
    case Op::hook:
    case Op::join_text:
    case Op::make_map: unique = true; break;
    case Op::let_in: {
      ++locals_.lets;
      locals_.items.insert(e.index);
      std::uint32_t number = 0;
      {
        const Named name(*this, e);
        number = same(*e.args[1]);
      }
      locals_.items.erase(e.index);
      --locals_.lets;
      leave_items();
      return number;
    }
    default: break;
  }
  if (unique) key.push_back(reinterpret_cast<std::uintptr_t>(&e));
  else
    for (const Expr* arg : e.args) key.push_back(same(*arg));
  budget_.take(key.size() * sizeof(std::uint64_t));
  return numbering_.numbers.emplace(std::move(key), static_cast<std::uint32_t>(numbering_.numbers.size()))
      .first->second;
}

// Loops are the same whatever their items are called, if they go over one list: items count as those of that list.
bool Knowledge::number_of_loop(const Loop& loop, std::vector<std::uint64_t>& key) {
  if (!has_one_list(loop) || loop.state >= 0 || loop.key != nullptr || !loop.order.empty()) return false;
  constexpr std::uint64_t kItem = 1'004;  // no operation has this number
  const std::uint32_t list = same(*loop.clauses.front().expr);
  const Locals outer = locals_;
  const auto bind_item = [&](int item, std::uint64_t part) {
    if (item < 0) return;
    const auto fresh = static_cast<std::uint32_t>(numbering_.numbers.size());
    locals_.items.insert(static_cast<std::uint32_t>(item));
    locals_.bound[static_cast<std::uint32_t>(item)] =
        numbering_.numbers.emplace(std::vector<std::uint64_t>{kItem, list, locals_.loops, part}, fresh).first->second;
  };
  bind_item(loop.clauses.front().first, 0);
  bind_item(loop.clauses.front().second, 1);
  ++locals_.loops;
  locals_.same.clear();
  key.insert(key.end(), {static_cast<std::uint64_t>(loop.collect), loop.clauses.size(), list});
  for (std::size_t i = 1; i < loop.clauses.size(); ++i) {
    const LoopClause& clause = loop.clauses[i];
    key.push_back(static_cast<std::uint64_t>(clause.kind));
    key.push_back(same(*clause.expr));
    if (clause.kind != LoopClause::Kind::let || clause.second < 0) continue;
    locals_.items.insert(static_cast<std::uint32_t>(clause.second));
    locals_.bound[static_cast<std::uint32_t>(clause.second)] = static_cast<std::uint32_t>(key.back());
    locals_.same.clear();
  }
  key.push_back(same(*loop.value));
  locals_ = outer;
  leave_items();
  return true;
}

// Behind all loops and names of values: what was mentioned are their own.
void Knowledge::leave_items() {
  if (locals_.loops == 0 && locals_.lets == 0) numbering_.mentions &= ~kItemOfLoop;
}

// What a field of a record is, whose fields are written; null: not known.
const Expr* Knowledge::part_behind(const Expr& field) const {
  const Expr& record = behind(*field.args[0]);
  return record.op == Op::make_record && item_of(*field.args[0]) != nullptr ? record.args[field.index] : nullptr;
}

}  // namespace assay
