// The tokens of the language, and matching rules that PEGTL lacks. A token includes the blanks and comments after it,
// so that an error is reported at the beginning of the offending token. Part of lang/parse/grammar.hpp.
#pragma once

#include <tao/pegtl.hpp>

namespace assay::grammar {

namespace p = tao::pegtl;

// The three rules that PEGTL lacks; lang/parse/parse.cpp implements them. Matches Rule, unless it is nested too deep.
template <typename Rule>
struct nested {
  using rule_t = nested;
  using subs_t = p::type_list<Rule>;
  template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input, typename State>
  [[nodiscard]] static bool match(Input& in, State& state);
};
// Matches Rule; if it raises an error, keeps the error and skips the text up to the next declaration.
template <typename Rule>
struct guarded {
  using rule_t = guarded;
  using subs_t = p::type_list<Rule>;
  template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input, typename State>
  [[nodiscard]] static bool match(Input& in, State& state);
};
// Matches at a missing '}': reports it and succeeds.
struct unclosed {
  using rule_t = unclosed;
  using subs_t = p::empty_list;
  template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename Input, typename State>
  [[nodiscard]] static bool match(Input& in, State& state);
};

// Matches Rule, but only tries it if one of these characters comes next: nearly all alternatives fail at their first
// character, and this avoids opening and dropping a node.
template <typename Rule, char... First>
struct led : p::seq<p::at<p::one<First...>>, Rule> {};
// Matches a keyword, and consumes nothing unless all of it is there, so that a commit point that fails on "weightsx"
// reports the beginning of that word.
template <typename Keyword>
struct entire;
template <char First, char... Rest>
struct entire<p::keyword<First, Rest...>> : p::sor<led<p::keyword<First, Rest...>, First>, p::failure> {};
#define ASSAY_KEYWORD(spelling) entire<TAO_PEGTL_KEYWORD(spelling)>
#define ASSAY_WORD(name, spelling) \
  struct name : word<ASSAY_KEYWORD(spelling)> {}

// ---- tokens
struct comment : p::seq<p::one<'#'>, p::until<p::eolf>> {};
struct ws : p::star<p::sor<p::space, comment>> {};
template <char C>
struct mark : p::one<C> {};
template <char C>
struct sym : p::seq<led<mark<C>, C>, ws> {};
template <typename Keyword>
struct word_mark : Keyword {};
template <typename Keyword>
struct word;
template <char First, char... Rest>
struct word<entire<p::keyword<First, Rest...>>>
    : p::seq<led<word_mark<entire<p::keyword<First, Rest...>>>, First>, ws> {};
template <typename Leaf>
struct token : p::seq<Leaf, ws> {};

template <typename String>
struct reserved_string;
template <char First, char... Rest>
struct reserved_string<p::string<First, Rest...>> : led<p::string<First, Rest...>, First> {};
#define ASSAY_RESERVED(spelling) reserved_string<TAO_PEGTL_STRING(spelling)>
struct reserved_word
    : p::sor<ASSAY_RESERVED("and"), ASSAY_RESERVED("or"), ASSAY_RESERVED("xor"), ASSAY_RESERVED("not"),
             ASSAY_RESERVED("in"), ASSAY_RESERVED("is"), ASSAY_RESERVED("when"), ASSAY_RESERVED("else"),
             ASSAY_RESERVED("for"), ASSAY_RESERVED("default"), ASSAY_RESERVED("missing"), ASSAY_RESERVED("otherwise"),
             ASSAY_RESERVED("true"), ASSAY_RESERVED("false")> {};
#undef ASSAY_RESERVED
struct reserved : p::seq<reserved_word, p::not_at<p::identifier_other>> {};
struct name : p::seq<p::not_at<reserved>, p::identifier> {};
struct ident : token<name> {};

struct digits : p::seq<p::plus<p::digit>, p::star<p::one<'_'>, p::plus<p::digit>>> {};
struct fraction : p::seq<p::one<'.'>, digits> {};
struct exponent : p::seq<p::one<'e', 'E'>, p::opt<p::one<'+', '-'>>, p::plus<p::digit>> {};
struct number_end : p::not_at<p::sor<p::identifier_other, p::seq<p::one<'.'>, p::not_at<p::one<'.'>>>>> {};
struct number : p::seq<digits, p::opt<fraction>, p::opt<exponent>, p::opt<p::one<'%'>>, p::must<number_end>> {};
struct number_token : token<number> {};
struct integer : p::seq<p::plus<p::digit>, p::must<number_end>> {};
struct integer_token : token<integer> {};

struct expr;
struct decimals;
struct chars : p::plus<p::not_one<'"', '\\', '{', '\n', '\r'>> {};
struct unicode : p::seq<p::one<'{'>, p::rep_min_max<1, 6, p::xdigit>, p::one<'}'>> {};
struct escaped : p::sor<p::one<'"', '\\', '{', '}', 'n', 't'>, p::seq<p::one<'u'>, p::must<unicode>>> {};
struct escape : p::seq<p::one<'\\'>, p::must<escaped>> {};
struct interpolation_end : mark<'}'> {};
struct interpolation : p::seq<sym<'{'>, p::must<expr>, p::opt<decimals>, p::must<interpolation_end>> {};
struct text_end : mark<'"'> {};
struct text
    : p::seq<p::one<'"'>, p::star<p::sor<chars, led<escape, '\\'>, led<interpolation, '{'>>>, p::must<text_end>> {};
struct text_token : token<text> {};
struct raw_begin : p::string<'"', '"', '"'> {};
struct raw_body : p::until<p::string<'"', '"', '"'>> {};
struct raw : p::seq<raw_begin, p::must<raw_body>> {};
struct raw_token : token<raw> {};

struct open_paren : sym<'('> {};
struct close_paren : sym<')'> {};
struct open_bracket : sym<'['> {};
struct close_bracket : sym<']'> {};
struct open_brace : sym<'{'> {};
struct close_brace : sym<'}'> {};
struct close_args : sym<')'> {};
struct close_list : sym<']'> {};
struct comma : sym<','> {};
struct colon : sym<':'> {};
struct equals : p::seq<p::not_at<p::string<'=', '='>>, sym<'='>> {};
struct dot : p::seq<p::not_at<p::string<'.', '.'>>, sym<'.'>> {};
struct bar : sym<'|'> {};
struct dots : p::seq<mark<'.'>, mark<'.'>, ws> {};

ASSAY_WORD(kw_when, "when");
ASSAY_WORD(kw_else, "else");
ASSAY_WORD(kw_for, "for");
ASSAY_WORD(kw_in, "in");
ASSAY_WORD(kw_while, "while");
ASSAY_WORD(kw_with, "with");
ASSAY_WORD(kw_then, "then");
ASSAY_WORD(kw_by, "by");
ASSAY_WORD(kw_where, "where");
ASSAY_WORD(kw_decimals, "decimals");
ASSAY_WORD(kw_digits, "digits");
ASSAY_WORD(kw_within, "within");
ASSAY_WORD(kw_at, "at");
ASSAY_WORD(kw_from, "from");
ASSAY_WORD(kw_lua, "lua");
ASSAY_WORD(kw_of, "of");
ASSAY_WORD(kw_or, "or");
ASSAY_WORD(kw_as, "as");
ASSAY_WORD(kw_one, "one");
ASSAY_WORD(kw_list, "list");
ASSAY_WORD(kw_set, "set");
ASSAY_WORD(kw_map, "map");
ASSAY_WORD(kw_extends, "extends");
ASSAY_WORD(kw_weight, "weight");
ASSAY_WORD(kw_points, "points");
ASSAY_WORD(kw_missing, "missing");
ASSAY_WORD(kw_default, "default");
ASSAY_WORD(kw_required, "required");

}  // namespace assay::grammar
