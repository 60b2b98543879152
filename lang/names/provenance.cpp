#include "lang/names/provenance.hpp"

#include "lang/parse/syntax.hpp"

#include <string_view>

namespace assay {

Provenance provenance(const Sources& sources, const ast::Input& input) {
  if (!input.kind) return Provenance::unsaid;  // what is broken says nothing
  const std::string_view text = sources.file(input.kind->span.file).text;
  const auto behind = [text](Span part) {
    RoughToken token = rough_token(text, part.end);
    // The parentheses around a type are no part of it.
    while (token.tag == RoughToken::Tag::sign && text[token.begin] == ')') token = rough_token(text, token.end);
    const std::string_view word = text.substr(token.begin, token.end - token.begin);
    return word == "judged" ? Provenance::judged : word == "measured" ? Provenance::measured : Provenance::unsaid;
  };
  const Provenance found = behind(input.kind->span);
  return found != Provenance::unsaid || input.policy.span.end == 0 ? found : behind(input.policy.span);
}

}  // namespace assay
