[(block) (rows) (record_kind) (record) (list) (arguments) (parenthesized) (one_of) (context) (example)] @indent
["}" "]" ")"] @outdent
