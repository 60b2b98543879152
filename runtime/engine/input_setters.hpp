// The inside of Inputs: the values of a rubric's slots, kept from record to record, and the places that handles name.
#pragma once

#include "runtime/input/inputs.hpp"
#include "runtime/input/record_plan.hpp"

#include <assay/assay.hpp>

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct Inputs::Place {
  const FieldPlan* field = nullptr;
  Value* at = nullptr;             // where the value lies
  std::uint32_t parent = 0;        // place of the record that it is a field of
  std::uint32_t fields = 0;        // record: place of its first field; 0: none has been asked for
  std::uint8_t decimals = 0;       // number: of the double that was set last
  Value absent = missing_value();  // what stands for no value: the default, or missing
  Value record = missing_value();  // record: the one whose fields are places
  std::vector<Value> items;        // list
};

struct Inputs::Impl {
  Impl(const Model& model, int rubric, const Limits& limits);

  const TypeTable& types;
  Limits limits;
  RecordPlans plans;
  std::vector<Value> slots;
  std::deque<Place> places;  // the slots first
  std::vector<std::uint32_t> required;
  Arena room;                         // of the fields of records
  Arena sets;                         // of the set being made
  std::optional<InputError> problem;  // the first since the last score

  Place& place(InputHandle input) { return places[static_cast<std::size_t>(input)]; }
  std::uint32_t add(const FieldPlan& field, Value* at, std::uint32_t parent);
  std::uint32_t find(std::string_view path);
  std::string path(const Place& place) const;
  void put(Place& place, const Value& value) {
    *place.at = value;
    for (const Place* p = &place; p->parent != UINT32_MAX;) {  // the record around it is there, too
      p = &places[p->parent];
      *p->at = p->record;
    }
  }
  // The records around a place are there, whatever it holds itself.
  void hold(InputHandle input) { put(place(input), place(input).absent); }
  void refuse(Place& place, const char* code, const std::string& found);
  void past_limit(Place& place, std::string_view verb, std::uint64_t value, std::string_view unit,
                  std::string_view limit);
  bool inside_what_is_given(const Place& place) const;
  bool complete(InputError& error);  // false: what is wrong or missing
};

}  // namespace assay
