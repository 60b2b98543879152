// Finds values that no record refuses and that can hardly be meant, among the first records of a file: ids that several
// records have, marks on another scale than the rubric's, one number in another unit than all others, one date in another
// form.
#pragma once

#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <map>
#include <string>

namespace assay::cli {

// The places of the first records with an id, of all files of a run.
using PlacesOfIds = std::map<std::string, std::string>;

// `ids`: null if somebody else tells of repeated ones.
void note_odd_values(const Beginning& beginning, const Rubric& rubric, PlacesOfIds* ids);

}  // namespace assay::cli
