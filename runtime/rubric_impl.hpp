// What a Rubric holds behind the public header: the model that everything is compiled from, and the syntax and the
// texts that explanations, views and diagnostics quote.
#pragma once

#include "lang/ast.hpp"
#include "lang/model.hpp"
#include "lang/source.hpp"

#include <assay/assay.hpp>

#include <memory>

namespace assay {

struct Rubric::Impl {
  std::string file_name;
  CompileOptions options;
  Sources sources;
  ast::File file;
  std::shared_ptr<const Model> model;

  int index() const { return model->main; }
  const RubricModel& rubric() const { return model->rubrics[static_cast<std::size_t>(model->main)]; }
};

// The host's importer, then the standard library.
Importer importer(const CompileOptions& options);

}  // namespace assay
