// Texts for those who fill in records: the JSON Schema of a record or a verdict, and instructions for a judge, a person
// or a language model. Made from the rubric alone; the bytes are the same on every platform.
#pragma once

#include <assay/assay.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

// Judged are the inputs that are declared so (input red_flags: list of text judged), the dimensions and criteria without '=',
// and those that are computed from an input of their own name that is a number (dimension readability = input.readability - …)
// unless that is declared 'measured'. Everything else that a record holds is measured, or known before, unless it is named
// here.
using JudgedToo = std::vector<std::string>;  // names of inputs

struct SchemaOptions {
  enum class Of : std::uint8_t { record, verdict } of = Of::record;
  bool judged = false;  // for a record: only the judged inputs, and `judged_too`
  JudgedToo judged_too;
  std::vector<std::string> only;  // of what is judged, these dimensions, criteria and inputs; empty: all
  // The subset of JSON Schema that vendors of language models accept for structured output: every key is required, no
  // other key is allowed, optional values may be null, and there are no open maps.
  bool strict_subset = false;
};

struct Schema {
  std::string json;                      // JSON Schema 2020-12, UTF-8, indented, ends with a newline
  std::vector<Printable> not_expressed;  // the rubric's checks that the schema cannot express, one sentence each
  Printable problem;                     // not empty: why no schema could be made
};
Schema json_schema(const Rubric& rubric, const SchemaOptions& options = {});  // any thread

struct PromptOptions {
  std::string dimension;              // only this judged dimension, criterion or input; empty: all
  std::vector<std::string> contexts;  // in force: they change weights
  JudgedToo judged_too;
  // Replacements for the built-in sentences: a JSON object from the names of sentences to texts with placeholders like
  // {name}. prompt_frame() returns the object to start from. Empty: the built-in sentences.
  std::string frame;
};

struct Prompt {
  std::string markdown;  // ends with a newline
  Printable problem;     // not empty: why no prompt could be made
};
Prompt judge_prompt(const Rubric& rubric, const PromptOptions& options = {});  // any thread
std::string prompt_frame();  // the built-in sentences, as such a JSON object

}  // namespace assay
