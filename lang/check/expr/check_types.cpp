// Checker: written types, their ranges, and constants that must fit them.
#include "lang/check/expr/expressions.hpp"
#include "lang/text/ascii.hpp"
#include "lang/value/interval.hpp"
#include "lang/value/map.hpp"

#include <algorithm>

namespace assay {

Number TypeReader::constant_number(const ast::Expr& e, int rubric_index, const char* what) {
  Context cx;
  cx.rubric = rubric_index;
  Expr* value = exprs_.number_expr(e, cx, what);
  if (kind_of(value) == TypeKind::unknown) return kMissing;
  if (!is_constant(value) || value->value.missing()) {
    error(Code::not_constant, e.span, std::string(what) + " must be known before a record is seen",
          "this depends on the record");
    return kMissing;
  }
  return value->value.number;
}

Interval TypeReader::interval(const ast::ExprPtr& low, const ast::ExprPtr& high,
                              const std::vector<std::pair<ast::Bound, ast::ExprPtr>>& bounds, int rubric_index) {
  Interval r;
  if (low) r.low = constant_number(*low, rubric_index, "a bound");
  if (high) r.high = constant_number(*high, rubric_index, "a bound");
  for (const auto& [bound, e] : bounds) {
    const Number n = constant_number(*e, rubric_index, "a bound");
    if (bound == ast::Bound::greater || bound == ast::Bound::greater_equal) {
      r.low = n;
      r.low_open = bound == ast::Bound::greater;
    } else {
      r.high = n;
      r.high_open = bound == ast::Bound::less;
    }
  }
  if (!empty(r)) return r;
  if (!low) {
    error(Code::empty_range, bounds.front().second->span, "no number lies in this range", "",
          "the lower bound is not below the upper one");
    return {};
  }
  // 10..1 may be a slip for 10..100, but 100..0 for nothing else.
  error(Code::empty_range, {low->span.file, low->span.begin, high->span.end}, "no number lies in this range", "",
        hints_.exchanged_ends(*low, *high, sign(r.high) == 0));
  return {r.high, r.low, false, false};
}

// A record type must be finite: only a list, a map or an optional field may contain it again.
bool TypeReader::holds_itself(TypeId type, TypeId within, std::set<TypeId>& seen) const {
  const Nesting nesting(budget_);
  if (types_.kind(within) != TypeKind::record || !seen.insert(within).second) return false;
  for (const Field& f : types_[within].fields) {
    if (f.presence == Presence::required && (f.type == type || holds_itself(type, f.type, seen))) return true;
  }
  return false;
}

TypeId TypeReader::declared_type(const ast::TypeDecl& node, int rubric_index,
                                 std::map<std::string, TypeId, std::less<>>& known,
                                 std::set<std::string, std::less<>>& building) {
  const std::string& name = node.name.text;
  const WorkingOn working(budget_, node.name.span);
  if (node.kind->tag == ast::KindTag::record) {  // nominal: a list in it may contain it
    const TypeId id = types_.nominal(name);
    known[name] = id;
    std::vector<Field> fields = types_[kind(*node.kind, rubric_index)].fields;
    types_.complete(id, std::move(fields));
    if (state_.notes != nullptr) state_.notes->records.emplace_back(id, node.kind.get());
    std::set<TypeId> seen;
    if (holds_itself(id, id, seen)) {
      error(Code::cycle, node.name.span, "every '" + name + "' holds another '" + name + "', without end", "",
            "make the field 'optional', or a list");
      for (Field& f : types_.edit(id).fields) f.presence = Presence::optional;
    }
    return id;
  }
  known[name] = kUnknown;
  building.insert(name);
  const TypeId id = kind(*node.kind, rubric_index);
  building.erase(name);
  known[name] = id;
  return id;
}

TypeId TypeReader::named_type(const std::string& name, Span span, int rubric_index) {
  const auto look = [&](std::map<std::string, TypeId, std::less<>>& known, std::set<std::string, std::less<>>& building,
                        const DeclaredNames& names, int r, TypeId& id) {
    if (building.count(name)) {
      error(Code::cycle, span, "the type '" + name + "' needs itself", "",
            "a record may hold itself in a list: type " + name + " = { parts: list of " + name + " }");
      id = kUnknown;
      return true;
    }
    if (const auto it = known.find(name); it != known.end()) {
      id = it->second;
      return true;
    }
    const auto decl = names.types.find(name);
    if (decl == names.types.end()) return false;
    id = declared_type(*decl->second.first, r, known, building);
    return true;
  };
  TypeId id = kUnknown;
  for (int r = rubric_index; r >= 0; r = rubric(r).cohort.parent) {
    RubricContext& rc = rubric(r);
    if (look(rc.types.ids, rc.types.building, rc.names, r, id)) return id;
  }
  if (look(file_types_, file_types_building_, declared_.file_names, -1, id)) return id;
  if (const int r = find_rubric(name); r >= 0) {
    declare(rubric(r));
    return model(rubric(r)).input_type;
  }
  no_such_type(name, span, rubric_index);
  return kUnknown;
}

// Separate from named_type, whose recursion would otherwise use more of the stack.
void TypeReader::no_such_type(const std::string& name, Span span, int rubric_index) {
  std::vector<std::string_view> names = {"number",  "whole",  "bool",   "text", "one of",
                                         "list of", "set of", "map of", "any"};
  for (int r = rubric_index; r >= 0; r = rubric(r).cohort.parent) {
    for (const auto& entry : rubric(r).names.types) names.push_back(entry.first);
  }
  for (const auto& entry : declared_.file_names.types) names.push_back(entry.first);
  for (const auto& entry : declared_.rubric_by_name) names.push_back(entry.first);
  static constexpr std::pair<std::string_view, std::string_view> kForeign[] = {
      // in lower case
      {"string", "text"},   {"str", "text"},       {"text", "text"},     {"char", "text"},      {"varchar", "text"},
      {"date", "text"},     {"int", "whole"},      {"integer", "whole"}, {"long", "whole"},     {"float", "number"},
      {"double", "number"}, {"decimal", "number"}, {"number", "number"}, {"numeric", "number"}, {"real", "number"},
      {"num", "number"},    {"boolean", "bool"},   {"bool", "bool"},     {"logical", "bool"},   {"object", "any"},
      {"any", "any"},       {"whole", "whole"},    {"unknown", "any"},   {"f32", "number"},     {"f64", "number"},
      {"i8", "whole"},      {"i16", "whole"},      {"i32", "whole"},     {"i64", "whole"},      {"u8", "whole"},
      {"u16", "whole"},     {"u32", "whole"},      {"u64", "whole"},     {"usize", "whole"},    {"uint", "whole >= 0"},
      {"short", "whole"},   {"byte", "whole"},     {"bigint", "whole"},  {"datetime", "text"},  {"timestamp", "text"},
      {"flag", "bool"},     {"json", "any"},
  };
  FixIt help = did_you_mean(name, names);
  const std::string low = in_lower_case(name);
  for (const auto& [foreign, word] : kForeign) {
    if (low == foreign) help = FixIt({}, std::string(word), true);
  }
  // Texts of dates can be compared, and nothing can be computed with them.
  if (low == "date" || low == "datetime" || low == "timestamp")
    help = FixIt("there are no dates: write text to compare them, or number for days or seconds", "text", false);
  if (name == "enum") help = "write one of (\"a\", \"b\")";
  if (help.empty()) help = "declare it: type " + name + " = number 0..1";
  error(Code::unknown_type, span, "there is no type '" + name + "'", "", help);
}

TypeId TypeReader::kind(const ast::Kind& k, int rubric_index) {
  const Nesting nesting(budget_, Budget::kCheckLevels);
  switch (k.tag) {
    case ast::KindTag::number: return types_.number(interval(k.low, k.high, k.bounds, rubric_index), false);
    case ast::KindTag::whole: return types_.number(interval(k.low, k.high, k.bounds, rubric_index), true);
    case ast::KindTag::boolean: return kBool;
    case ast::KindTag::text: return kText;
    case ast::KindTag::any: return kAny;
    case ast::KindTag::one_of: {
      std::vector<std::string> choices;
      std::set<std::string> known;
      for (const ast::Text& t : k.choices) {
        if (!known.insert(t.str()).second) {
          error(Code::duplicate_name, t.span, "\"" + t.str() + "\" stands twice in this list");
          continue;
        }
        choices.push_back(t.str());
      }
      return types_.text(std::move(choices));
    }
    case ast::KindTag::list: {
      const TypeId element = kind(*k.element, rubric_index);
      return types_.list(element, false, k.optional_items || types_.kind(element) == TypeKind::any);  // null is missing
    }
    case ast::KindTag::set: {
      const TypeId element = kind(*k.element, rubric_index);
      if (types_.kind(element) != TypeKind::text && types_.kind(element) != TypeKind::number) {
        error(Code::wrong_type, k.span, "a set holds texts or numbers, not " + types_.say(element), "",
              "write 'list of'");
        return types_.list(element);
      }
      return types_.list(element, true);
    }
    case ast::KindTag::map: return types_.map(kind(*k.element, rubric_index));
    case ast::KindTag::either: return asked_.either_of(k, rubric_index);
    case ast::KindTag::named: return named_type(k.name, k.span, rubric_index);
    case ast::KindTag::record: {
      std::vector<Field> fields;
      for (const ast::KindField& f : k.fields) {
        Field field;
        field.name = f.name.text;
        field.type = kind(*f.kind, rubric_index);
        for (const Field& other : fields) {
          if (other.name == field.name)
            error(Code::duplicate_name, f.name.span, "the field '" + field.name + "' stands twice");
        }
        switch (f.policy.tag) {
          case ast::PolicyTag::required: break;
          case ast::PolicyTag::optional: field.presence = Presence::optional; break;
          case ast::PolicyTag::default_: {
            Context cx;
            cx.rubric = rubric_index;
            Expr* value = exprs_.expr(*f.policy.expr, cx);
            field.presence = Presence::defaulted;
            if (!is_constant(value)) {
              error(Code::not_constant, f.policy.expr->span,
                    "the default of a field must be known before a record is seen", "this depends on the record",
                    "make the field 'optional' and write 'default' where it is used");
            } else if (!convert(*value, field.type, field.fallback, f.policy.expr->span)) {
              field.presence = Presence::optional;
            }
            break;
          }
          default:
            error(Code::bad_policy, f.policy.span, "a field of a record is required, 'optional' or has a 'default'", "",
                  "only inputs and dimensions have other policies");
        }
        fields.push_back(std::move(field));
      }
      // Defaults are part of the type here: records that differ in them are read differently.
      const TypeId id = types_.nominal("");
      types_.complete(id, std::move(fields));
      if (state_.notes != nullptr) state_.notes->records.emplace_back(id, &k);
      return id;
    }
  }
  return kUnknown;  // no test: all kinds have returned
}

bool TypeReader::contains_value(const Type& type, const Value& value) {
  if (value.missing()) return false;
  if (type.kind == TypeKind::number) return holds(type.range, value.number) && (!type.whole || is_whole(value.number));
  return type.kind != TypeKind::text || type.allows(value.text.view());
}

// Defaults share their parts, but records and verdicts write them out: a type that contains the previous one twice
// would double with each level.
template <class TypeOf>
bool TypeReader::default_small_enough(const Value* parts, std::size_t count, Span span, const TypeOf& type_of) {
  constexpr std::size_t kMost = 1 << 20;
  std::size_t size = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const auto known = state_.constant_sizes.find(parts_of(types_.kind(type_of(i)), parts[i]));
    size += known == state_.constant_sizes.end() ? 1 : known->second;
  }
  budget_.step(size);
  if (count > 0) state_.constant_sizes[parts] = size;
  if (size <= kMost) return true;
  error(Code::bad_default, span,
        "this default has more than " + std::to_string(kMost) + " values when it is written out", "",
        "make some of the fields in it 'optional' instead of giving them a default");
  return false;
}

