// The grammar of the Assay language for tree-sitter, which editors parse with while somebody types. It follows
// lang/syntax/grammar.hpp rule by rule, with operators as in lang/syntax/operators.def, and is more lenient: what the
// checker or the parser of the command refuses may be a tree here. tests/tree-sitter compares the two on every rubric.
// `.ci/tree-sitter` makes src/ from this file.

// A higher level binds tighter: the levels of operators.def.
const LEFT_LEVELS = [
  [2, choice('or', 'xor')],
  [3, 'and'],
  [5, choice('==', '!=', '<', '<=', '>', '>=', 'in', seq('not', 'in'))],
  [7, '..'],
  [8, choice('+', '-')],
  [9, choice('*', '/')],
];
const NOT = 4, TEST = 5, DEFAULT = 6, MINUS = 10, POWER = 11;

const list_of = (rule) => seq(rule, repeat(seq(',', rule)));

const binary = (left, right, levels) => choice(
  ...levels.map(([level, operator]) => prec.left(level, seq(
    field('left', left), field('operator', operator), field('right', right)))),
  prec.right(POWER, seq(field('left', left), field('operator', '^'), field('right', right))));
const ARITHMETIC = LEFT_LEVELS.slice(-2);

module.exports = grammar({
  name: 'assay',

  extras: $ => [/[ \t\n\v\f\r]+/, $.comment],
  word: $ => $.identifier,
  supertypes: $ => [$._declaration],
  inline: $ => [$._key, $._label, $._field_kind],

  // A field may be followed by one whose name is a policy's word, or a text: the ':' behind it tells. Before a ',' it is
  // the policy.
  conflicts: $ => [[$.field], [$.first_field]],

  rules: {
    source_file: $ => repeat(choice($.import, $.rubric, $._shared)),

    import: $ => seq('import', field('path', $.text)),
    rubric: $ => seq('rubric', field('name', $.identifier), optional(seq('extends', field('extends', $.identifier))),
      optional($._prose), $.block),
    block: $ => seq('{', repeat($._declaration), '}'),
    _shared: $ => choice($.type, $.fn, $.table, $.hook),

    // ---- declarations, in the order of declarations.def
    _declaration: $ => choice(
      $.version, $.scale, $.weights, $.history, $.type, $.input, $.check, $.let, $.fn, $.table, $.hook, $.gate,
      $.dimension, $.composite, $.cap, $.incomplete, $.adjustment, $.bands, $.output, $.flag, $.advice, $.rank,
      $.cohort, $.context, $.example),

    version: $ => seq('version', $.text),
    scale: $ => seq('scale', choice('open', $.range, $.bounds), optional($.decimals), optional($.digits)),
    weights: $ => seq('weights', choice('exact', 'rescaled')),
    history: $ => seq('history', 'by', $.identifier),
    type: $ => seq('type', field('name', $.identifier), '=', field('kind', $._kind)),
    input: $ => seq('input', list_of(field('name', $._key)), ':', field('kind', $._kind),
      optional(choice(seq($.provenance, optional($._policy)), seq($._policy, optional($.provenance)))),
      optional($._prose)),
    provenance: $ => choice('judged', 'measured'),
    check: $ => seq('check', $._expression, optional($._loop), 'at', field('path', $._path), $._prose),
    let: $ => seq('let', field('name', $.identifier), optional($._prose), '=', $._body, optional($._prose)),
    fn: $ => seq('fn', field('name', $.identifier), field('parameters', $.parameters), optional($._result),
      optional($._prose), '=', $._body, optional($._prose)),
    table: $ => seq('table', field('name', $.identifier), optional(field('parameters', $.parameters)),
      optional($._prose), choice($.rows, $._from), optional($._prose)),
    hook: $ => seq('hook', field('name', $.identifier), field('parameters', $.parameters), $._result,
      optional($._prose), choice($._from, seq('lua', field('source', $.raw_text))), optional($._prose)),
    gate: $ => seq('gate', field('name', $.identifier), optional($._prose), '=', $._body, optional($._prose)),
    dimension: $ => seq(choice('dimension', 'criterion'), field('name', $.identifier),
      optional(seq(':', field('kind', $._kind))), repeat(choice($._option, $._prose)),
      optional(seq('=', $._body, optional($._prose))),
      optional(seq(alias($.parts, $.block), optional($._prose)))),
    parts: $ => seq('{', repeat(choice($.dimension, $.level)), '}'),
    level: $ => seq('level', $._sum, $._prose),
    composite: $ => seq('composite', '=', $._body),
    cap: $ => seq('cap', field('target', $.identifier), 'at', $._run, optional($._when), optional($._prose)),
    incomplete: $ => seq('incomplete', 'when', $._run, $._prose),
    adjustment: $ => seq(choice('deduction', 'bonus'), field('name', $._label), optional($._prose), '=', $._body,
      optional($._loop), optional($._prose)),
    bands: $ => seq('bands', field('name', $.identifier), field('parameters', $.parameters),
      optional(seq('within', $._run)), $.rows),
    output: $ => seq(optional('each'), 'output', field('name', $._key), optional($._prose),
      choice(
        seq('=', $._body, optional($._shown), optional($._prose)),
        optional(seq($._shown, optional($._prose))))),
    flag: $ => seq('flag', field('name', $._label), $._loop_or_when, optional($._prose)),
    advice: $ => seq('advice', $._prose, $._loop_or_when),
    rank: $ => seq('rank', $.order),
    cohort: $ => seq('cohort', $.block),
    context: $ => seq('context', field('name', $.identifier), optional($._prose), '{', repeat($.context_weight), '}'),
    context_weight: $ => seq('weight', $.identifier, $._sum),
    example: $ => seq('example', field('name', $.text), '{',
      repeat(choice($.example_field, $.example_error)), '}'),
    example_field: $ => seq(choice('given', 'history', 'context', 'weights', 'expect'), $._run),
    example_error: $ => seq('error', 'at', choice($.text, $._path)),

    // ---- parts of declarations
    _key: $ => choice($.identifier, $.text),
    _label: $ => choice($.identifier, $.text),
    _prose: $ => field('prose', $.text),
    _from: $ => seq('from', field('source', $.text)),
    _result: $ => seq(':', field('result', $._kind), optional('optional')),
    _when: $ => seq('when', field('condition', $._run)),
    _loop_or_when: $ => choice(seq($._loop, optional($._when)), $._when),
    _option: $ => choice(
      seq(choice('weight', 'points'), $._sum),
      'advisory',
      seq('missing', choice('skip', $._run))),
    decimals: $ => seq('decimals', $.number),
    digits: $ => seq('digits', $.number),
    _shown: $ => choice($.decimals, $.digits),
    parameters: $ => seq('(', optional(list_of($.parameter)), ')'),
    parameter: $ => seq(field('name', $.identifier), optional(seq(':', field('kind', $._kind), optional('optional')))),
    order: $ => seq('by', list_of(seq(choice('higher', 'lower'), $._run))),
    _body: $ => seq(field('value', $._expression), optional($.where)),
    where: $ => seq('where', list_of($.definition)),
    definition: $ => seq(field('name', $.identifier), '=', field('value', $._expression)),

    // ---- kinds
    _kind: $ => choice($._one_kind, $.either_kind),
    either_kind: $ => seq($._one_kind, repeat1(seq('or', $._one_kind))),
    _one_kind: $ => choice($.number_kind, $.plain_kind, $.one_of, $.collection, $.record_kind, $.group_kind,
      alias($.identifier, $.type_identifier)),
    group_kind: $ => seq('(', $._kind, ')'),
    number_kind: $ => prec.right(seq(choice('number', 'whole'), optional(choice($.range, $.bounds)))),
    plain_kind: $ => choice('bool', 'text', 'any'),
    one_of: $ => seq('one', 'of', '(', list_of($.text), ')'),
    collection: $ => choice(
      seq('list', 'of', optional('optional'), $._one_kind),
      seq(choice('set', 'map'), 'of', $._one_kind)),
    record_kind: $ => seq('{', optional(seq(alias($.first_field, $.field), optional(','))),
      repeat(seq($.field, optional(','))), '}'),
    field: $ => seq(choice(list_of(field('name', $.field_name)), $._policy_name), $._field_kind),
    // Nothing stands before it that such a word could belong to.
    first_field: $ => seq($._policy_name, repeat1(seq(',', field('name', $.field_name))), $._field_kind),
    _policy_name: $ => field('name', alias($.policy_word, $.field_name)),
    _field_kind: $ => seq(':', field('kind', $._kind), optional($._policy), optional($._prose)),
    field_name: $ => choice($.identifier, $.text),
    policy_word: $ => alias(choice('optional', 'required'), $.identifier),
    _policy: $ => choice(
      'optional',
      prec.right(seq('required', optional($._when))),
      seq('default', $._run),
      seq('missing', choice('skip', $._run))),
    range: $ => seq($._first_limit, '..', $._sum),
    bounds: $ => prec.right(repeat1(seq(choice('<', '<=', '>', '>='), $._sum))),

    // ---- tables
    rows: $ => seq('{', alias($.row, $.header), optional($.rule), repeat($.row), '}'),
    row: $ => seq('|', repeat1(seq($.cell, '|'))),
    rule: $ => token(prec(1, /\|([ \t]*:?-+:?[ \t]*\|)+/)),
    cell: $ => list_of(choice($.bounds, 'otherwise', $._expression)),

    // ---- loops
    _loop: $ => prec.right(seq($.for, repeat(choice($.for, $.when, $.while, $.where_clause)), optional($.with),
      optional($.order))),
    for: $ => seq('for', field('name', $.identifier), optional(seq(',', field('name', $.identifier))), 'in', $._run),
    when: $ => $._when,
    while: $ => seq('while', $._run),
    where_clause: $ => seq('where', list_of(alias($.loop_definition, $.definition))),
    loop_definition: $ => seq(field('name', $.identifier), '=', field('value', $._run)),
    with: $ => seq('with', field('name', $.identifier), '=', $._expression, 'then', $._expression),

    // ---- expressions
    _expression: $ => choice($._run, $.conditional),
    conditional: $ => prec.right(1, seq(field('value', $._run), 'when', field('condition', $._run),
      optional(seq('else', field('otherwise', $._expression))))),
    _run: $ => choice($._operand, $.binary, $.unary, $.test),
    binary: $ => choice(
      binary($._run, $._run, LEFT_LEVELS),
      prec.right(DEFAULT, seq(field('left', $._run), field('operator', 'default'), field('right', $._run)))),
    unary: $ => choice(prec.right(NOT, seq('not', $._run)), prec.right(MINUS, seq('-', $._run))),
    test: $ => prec.left(TEST, seq($._run, 'is', choice('missing', 'given', $.asked_kind))),
    asked_kind: $ => choice('number', 'whole', 'bool', 'text', 'list', 'map', 'record'),
    // Where a word such as 'default' goes on with the declaration: no operators but those of arithmetic.
    _sum: $ => choice($._operand, alias($.sum_binary, $.binary), alias($.sum_unary, $.unary)),
    sum_binary: $ => binary($._sum, $._sum, ARITHMETIC),
    sum_unary: $ => prec.right(MINUS, seq('-', $._sum)),

    // The lower limit of a range: prose may stand at its place.
    _first_limit: $ => choice($.number, $.parenthesized, alias($.sum_unary, $.unary),
      alias($.limit_binary, $.binary)),
    limit_binary: $ => binary($._first_limit, $._sum, ARITHMETIC),

    _operand: $ => choice($.number, $.text, $.boolean, $.missing, $.parenthesized, $.list, $.record, $.call,
      $.identifier, $.member, $.index, $.taken),
    boolean: $ => choice('true', 'false'),
    missing: $ => 'missing',
    parenthesized: $ => seq('(', $._expression, ')'),
    list: $ => seq('[', optional(seq(list_of($._expression), optional($._loop))), ']'),
    record: $ => seq('{', optional(list_of($.entry)), '}'),
    entry: $ => choice(
      seq(field('key', $._key), ':', field('value', $._expression)),
      field('key', $.identifier)),
    call: $ => seq(field('function', $.identifier), field('arguments', $.arguments)),
    arguments: $ => seq('(', optional(seq($._expression, optional(seq(':', $._expression)),
      repeat(seq(',', $._expression)), optional($._loop))), ')'),
    _base: $ => choice($.parenthesized, $.list, $.record, $.call, $.identifier, $.member, $.index, $.taken),
    taken: $ => seq($._base, 'as', $.asked_kind),
    member: $ => seq($._base, '.', field('name', alias($.identifier, $.property))),
    index: $ => seq($._base, '[', $._expression, ']'),
    _path: $ => choice($.identifier, alias($.path_member, $.member), alias($.path_index, $.index)),
    path_member: $ => seq($._path, '.', field('name', alias($.identifier, $.property))),
    path_index: $ => seq($._path, '[', $._expression, ']'),

    // ---- tokens
    identifier: $ => /[A-Za-z_][A-Za-z0-9_]*/,
    number: $ => /[0-9]+(_[0-9]+)*(\.[0-9]+(_[0-9]+)*)?([eE][+-]?[0-9]+)?%?/,
    comment: $ => token(/#[^\n]*/),
    text: $ => seq('"', repeat(choice($.characters, $.escape, $.interpolation)), token.immediate('"')),
    characters: $ => token.immediate(prec(1, /[^"\\{\n\r]+/)),
    escape: $ => token.immediate(/\\(["\\{}nt]|u\{[0-9a-fA-F]{1,6}\})/),
    interpolation: $ => seq(token.immediate('{'), $._expression, optional($.decimals), '}'),
    raw_text: $ => seq('"""', optional($.raw_characters), token.immediate('"""')),
    raw_characters: $ => token.immediate(prec(1, /([^"]|"[^"]|""[^"])+/)),
  },
});
