// The implementation of Inputs: the values of a rubric's slots, kept from record to record, and the places of handles.
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
  Value* at = nullptr;             // address of the value
  std::uint32_t parent = 0;        // place of the enclosing record
  std::uint32_t fields = 0;        // record: place of its first field; 0: no field was requested
  std::uint8_t decimals = 0;       // number: decimals of the last double set
  Value absent = missing_value();  // replaces an absent value: the default, or missing
  Value record = missing_value();  // record: the record whose fields are places
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
  Arena room;                         // for the fields of records
  Arena sets;                         // for the set under construction
  std::optional<InputError> problem;  // the first one since the last score

  Place& place(InputHandle input) { return places[static_cast<std::size_t>(input)]; }
  std::uint32_t add(const FieldPlan& field, Value* at, std::uint32_t parent);
  std::uint32_t find(std::string_view path);
  std::string path(const Place& place) const;
  void put(Place& place, const Value& value) {
    *place.at = value;
    for (const Place* p = &place; p->parent != UINT32_MAX;) {  // the enclosing records are present, too
      p = &places[p->parent];
      *p->at = p->record;
    }
  }
  // Makes the enclosing records of a place present, whatever its own value is.
  void hold(InputHandle input) { put(place(input), place(input).absent); }
  void refuse(Place& place, const char* code, const std::string& found);
  void past_limit(Place& place, std::string_view verb, std::uint64_t value, std::string_view unit,
                  std::string_view limit);
  bool inside_what_is_given(const Place& place) const;
  bool complete(InputError& error);  // false: something is invalid or missing
};

}  // namespace assay
