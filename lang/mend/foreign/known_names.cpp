// Reads the heads of declarations, in the words of Assay and in common ones of other languages.
#include "lang/mend/foreign/known_names.hpp"

namespace assay::mending {
namespace {

Shape shape_of(const Tokens& tokens, std::size_t i) {
  const std::string_view word = tokens[i].shown;
  if (among(word, {"number", "whole", "int", "float", "integer", "decimal", "double", "num", "Number", "Integer"}))
    return tokens.is(i + 1, "[") ? Shape::list : Shape::number;
  if (among(word, {"text", "string", "str", "String", "Text", "one", "enum", "Literal", "varchar"}))
    return tokens.is(i + 1, "[") && tokens.is(i + 2, "]") ? Shape::list : Shape::text;
  if (among(word, {"bool", "boolean", "Boolean"})) return Shape::condition;
  if (among(word, {"list", "List", "array", "Array", "set", "Set", "Vec"})) {
    const std::size_t of = i + 2;
    const bool simple = among(tokens[of].shown, {"text", "number", "whole", "bool", "one", "str", "string", "int",
                                                 "float", "list", "optional"});
    return simple ? Shape::list : Shape::records;
  }
  if (among(word, {"map", "Map", "dict", "Dict"})) return Shape::map;
  if (word == "{") return Shape::record;
  return Shape::unknown;
}

// The names of the fields of a record in braces.
std::vector<std::string_view> fields_of(const Tokens& tokens, std::size_t open) {
  std::vector<std::string_view> result;
  if (!tokens.is(open, "{") || tokens[open].partner == kNone) return result;
  bool type = false;
  for (std::size_t i = open + 1; i < tokens[open].partner; i = tokens.behind(i)) {
    if (tokens.is(i, ":")) type = true;
    else if (tokens.is(i, ",") || tokens[i + 1].first) type = false;
    else if (!type && tokens[i].kind == Token::Kind::word && (tokens.is(i + 1, ":") || tokens.is(i + 1, ",")))
      result.push_back(tokens[i].shown);
  }
  return result;
}

// For each list of records: the fields of its items.
void learn_fields(const Tokens& tokens, std::map<std::string_view, std::vector<std::string_view>>& fields) {
  std::map<std::string_view, std::size_t> types;  // by name, the brace that opens it
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool type = tokens[i].starts && tokens.is(i, "type") && tokens.is(i + 2, "=") && tokens.is(i + 3, "{");
    if (type) types.emplace(tokens[i + 1].shown, i + 3);
  }
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    const bool list = tokens[i].kind == Token::Kind::word && tokens.is(i + 1, ":") &&
                      among(tokens[i + 2].shown, {"list", "set", "map"}) && tokens.is(i + 3, "of");
    if (!list) continue;
    std::size_t of = i + 4;
    const auto known = types.find(tokens[of].shown);
    if (known != types.end()) of = known->second;
    std::vector<std::string_view> names = fields_of(tokens, of);
    if (!names.empty()) fields[tokens[i].shown] = std::move(names);
  }
  for (std::size_t i = 0; i + 8 < tokens.size(); ++i) {  // let open = [t for t in tickets when …]
    const bool some = tokens.is(i, "let") && tokens.is(i + 2, "=") && tokens.is(i + 3, "[") &&
                      tokens.is(i + 5, "for") && tokens.is(i + 6, tokens[i + 4].shown) && tokens.is(i + 7, "in");
    const auto of = some ? fields.find(tokens[i + 8].shown) : fields.end();
    if (of != fields.end()) fields.emplace(tokens[i + 1].shown, of->second);
  }
}

}  // namespace

