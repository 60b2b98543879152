[(source_file) (rubric) (fn) (table) (hook) (bands) (let) (gate) (output) (dimension) (adjustment) (list) (arguments)] @local.scope

(rubric name: (identifier) @local.definition.type)
(type name: (identifier) @local.definition.type)
(fn name: (identifier) @local.definition.function)
(table name: (identifier) @local.definition.function)
(hook name: (identifier) @local.definition.function)
(bands name: (identifier) @local.definition.function)
(input name: (identifier) @local.definition.var)
(let name: (identifier) @local.definition.var)
(gate name: (identifier) @local.definition.var)
(dimension name: (identifier) @local.definition.var)
(output name: (identifier) @local.definition.var)
(parameter name: (identifier) @local.definition.parameter)
(for name: (identifier) @local.definition.var)
(with name: (identifier) @local.definition.var)
(definition name: (identifier) @local.definition.var)

(identifier) @local.reference
(type_identifier) @local.reference
