// Columns as records: maps columns to inputs, and writes the record of a row as JSON. Names with dots reach into nested
// records, as in CSV headers.
#pragma once

#include "lang/model/model.hpp"
#include "runtime/arrow/arrow_view.hpp"

#include <assay/assay.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// A column that a kernel may read: a leaf that is an input or a member of one.
struct ArrowLeaf {
  std::string path;
  std::vector<std::size_t> steps;  // child indices, from the array of records
  TypeId type = kUnknown;
};

class ArrowRecords {
 public:
  // Marks the wanted columns in `records`. Returns an error, or nothing.
  std::optional<InputError> bind(const Rubric& rubric, ArrowType& records, bool strict);

  // Writes the record of a row as JSON; a longer record is cut off slightly after `limit` bytes.
  void write(const ArrowView& records, std::int64_t row, std::size_t limit, std::string& out) const;

  const std::vector<ArrowLeaf>& leaves() const { return leaves_; }
  // Whether an input is a record, a list that no kernel reads, or has an unusual type: then the evaluator scores every
  // row.
  bool irregular() const { return irregular_; }
  int id() const { return id_; }  // the column of the record's id, or -1

 private:
  // An object of the record: a column, or a part of a dotted name.
  struct Node {
    std::string name;
    int column = -1;
    std::vector<Node> members;
  };
  std::optional<InputError> want(const Model& model, ArrowType& type, TypeId id, const std::string& path, bool strict);
  void add_leaf(const Model& model, const ArrowType& type, TypeId id, const std::string& path,
                const std::vector<std::size_t>& steps);
  static void write_members(const std::vector<Node>& members, const ArrowView& records, std::int64_t row,
                            std::size_t limit, std::string& out);
  std::vector<Node> members_;
  std::vector<ArrowLeaf> leaves_;
  bool irregular_ = false;
  int id_ = -1;
};

}  // namespace assay