KnownNames::KnownNames(const Tokens& tokens) {
  learn_fields(tokens, fields);
  const auto learn = [this](std::string_view name, Shape shape) {
    const auto [it, fresh] = shapes.emplace(name, shape);
    if (!fresh && it->second != shape) it->second = Shape::unknown;
  };
  std::size_t example = 0;  // the end of the example that is passed
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.starts && token.shown == "example") {
      std::size_t open = i + 1;
      while (open + 1 < tokens.size() && !tokens.is(open, "{") && !tokens[open].starts) ++open;
      if (tokens.is(open, "{") && tokens[open].partner != kNone) example = tokens[open].partner;
    }
    if (i < example || token.kind != Token::Kind::word) continue;
    const bool head = i > 0 && tokens[i - 1].kind == Token::Kind::word &&
                      (tokens[i - 1].starts ||
                       among(tokens[i - 1].shown, {"const", "var", "val", "def", "function", "func", "fun", "param"}));
    if (head && tokens[i - 1].shown == "table" && tokens.is(i + 1, "(")) {
      std::size_t keys = 1;
      for (std::size_t k = i + 2; k < tokens.size() && tokens[i + 1].partner != kNone && k < tokens[i + 1].partner; ++k)
        keys += tokens.is(k, ",") ? 1 : 0;
      tables.emplace(token.shown, keys);
      std::size_t cell = tokens[i + 1].partner == kNone ? tokens.size() : tokens[i + 1].partner + 1;
      if (tokens[cell].is_text()) ++cell;
      if (tokens.is(cell, "{")) ++cell;
      for (; tokens.is(cell, "|") && tokens[cell + 1].kind == Token::Kind::word && !tokens[cell + 1].first; cell += 2)
        columns[token.shown].push_back(tokens[cell + 1].shown);
    } else if (head && tokens.is(i + 1, "(") && tokens[i + 1].partner != kNone &&
               among(tokens[i - 1].shown, {"fn", "def", "function", "func", "hook"})) {
      auto& names = functions[token.shown];
      for (std::size_t k = i + 2; k < tokens[i + 1].partner; k = tokens.behind(k)) {
        const bool parameter = tokens[k].kind == Token::Kind::word && (tokens.is(k - 1, "(") || tokens.is(k - 1, ","));
        if (parameter) names.push_back(tokens[k].shown), bound.insert(tokens[k].shown);
      }
    } else if (head && tokens[i - 1].shown == "rubric") {
      rubrics.insert(token.shown);
    } else if (head &&
               !among(tokens[i - 1].shown, {"rubric", "type", "flag", "gate", "check", "advice", "incomplete"})) {
      declared.insert(token.shown);
    }
    if (head && among(tokens[i - 1].shown, {"input", "let", "const", "var", "dimension", "criterion"})) {
      values_of_record.insert(token.shown);
      // several names
      for (std::size_t k = i; tokens.is(k + 1, ",") && tokens[k + 2].kind == Token::Kind::word; k += 2)
        declared.insert(tokens[k + 2].shown), values_of_record.insert(tokens[k + 2].shown);
    }
    const std::size_t list = head && tokens[i - 1].shown == "let" && tokens.is(i + 1, "=") && tokens.is(i + 2, "[")
                                 ? tokens[i + 2].partner
                                 : kNone;
    if (list != kNone && (tokens[list + 1].first || tokens[list + 1].is_text()))
      learn(token.shown, fields.count(token.shown) != 0 ? Shape::records : Shape::list);
    if (tokens.is(i + 1, ":")) {
      std::size_t end = i + 2;  // of the type, without the fields of a record
      while (end + 1 < tokens.size() && !tokens[end].starts && !tokens[end].is_text() && !tokens.is(end, ",") &&
             !tokens.is(end, "}") && !tokens.is(end, "{") && !tokens.is(end, "optional"))
        end = tokens.behind(end);
      if (tokens.is(end, "optional")) optional.insert(token.shown);
      if (const Shape shape = shape_of(tokens, i + 2); shape != Shape::unknown) {
        learn(token.shown, shape);
        const bool is_whole = among(tokens[i + 2].shown, {"whole", "int", "integer", "Integer"});
        if (is_whole) whole.insert(token.shown);
        if (shape == Shape::list && tokens.is(i + 3, "of")) items.emplace(token.shown, shape_of(tokens, i + 4));
        const std::size_t type = tokens.is(i + 3, "of") ? i + 4 : i + 2;  // of a list: that of its items
        const std::size_t low = among(tokens[type + 1].shown, {">=", ">"}) ? type + 2
                                : tokens.is(type + 2, "..")                ? type + 1
                                                                           : i;
        if (low > i && tokens[low].kind == Token::Kind::number) {
          never_negative.insert(token.shown);
          for (std::size_t k = i; k >= 2 && tokens.is(k - 1, ","); k -= 2) never_negative.insert(tokens[k - 2].shown);
        }
        if (tokens.is(i + 2, "one") && tokens.is(i + 3, "of") && tokens.is(i + 4, "(")) {
          for (std::size_t k = i + 5; k < tokens.size() && tokens[k].is_text(); k += 2)
            values[token.shown].push_back(tokens[k].shown);
        }
        for (std::size_t k = i;
             k >= 2 && tokens.is(k - 1, ",") && tokens[k - 2].kind == Token::Kind::word && !tokens[k - 2].starts;
             k -= 2) {
          learn(tokens[k - 2].shown, shape);
          if (is_whole) whole.insert(tokens[k - 2].shown);
        }
      }
    }
    if (among(token.shown, {"for", "foreach", "each", "let", "const", "lambda"}) &&
        tokens[i + 1].kind == Token::Kind::word && !token.starts)
      bound.insert(tokens[i + 1].shown);
    if (tokens.is(i + 1, "=>") || tokens.is(i + 1, "->") ||
        (tokens.is(i + 1, ",") && tokens[i + 2].kind == Token::Kind::word && tokens.is(i + 3, "in")))
      bound.insert(token.shown);
    if (i > 0 && tokens.is(i - 1, ",") && tokens.is(i + 1, "in")) bound.insert(token.shown);
    if (i > 0 && tokens.is(i - 1, "|") && tokens.is(i + 1, "|")) bound.insert(token.shown);
    if (token.starts && token.shown == "cohort") fields["records"] = {"score", "status", "id", "composite", "reason"};
  }
  // A value of the rubric that has the name of a field has its own shape.
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool value =
        tokens[i].starts && among(tokens[i].shown, {"let", "dimension", "criterion"}) && tokens.is(i + 2, "=");
    if (value && is_field(tokens[i + 1].shown) && !tokens.is(i + 3, "[")) shapes[tokens[i + 1].shown] = Shape::unknown;
  }
  if (const auto verdicts = fields.find("records"); verdicts != fields.end() && !declares("records"))
    verdicts->second.insert(verdicts->second.end(), declared.begin(), declared.end());
}

