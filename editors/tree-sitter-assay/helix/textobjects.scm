(fn) @function.around
(fn value: (_) @function.inside)
(rubric) @class.around
(rubric (block) @class.inside)
(parameter) @parameter.around
(comment) @comment.around
(example) @test.around
