// What a rubric says to those who fill in its records: the JSON Schema of a record or a verdict, and the instructions for
// a judge, a person or a language model. Made from the rubric alone; the same bytes everywhere.
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
  bool judged = false;  // of a record: only what is judged, and `judged_too`
  JudgedToo judged_too;
  std::vector<std::string> only;  // of what is judged, these dimensions, criteria and inputs; empty: all
  // The subset of JSON Schema that vendors of language models accept for structured output: every key is required, no
  // other key is allowed, what may be absent may be null, and there are no open maps.
  bool strict_subset = false;
};

struct Schema {
  std::string json;                      // JSON Schema 2020-12, UTF-8, indented, ends with a newline
  std::vector<Printable> not_expressed;  // what the rubric checks beyond it, a sentence each
  Printable problem;                     // not empty: there is no schema, and why
};
Schema json_schema(const Rubric& rubric, const SchemaOptions& options = {});  // any thread

struct PromptOptions {
  std::string dimension;              // only this judged dimension, criterion or input; empty: all
  std::vector<std::string> contexts;  // in force: they change weights
  JudgedToo judged_too;
  // Other sentences in place of our own: a JSON object from names of sentences to texts, in which {name} and the like
  // stand for what is put in. prompt_frame() is what it replaces. Empty: our own.
  std::string frame;
};

struct Prompt {
  std::string markdown;  // ends with a newline
  Printable problem;     // not empty: there is none, and why
};
Prompt judge_prompt(const Rubric& rubric, const PromptOptions& options = {});  // any thread
std::string prompt_frame();  // our own sentences, as such a JSON object

}  // namespace assay