bool KnownNames::is_field(std::string_view name) const {
  return std::any_of(fields.begin(), fields.end(), [name](const auto& list) {
    return std::find(list.second.begin(), list.second.end(), name) != list.second.end();
  });
}

bool KnownNames::has_field(std::string_view list, std::string_view name) const {
  const auto known = fields.find(list);
  return known != fields.end() && std::find(known->second.begin(), known->second.end(), name) != known->second.end();
}

bool KnownNames::singular(std::string_view one, std::string_view many) {
  const std::string name(one);
  if (many == name + "s" || many == name + "es" || many == name + "_list") return true;
  return name.size() > 1 && name.back() == 'y' && many == name.substr(0, name.size() - 1) + "ies";
}

bool KnownNames::is_item(std::string_view name) const {
  return std::any_of(declared.begin(), declared.end(), [name](std::string_view many) { return singular(name, many); });
}

Shape KnownNames::shape(std::string_view name) const {
  const auto it = shapes.find(name);
  return it == shapes.end() ? Shape::unknown : it->second;
}

bool begins_call(const Tokens& tokens, std::size_t i) {
  return tokens[i].kind == Token::Kind::word && tokens.is(i + 1, "(") && tokens[i + 1].begin == tokens[i].end;
}

bool remark_behind(const Tokens& tokens, std::size_t i) {
  const Token& next = tokens[i + 1];
  if (next.kind != Token::Kind::word || begins_call(tokens, i + 1)) return false;
  for (std::size_t k = i; k-- > 0 && !tokens[k + 1].first && !tokens.is(k, "=");) {
    if (tokens[k].shown == next.shown) return true;
  }
  return false;
}

}  // namespace assay::mending
