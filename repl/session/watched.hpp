// The files of a rubric that may change during a session: the rubric itself, and its imports.
#pragma once

#include <assay/importer.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace assay::cli {

class Watched {
 public:
  Watched() : seen_(std::make_shared<Seen>()) {}
  // An importer that records the files that it reads.
  Importer noting(Importer importer) const;
  void begin(const std::string& file);  // forgets the others
  void look();                          // records their current state
  bool changed() const;                 // since look()

 private:
  struct Stamp {
    bool there = false;
    std::int64_t time = 0;
    std::uintmax_t size = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  using Seen = std::map<std::string, Stamp>;
  static Stamp stamp(const std::string& file);
  std::shared_ptr<Seen> seen_;
};

}  // namespace assay::cli
