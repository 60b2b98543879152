// The loop over the cells of a row stops at the first cell that is not as its column expects, at the latest at the line
// feed that ends the row, because no cell continues past a control character.
#include "runtime/registers/register_cells.hpp"

#include "runtime/json/json_tree.hpp"
#include "runtime/registers/register_values.hpp"

#include <assay/text.hpp>

#include <algorithm>

namespace assay {

RegisterCells::RegisterCells(RegisterReader& reader, const Model& model, std::shared_ptr<const CsvTable> table,
                             const Limits& limits)
    : reader_(&reader),
      model_(&model),
      table_(std::move(table)),
      limits_(limits),
      separator_(table_->separator()),
      places_(reader, table_->paths()) {
  for (const ColumnPlaces::Column& column : places_.columns()) cells_.push_back({column, separator_});
  if (!cells_.empty()) cells_.back().stop = '\n';
}

const char* RegisterCells::row(const char* p, const char* end, std::int64_t* registers, std::string_view* shown) {
  if (!reader_->usable() || *p == '\n' || *p == '\r') return nullptr;  // an empty row, which is ignored
  reader_->begin(registers, shown);
  const char* const after = cells(p, end);
  if (after == nullptr || table_->most(static_cast<std::size_t>(after - p)) > limits_.record_bytes) return nullptr;
  return after;
}

// The end of a cell, or of an item in it: the first special character, or one of the two separators; null if it is not
// UTF-8.
inline const char* RegisterCells::cell_end(const char* p, char also) const {
  for (;;) {
    p = plain_end(p, separator_, also);
    if (static_cast<unsigned char>(*p) < 0x80) return p;
    const std::size_t length = utf8_length({p, 4});
    if (length == 0) return nullptr;
    p += length;
  }
}

// A text without quotes. Null also if it is empty.
ASSAY_INLINE const char* RegisterCells::text(const char* p, const FieldPlace& place) {
  const char* const end = cell_end(p, separator_);
  if (end == nullptr || end == p) return nullptr;
  const auto size = static_cast<std::size_t>(end - p);
  if (!reader_->put_text(p, size, place)) return nullptr;
  if (place.shown >= 0) reader_->shown_[place.shown] = {p, size};
  return end;
}

// Texts separated by ';', or any text if the kernel ignores them. Null also if the cell is empty.
ASSAY_INLINE const char* RegisterCells::texts(const char* p, const FieldPlace& place) {
  if (*p == separator_ || static_cast<unsigned char>(*p) < ' ' || *p == '[') return nullptr;  // '[': possibly JSON
  std::size_t count = 0;
  const TextNumbers* const choices = place.element->numbers.get();
  for (;;) {
    while (*p == ' ') ++p;
    const char* const end = cell_end(p, ';');
    if (end == nullptr) return nullptr;
    const char* last = end;
    while (last > p && last[-1] == ' ') --last;
    if (last == p && place.plan->type->gaps) return nullptr;  // null, not an empty text
    if (place.kind == FieldPlace::Kind::texts) {
      if (!reader_->add_item(p, static_cast<std::size_t>(last - p), place, choices, count)) return nullptr;
    } else {
      if (*p == '[' || *p == '{') return nullptr;
      ++count;
    }
    p = end;
    if (*p != ';' || separator_ == ';') break;
    ++p;
  }
  return reader_->put_items(place, count) ? p : nullptr;
}

const char* RegisterCells::cells(const char* p, const char* end) {
  char* const registers = reader_->registers_;
  places_.begin();
  for (const Cell& cell : cells_) {
    const FieldPlace& place = *cell.place;
    const char* after = nullptr;
    if (place.kind == FieldPlace::Kind::number) {
      after = short_number(p, place, registers);
    } else if (place.kind == FieldPlace::Kind::truth) {
      std::int64_t truth;
      if (truth_at(p, truth)) {
        put_register(registers, place.given_at, 1);
        put_register(registers, place.at, truth);
        after = p + 5 - truth;
      }
    } else if (place.kind == FieldPlace::Kind::text) {
      after = text(p, place);
      if (place.given != kNoReg) put_register(registers, place.given_at, 1);
    } else if (place.kind == FieldPlace::Kind::texts ||
               (place.kind == FieldPlace::Kind::list && place.element->kind == FieldPlace::Kind::any)) {
      after = texts(p, place);
    }
    if (after == nullptr || *after != cell.stop) [[unlikely]] {
      const bool at_return = after != nullptr && *after == '\r' && after[1] == cell.stop;
      if (!at_return) {
        bool empty = false;
        after = other(p, end, cell, empty);
        if (after == nullptr) return nullptr;
        if (empty) {
          places_.empty(cell.word, cell.bit);
        } else if (place.given != kNoReg) {
          put_register(registers, place.given_at, 1);
        }
      }
      // Only at the end of a row: a line feed does not separate cells.
      after += *after == '\r' && cell.stop == '\n';
      if (*after != cell.stop) return nullptr;
    }
    p = after + 1;
  }
  return places_.complete(false) ? p - 1 : nullptr;
}

// Reads an empty, quoted or less frequent cell; returns the position after it, or null.
const char* RegisterCells::other(const char* p, const char* end, const Cell& cell, bool& empty) {
  const FieldPlace& place = *cell.place;
  if (*p == cell.stop || (*p == '\r' && p[1] == cell.stop) || (*p == '"' && p[1] == '"' && p[2] != '"')) {
    empty = true;
    // The only cell of a row: such a row is ignored.
    return cells_.size() == 1 ? nullptr : *p == '"' ? p + 2 : p;
  }
  const bool quoted = *p == '"';
  p += quoted;
  const char* after = nullptr;
  switch (place.kind) {
    case FieldPlace::Kind::number: after = reader_->any_number(p, place); break;
    case FieldPlace::Kind::checked: after = reader_->checked(p, place); break;
    case FieldPlace::Kind::text:
      if (place.shown < 0) break;  // other texts may need an escape in JSON
      after = quoted ? quoted_end(p) : nullptr;
      if (after == nullptr || *after != '"' || !reader_->put_text(p, static_cast<std::size_t>(after - p), place))
        return nullptr;
      reader_->shown_[place.shown] = {p, static_cast<std::size_t>(after - p)};
      break;
    case FieldPlace::Kind::unknown: return nullptr;
    default: break;
  }
  if (after != nullptr && !quoted) return after;
  if (after != nullptr && *after == '"') return after + 1;
  after = quoted ? unquoted(p, end) : bare(p);
  if (after == nullptr) return nullptr;
  const bool good = place.kind == FieldPlace::Kind::text ? read_text(place) : read_json(cell);
  return good ? after : nullptr;
}

// The closing quote of a cell, if nothing unusual comes before it.
const char* RegisterCells::quoted_end(const char* p) const {
  for (;;) {
    p = cell_end(p, separator_);
    if (p == nullptr || *p != separator_) return p;
    ++p;
  }
}

// Copies a cell without quotes into cell_; returns the position after it.
const char* RegisterCells::bare(const char* p) {
  const char* after = p;
  while (*after != separator_ && *after != '\n' && *after != '\r') ++after;
  cell_.assign(p, after);
  return after;
}

// Copies a quoted cell, from after its opening quote, into cell_; returns the position after the closing quote.
const char* RegisterCells::unquoted(const char* p, const char* end) {
  cell_.clear();
  for (;;) {
    const auto* const quote = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
    if (quote == nullptr || std::memchr(p, '\n', static_cast<std::size_t>(quote - p)) != nullptr) return nullptr;
    cell_.append(p, quote);
    if (quote[1] != '"') return quote + 1;
    cell_ += '"';
    p = quote + 2;
  }
}

// Reads the cell as a text that no verdict shows.
bool RegisterCells::read_text(const FieldPlace& place) {
  const std::size_t size = cell_.size();
  cell_.append(kPadding, '\0');
  return is_utf8({cell_.data(), size}) && reader_->put_text(cell_.data(), size, place);
}

// Reads the cell as the JSON that it becomes, or already is.
bool RegisterCells::read_json(const Cell& cell) {
  const auto column = static_cast<std::size_t>(&cell - cells_.data());
  const FieldPlace& place = *cell.place;
  const std::size_t size = cell_.size();
  if (size == 0) return false;  // absent: left to the path by JSON text
  const bool list = place.kind == FieldPlace::Kind::list || place.kind == FieldPlace::Kind::texts;
  cell_.append(kPadding, '\0');
  const char* json = cell_.data();
  const char* end = json + size;
  if (*json != (list ? '[' : '{') || place.kind == FieldPlace::Kind::any) {
    json_.resize(table_->most(size) + kPadding);
    json = json_.data();
    char* const written = table_->write_one(column, {cell_.data(), size}, *model_, limits_.nesting, json_.data());
    std::fill_n(written, kPadding, '\0');
    end = written;
  }
  if (*json == 'n') return false;  // null
  if (reader_->value(json, place, cell.depth + 1) != end) return false;
  if (place.kind == FieldPlace::Kind::record) {
    for (const RegisterWrite& given : place.more_given) given.apply(reader_->registers_);
  }
  return true;
}

}  // namespace assay
