[(source_file) (rubric) (fn) (table) (hook) (bands) (let) (gate) (output) (dimension) (adjustment) (list) (arguments)] @local.scope

(parameter name: (identifier) @local.definition.variable.parameter)
(for name: (identifier) @local.definition.variable.parameter)
(with name: (identifier) @local.definition.variable)
(definition name: (identifier) @local.definition.variable)

(identifier) @local.reference