bool TypeReader::convert(const Expr& value, TypeId to, Value& result, Span span) {
  const Nesting nesting(budget_);
  if (types_.kind(value.type) == TypeKind::either && !value.value.missing()) {
    Expr known;
    known.type = types_.actual(value.type, value.value);
    known.span = value.span;
    known.value = value.value;
    return convert(known, to, result, span);
  }
  if (types_.kind(to) == TypeKind::either) {
    TypeId one = types_.alternative(to, types_.kind(value.type));
    const bool empty = types_.kind(value.type) == TypeKind::record && types_[value.type].fields.empty();
    if (one == kUnknown && empty) one = types_.alternative(to, TypeKind::map);
    if (one != kUnknown) return convert(value, one, result, span);
  }
  const Type& type = types_[to];
  if (value.value.missing()) {
    if (value.type != kUnknown || value.span.begin != value.span.end) {
      error(Code::bad_default, span, "a default is a value, not missing", "", "write 'optional'");
    }
    return false;
  }
  if (type.kind == TypeKind::record && types_.kind(value.type) == TypeKind::record) {
    const std::vector<Field> have = types_[value.type].fields;
    const std::vector<Field> fields = type.fields;
    Value* out = values(fields.size());
    for (const Field& h : have) {
      if (types_.field(to, h.name) >= 0) continue;
      std::vector<std::string_view> names;
      for (const Field& f : fields) names.push_back(f.name);
      error(Code::unknown_field, span, "there is no field '" + h.name + "' in " + types_.say(to), "",
            near_or_all(h.name, names));
      return false;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      out[i] = fields[i].fallback;
      const auto it = std::find_if(have.begin(), have.end(), [&](const Field& h) { return h.name == fields[i].name; });
      if (it == have.end()) {
        if (fields[i].presence == Presence::required) {
          error(Code::bad_default, span, "this default lacks the required field '" + fields[i].name + "'", "",
                "write it, too: { " + fields[i].name + ": …, … }");
          return false;
        }
        continue;
      }
      Expr part;
      part.type = it->type;
      part.span = span;
      part.value = value.value.record.fields[it - have.begin()];
      if (!convert(part, fields[i].type, out[i], span)) return false;
    }
    result = make_record(out, static_cast<std::uint32_t>(fields.size()));
    return default_small_enough(out, fields.size(), span, [&](std::size_t i) { return fields[i].type; });
  }
  if (type.kind == TypeKind::map && types_.kind(value.type) == TypeKind::record) {  // its fields are the entries
    const std::vector<Field> fields = types_[value.type].fields;
    const TypeId element = type.element;
    const auto size = static_cast<std::uint32_t>(fields.size());
    auto* data = static_cast<MapData*>(model_.constants.allocate(sizeof(MapData)));
    *data = {values(size), values(size), nullptr, 0};
    for (std::uint32_t i = 0; i < size; ++i) {
      Expr part;
      part.type = fields[i].type;
      part.span = span;
      part.value = value.value.record.fields[i];
      data->keys[i] = make_text(model_.constants.copy(fields[i].name));
      if (!convert(part, element, data->values[i], span)) return false;
    }
    if (size >= kMapIndexFrom) {
      const std::uint32_t words = map_index_size(size);
      map_build_index(*data, size, model_.constants.array<std::uint32_t>(words), words);
    }
    result = make_map(data, size);
    return default_small_enough(data->values, size, span, [&](std::size_t) { return element; });
  }
  if (type.kind == TypeKind::list && types_.kind(value.type) == TypeKind::list) {
    const ListValue list = value.value.list;
    Value* items = values(list.size);
    for (std::uint32_t i = 0; i < list.size; ++i) {
      Expr part;
      part.type = types_[value.type].element;
      part.span = span;
      part.value = list.items[i];
      if (!convert(part, type.element, items[i], span)) return false;
    }
    result = make_list(items, list.size);
    return default_small_enough(items, list.size, span, [&](std::size_t) { return type.element; });
  }
  if (!types_.fits(value.type, to)) {
    error(Code::bad_default, span,
          type.kind == TypeKind::any ? "a value of any type has a default here"
                                     : "the default is " + types_.say(value.type) + ", the input is " + types_.say(to),
          "", hints_.default_help(value, to));
    return false;
  }
  if (!contains_value(type, value.value)) {
    error(Code::bad_default, span, "this default is not " + types_.say(to), "", hints_.default_help(value, to));
    return false;
  }
  result = value.value;
  return true;
}

}  // namespace assay
