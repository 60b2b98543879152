// The data of a Rubric behind the public header: the model from which everything is compiled, and the syntax and texts
// that explanations, views and diagnostics quote.
#pragma once

#include "lang/model/model.hpp"
#include "lang/syntax/ast.hpp"
#include "lang/text/source.hpp"

#include <assay/assay.hpp>

#include <deque>
#include <memory>

namespace assay {

struct Hooks;
class KernelCache;

struct Rubric::Impl {
  std::string file_name;
  CompileOptions options;
  Sources sources;
  ast::File file;
  std::deque<ast::File> imported;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Hooks> hooks;  // null: the rubric has no hooks
  std::shared_ptr<KernelCache> kernels;

  int index() const { return model->main; }
  const RubricModel& rubric() const { return model->rubrics[static_cast<std::size_t>(model->main)]; }
};

// Imports hooks of the host ("host:name", which have no text), then from the host's importer, then from the standard
// library ("std/name").
Importer importer(const CompileOptions& options);

}  // namespace assay
