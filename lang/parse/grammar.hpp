// The grammar of the language: PEGTL rules only, one per line. Operators are matched as flat runs of operands and
// operators; lang/parse/parse_expr.cpp applies their precedence from lang/syntax/operators.def. Names before brackets,
// and the alternatives of a declaration, are distinguished by their first token, so that nothing is ever parsed twice.
// A rule whose name is a row of lang/parse/syntax.def becomes a node of the syntax tree; 'must' is a commit point, and
// lang/parse/parse.cpp has the message of each rule in a 'must'. Only that file and the test of the grammar include
// this one.
#pragma once

#include "lang/parse/grammar_tokens.hpp"

#include <tao/pegtl/contrib/analyze_traits.hpp>

namespace assay::grammar {

// ---- operators, as flat runs
struct op_sign : p::sor<p::string<'=', '='>, p::string<'!', '='>, p::string<'<', '='>, p::string<'>', '='>,
                        p::string<'.', '.'>, p::one<'<', '>', '+', '-', '*', '/', '^'>> {};
struct op_word : p::sor<ASSAY_KEYWORD("and"), ASSAY_KEYWORD("or"), ASSAY_KEYWORD("xor"), ASSAY_KEYWORD("in"),
                        ASSAY_KEYWORD("default")> {};
struct op
    : p::sor<led<op_sign, '=', '!', '<', '>', '.', '+', '-', '*', '/', '^'>, led<op_word, 'a', 'o', 'x', 'i', 'd'>> {};
struct sum_op : p::one<'+', '-', '*', '/', '^'> {};
struct in_after_not : ASSAY_KEYWORD("in") {};
struct not_in : p::seq<ASSAY_KEYWORD("not"), ws, p::must<in_after_not>> {};
#define ASSAY_ASKED_KIND(id, word, ...) ASSAY_KEYWORD(word),
struct asked_kind : p::sor<
#include "lang/value/asked_kinds.def"
                        p::failure> {
};
#undef ASSAY_ASKED_KIND
struct tested : p::sor<ASSAY_KEYWORD("missing"), ASSAY_KEYWORD("given"), asked_kind> {};
struct is_test : p::seq<ASSAY_KEYWORD("is"), ws, p::must<tested>> {};
struct minus : p::one<'-'> {};
struct prefix : p::sor<minus, ASSAY_KEYWORD("not")> {};
struct any_op : p::sor<led<token<not_in>, 'n'>, token<op>> {};

struct operand;
struct prefixes : p::plus<token<prefix>> {};
struct term : p::sor<led<p::seq<prefixes, p::must<operand>>, '-', 'n'>, operand> {};
struct no_op : p::one<'"', '#', '(', ')', ',', ':', '[', ']', '{', '|', '}'> {};  // signs that end most runs
struct run : p::seq<term, p::star<p::not_at<no_op>, p::sor<led<token<is_test>, 'i'>, p::seq<any_op, p::must<term>>>>> {
};
struct sum_prefix : minus {};
struct sum_term : p::sor<p::seq<p::plus<token<sum_prefix>>, p::must<operand>>, operand> {};
struct sum : p::seq<sum_term, p::star<token<sum_op>, p::must<sum_term>>> {};

// ---- choices, bodies
struct arm_when : p::seq<kw_when, p::must<run>> {};
struct arm_else : p::seq<kw_else, p::must<run>> {};
struct choice : p::seq<run, p::star<led<arm_when, 'w'>, p::opt<led<arm_else, 'e'>>>> {};
struct expr : nested<choice> {};
struct where_part : p::seq<ident, p::must<equals, expr>> {};
struct where : p::seq<kw_where, p::must<where_part>, p::star<comma, p::must<where_part>>> {};
struct body : p::seq<expr, p::opt<led<where, 'w'>>> {};
struct decimals : p::seq<kw_decimals, p::must<integer_token>> {};
struct digits_shown : p::seq<kw_digits, p::must<integer_token>> {};

// ---- loops
struct for_clause : p::seq<kw_for, p::must<ident>, p::opt<comma, p::must<ident>>, p::must<kw_in, run>> {};
struct when_clause : p::seq<kw_when, p::must<run>> {};
struct while_clause : p::seq<kw_while, p::must<run>> {};
// A choice needs parentheses here, because 'when' begins the next clause.
struct loop_where_part : p::seq<ident, p::must<equals, run>> {};
struct where_clause : p::seq<kw_where, p::must<loop_where_part>, p::star<comma, p::must<loop_where_part>>> {};
struct with_clause : p::seq<kw_with, p::must<ident, equals, expr, kw_then, expr>> {};
struct direction : p::sor<ASSAY_KEYWORD("higher"), ASSAY_KEYWORD("lower")> {};
struct order_key : p::seq<token<direction>, p::must<run>> {};
struct order : p::seq<order_key, p::star<comma, p::must<order_key>>> {};
struct by_order : p::seq<kw_by, p::must<order>> {};
struct loop_clauses : p::seq<for_clause, p::star<p::sor<for_clause, when_clause, while_clause, where_clause>>,
                             p::opt<with_clause>, p::opt<by_order>> {};
struct loop : nested<loop_clauses> {};  // the iterated list may itself be made by a loop

// ---- operands
struct boolean : p::sor<ASSAY_KEYWORD("true"), ASSAY_KEYWORD("false")> {};
struct missing : ASSAY_KEYWORD("missing") {};
struct keyed : p::seq<colon, p::must<expr>> {};
struct arguments
    : p::seq<expr, p::opt<led<keyed, ':'>>, p::star<led<comma, ','>, p::must<expr>>, p::opt<led<loop, 'f'>>> {};
struct args : p::seq<open_paren, p::opt<arguments>, p::must<close_args>> {};
struct reference : p::seq<ident, p::opt<led<args, '('>>> {};
struct paren : p::seq<open_paren, p::must<expr>, p::must<close_paren>> {};
struct list : p::seq<open_bracket, p::opt<expr, p::star<led<comma, ','>, p::must<expr>>, p::opt<led<loop, 'f'>>>,
                     p::must<close_list>> {};
struct text_key : p::seq<text_token, p::must<keyed>> {};
struct name_key : p::seq<ident, p::opt<keyed>> {};
struct entry : p::sor<text_key, name_key> {};
struct record_end : close_brace {};
struct record : p::seq<open_brace, p::opt<entry, p::star<comma, p::must<entry>>>, p::must<record_end>> {};
struct field : p::seq<dot, p::must<ident>> {};
struct index : p::seq<open_bracket, p::must<expr, close_bracket>> {};
struct as_word : asked_kind {};
struct asked_token : token<as_word> {};
struct as_kind : p::seq<kw_as, p::must<asked_token>> {};
struct path : p::seq<ident, p::star<p::sor<field, index>>> {};
struct based : p::seq<p::sor<led<paren, '('>, led<list, '['>, led<record, '{'>, reference>,
                      p::star<p::sor<led<field, '.'>, led<index, '['>, led<as_kind, 'a'>>>> {};
struct constant : p::sor<p::seq<p::at<p::digit>, number_token>, led<text_token, '"'>, led<token<boolean>, 't', 'f'>,
                         led<token<missing>, 'm'>> {};
struct operand : p::sor<constant, based> {};

// ---- kinds and policies
struct kind;
struct bound_sign : p::sor<p::string<'<', '='>, p::string<'>', '='>, p::one<'<', '>'>> {};
struct bound : p::seq<token<bound_sign>, p::must<sum>> {};
struct bounds : p::plus<bound> {};
struct literal_range : p::seq<p::at<p::sor<p::digit, p::one<'-', '('>>>, sum, p::must<dots, sum>> {};
struct limits : p::opt<p::sor<literal_range, bounds>> {};
struct number_word : p::sor<ASSAY_KEYWORD("number"), ASSAY_KEYWORD("whole")> {};
struct kind_number : p::seq<token<number_word>, limits> {};
struct kind_plain : p::sor<ASSAY_KEYWORD("bool"), ASSAY_KEYWORD("text"), ASSAY_KEYWORD("any")> {};
struct kind_one_of : p::seq<kw_one, p::must<kw_of, open_paren, text_token>, p::star<comma, p::must<text_token>>,
                            p::must<close_paren>> {};
struct policy_optional;
struct one_kind;
struct kind_list : p::seq<kw_list, p::must<kw_of>, p::opt<token<policy_optional>>, p::must<one_kind>> {};
struct kind_set : p::seq<kw_set, p::must<kw_of, one_kind>> {};
struct kind_map : p::seq<kw_map, p::must<kw_of, one_kind>> {};
struct kind_group : p::seq<open_paren, p::must<kind>, p::must<close_paren>> {};
struct policy;
// A key that is not a name. Prose is possible at the same place, so the ':' after it distinguishes them.
struct quoted
    : p::seq<p::one<'"'>, p::star<p::sor<p::seq<p::one<'\\'>, p::any>, p::not_one<'"', '\\', '\n'>>>, p::one<'"'>> {};
struct quoted_then_colon : p::seq<quoted, ws, p::one<':'>> {};
struct quoted_key : p::seq<p::at<quoted_then_colon>, text_token> {};
struct field_names : p::sor<quoted_key, p::seq<ident, p::star<comma, p::must<ident>>>> {};
struct field_prose : p::opt<p::not_at<quoted_then_colon>, led<text_token, '"'>> {};
struct kind_field : p::seq<field_names, p::must<colon, kind>, p::opt<policy>, field_prose> {};
struct kind_end : close_brace {};
struct kind_record : p::seq<open_brace, p::star<kind_field, p::opt<comma>>, p::must<kind_end>> {};
struct kind_named : ident {};
struct any_kind : p::sor<led<kind_number, 'n', 'w'>, led<token<kind_plain>, 'b', 't', 'a'>, led<kind_one_of, 'o'>,
                         led<kind_list, 'l'>, led<kind_set, 's'>, led<kind_map, 'm'>, led<kind_record, '{'>,
                         led<kind_group, '('>, kind_named> {};
struct one_kind : nested<any_kind> {};
struct alternative : p::seq<kw_or, p::must<one_kind>> {};
struct kind : p::seq<one_kind, p::star<alternative>> {};
struct skip : p::seq<ASSAY_KEYWORD("skip")> {};
struct no_colon : p::not_at<ws, p::one<':'>> {};
struct policy_optional : p::seq<ASSAY_KEYWORD("optional"), no_colon> {};
struct required_word : p::seq<ASSAY_KEYWORD("required"), no_colon> {};
struct policy_required : p::seq<token<required_word>, p::opt<kw_when, p::must<run>>> {};
struct policy_default : p::seq<kw_default, p::must<run>> {};
struct skip_or_run : p::sor<token<skip>, run> {};
struct policy_missing : p::seq<kw_missing, p::must<skip_or_run>> {};
struct policy : p::sor<led<token<policy_optional>, 'o'>, led<policy_required, 'r'>, led<policy_default, 'd'>,
                       led<policy_missing, 'm'>> {};
struct provenance : p::sor<ASSAY_KEYWORD("judged"), ASSAY_KEYWORD("measured")> {};
// In either order, each of them once.
struct input_clauses : p::opt<p::sor<p::seq<led<token<provenance>, 'j', 'm'>, p::opt<policy>>,
                                     p::seq<policy, p::opt<led<token<provenance>, 'j', 'm'>>>>> {};

// ---- tables
struct otherwise : ASSAY_KEYWORD("otherwise") {};
struct pattern : p::sor<led<bounds, '<', '>'>, led<token<otherwise>, 'o'>, expr> {};
struct cell : p::seq<pattern, p::star<led<comma, ','>, p::must<pattern>>> {};
struct row_end : bar {};
struct row
    : p::seq<bar, p::must<cell>, p::must<row_end>, p::star<p::not_at<p::one<'|', '}'>>, cell, p::must<row_end>>> {};
struct rows_end : close_brace {};
struct rule_cell : p::seq<p::star<p::blank>, p::opt<p::one<':'>>, p::plus<p::one<'-'>>, p::opt<p::one<':'>>,
                          p::star<p::blank>, p::one<'|'>> {};
struct rule : p::seq<p::one<'|'>, p::plus<rule_cell>, ws, p::at<p::one<'|', '}'>>> {
};  // under a header, as in Markdown
struct rows : p::seq<open_brace, p::must<row>, p::opt<rule>, p::star<row>, p::must<rows_end>> {};

// ---- declarations
struct may_be_missing : p::opt<led<token<policy_optional>, 'o'>> {};  // for hooks
struct param : p::seq<ident, p::opt<colon, p::must<kind>, may_be_missing>> {};
struct params : p::seq<open_paren, p::opt<param, p::star<comma, p::must<param>>>, p::must<close_paren>> {};
struct result : p::seq<colon, p::must<kind>, may_be_missing> {};
struct prose : p::opt<led<text_token, '"'>> {};
struct defined : p::seq<prose, p::must<equals, body>> {};
struct label : p::sor<ident, text_token> {};
struct key : p::sor<ident, text_token> {};  // a text if a name is not possible
struct from : p::seq<kw_from, p::must<text_token>> {};

// version_word, scale_word, …: the first words of declarations.
#define ASSAY_DECLARATION(name, ...) ASSAY_WORD(name##_word, #name);
#define ASSAY_FRAME_WORD(name, ...) ASSAY_WORD(name##_word, #name);
#include "lang/syntax/declarations.def"

struct item_version : p::seq<version_word, p::must<text_token>> {};
struct open_word : ASSAY_KEYWORD("open") {};
struct scale_limits : p::sor<token<open_word>, literal_range, bounds> {};
struct item_scale : p::seq<scale_word, p::must<scale_limits>, p::opt<decimals>, p::opt<digits_shown>> {};
struct weights_rule : p::sor<ASSAY_KEYWORD("exact"), ASSAY_KEYWORD("rescaled")> {};
struct item_weights : p::seq<weights_word, p::must<token<weights_rule>>> {};
struct item_history : p::seq<history_word, p::must<kw_by, ident>> {};
struct item_type : p::seq<type_word, p::must<ident, equals, kind>> {};
struct item_input
    : p::seq<input_word, p::must<key>, p::star<comma, p::must<key>>, p::must<colon, kind>, input_clauses, prose> {};
struct item_check : p::seq<check_word, p::must<expr>, p::opt<loop>, p::must<kw_at, path, text_token>> {};
struct item_let : p::seq<let_word, p::must<ident, defined>, prose> {};
struct item_fn : p::seq<fn_word, p::must<ident, params>, p::opt<led<result, ':'>>, p::must<defined>, prose> {};
struct rows_or_from : p::sor<rows, from> {};
struct item_table : p::seq<table_word, p::must<ident>, p::opt<params>, prose, p::must<rows_or_from>, prose> {};
struct inline_hook : p::seq<kw_lua, p::must<raw_token>> {};
struct hook_source : p::sor<from, inline_hook> {};
struct item_hook : p::seq<hook_word, p::must<ident, params, result>, prose, p::must<hook_source>, prose> {};
struct item_gate : p::seq<gate_word, p::must<ident, defined>, prose> {};

// A word that begins a declaration of a rubric, and cannot begin a part of a dimension.
struct part_word : p::sor<ASSAY_KEYWORD("dimension"), ASSAY_KEYWORD("criterion")> {};
// clang-format off
struct any_word : p::sor<p::failure
#define ASSAY_DECLARATION(name, ...) , ASSAY_KEYWORD(#name)
#define ASSAY_SECOND_WORD(name, ...) , ASSAY_KEYWORD(#name)
#include "lang/syntax/declarations.def"
    , ASSAY_KEYWORD("rubric"), ASSAY_KEYWORD("import")> {};
// clang-format on
struct item_word : p::seq<p::not_at<part_word>, any_word> {};
struct block_end : p::sor<close_brace, unclosed> {};
struct block_stop : p::sor<p::one<'}'>, p::eof> {};
struct dimension_or_criterion : part_word {};
struct weight : p::seq<kw_weight, p::must<sum>> {};
struct points : p::seq<kw_points, p::must<sum>> {};
struct advisory : ASSAY_KEYWORD("advisory") {};
struct option : p::sor<led<weight, 'w'>, led<points, 'p'>, led<token<advisory>, 'a'>, led<policy_missing, 'm'>> {};
struct options : p::star<option> {};
struct level : p::seq<level_word, p::must<sum, text_token>> {};
struct item_dimension;
struct part : p::sor<nested<item_dimension>, level> {};
struct part_or_raise : p::must<part> {};
struct parts
    : p::seq<open_brace, p::star<p::not_at<p::sor<block_stop, item_word>>, guarded<part_or_raise>>, block_end> {};
struct measured : p::seq<equals, p::must<body>> {};
struct item_dimension : p::seq<token<dimension_or_criterion>, p::must<ident>, p::opt<colon, p::must<kind>>, options,
                               prose, options, p::opt<measured>, prose, p::opt<parts>, prose> {};

struct item_composite : p::seq<composite_word, p::must<equals, body>> {};
struct cap_when : p::seq<kw_when, p::must<run>> {};
struct item_cap : p::seq<cap_word, p::must<ident, kw_at, run>, p::opt<cap_when>, prose> {};
struct item_incomplete : p::seq<incomplete_word, p::must<kw_when, run, text_token>> {};
// clang-format off
struct adjustment_word : p::sor<p::failure
#define ASSAY_ADJUSTMENT(name, ...) , ASSAY_KEYWORD(#name)
#include "lang/syntax/declarations.def"
    > {};
// clang-format on
struct item_adjustment
    : p::seq<token<adjustment_word>, p::must<label>, prose, p::must<equals, body>, p::opt<loop>, prose> {};
struct within : p::seq<kw_within, p::must<run>> {};
struct item_bands : p::seq<bands_word, p::must<ident, params>, p::opt<within>, p::must<rows>> {};
// Without a value, the following token shows that the output ends: it shows the value of its name.
struct output_end : p::sor<block_stop, any_word, ASSAY_KEYWORD("decimals"), ASSAY_KEYWORD("digits")> {};
struct output_value : p::sor<p::seq<equals, p::must<body>>, p::at<output_end>> {};
struct each : ASSAY_KEYWORD("each") {};
struct one_output : p::sor<p::seq<token<each>, p::must<output_word>>, output_word> {};
struct item_output
    : p::seq<one_output, p::must<key>, prose, p::must<output_value>, p::opt<p::sor<decimals, digits_shown>>, prose> {};
struct flag_when : p::seq<kw_when, p::must<run>> {};
struct looped : p::seq<loop, p::opt<flag_when>> {};
struct loop_or_when : p::sor<looped, flag_when> {};
struct item_flag : p::seq<flag_word, p::must<label, loop_or_when>, prose> {};
struct item_advice : p::seq<advice_word, p::must<text_token, loop_or_when>> {};
struct item_rank : p::seq<rank_word, p::must<by_order>> {};
struct context_weight : p::seq<kw_weight, p::must<ident, sum>> {};
struct context_end : close_brace {};
struct item_context
    : p::seq<context_word, p::must<ident>, prose, p::must<open_brace>, p::star<context_weight>, p::must<context_end>> {
};
struct example_field : p::sor<ASSAY_KEYWORD("given"), ASSAY_KEYWORD("history"), ASSAY_KEYWORD("context"),
                              ASSAY_KEYWORD("weights"), ASSAY_KEYWORD("expect")> {};
struct example_value : p::seq<token<example_field>, p::must<run>> {};
struct quoted_path : text_token {};
struct error_path : p::sor<quoted_path, path> {};
struct example_error : p::seq<word<ASSAY_KEYWORD("error")>, p::must<kw_at, error_path>> {};
struct example_end : close_brace {};
struct item_example : p::seq<example_word, p::must<text_token, open_brace>,
                             p::star<p::sor<example_value, example_error>>, p::must<example_end>> {};
struct items;
struct item_cohort : p::seq<cohort_word, p::must<open_brace>, nested<items>> {};

// ---- blocks and files
struct shared_item : p::sor<item_type, item_fn, item_table, item_hook> {};
// clang-format off
struct item : p::sor<led<p::failure, '\0'
#define ASSAY_DECLARATION(name, rule, ...) >, led<item_##rule, (#name)[0]
#define ASSAY_SECOND_WORD(name, ...) , (#name)[0]
#include "lang/syntax/declarations.def"
    >> {};
// clang-format on
struct item_or_raise : p::must<item> {};
struct next_rubric : p::seq<ASSAY_KEYWORD("rubric"), ws, p::identifier_first> {};
struct items : p::seq<p::star<p::not_at<p::sor<block_stop, next_rubric>>, guarded<item_or_raise>>, block_end> {};
struct extends : p::seq<kw_extends, p::must<ident>> {};
struct rubric : p::seq<rubric_word, p::must<ident>, p::opt<extends>, prose, p::must<open_brace>, items> {};
struct import_line : p::seq<import_word, p::must<text_token>> {};
struct top : p::sor<rubric, import_line, shared_item> {};
struct top_or_raise : p::must<top> {};
struct bom : p::string<'\xEF', '\xBB', '\xBF'> {};
struct file : p::seq<p::opt<bom>, ws, p::star<p::not_at<p::eof>, guarded<top_or_raise>>> {};
struct end_of_text : p::eof {};
struct lone_expr : p::seq<p::opt<bom>, ws, p::must<expr, end_of_text>> {};

#undef ASSAY_WORD
#undef ASSAY_KEYWORD

}  // namespace assay::grammar

// How PEGTL's analysis treats the three rules above.
namespace TAO_PEGTL_NAMESPACE {
template <typename Name, typename Rule>
struct analyze_traits<Name, assay::grammar::nested<Rule>> : analyze_traits<Name, typename seq<Rule>::rule_t> {};
template <typename Name, typename Rule>
struct analyze_traits<Name, assay::grammar::guarded<Rule>> : analyze_traits<Name, typename seq<Rule>::rule_t> {};
template <typename Name>
struct analyze_traits<Name, assay::grammar::unclosed> : analyze_opt_traits<> {};
}  // namespace TAO_PEGTL_NAMESPACE
