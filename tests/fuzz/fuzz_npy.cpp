// Reads arbitrary bytes as a .npy file: its header is accepted or rejected, and for an accepted one every field lies
// within its row and each row is one line. The inputs in corpus/npy were written by NumPy 1.24 (see
// tests/cli/npy.case).
#include "tests/fuzz/fuzz.hpp"

#include <assay/npy.hpp>

#include <algorithm>

using namespace assay;
using assay_tests::insist;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view left(reinterpret_cast<const char*>(bytes), size);
  const NpyReader::Read read = [&left](char* buffer, std::size_t room) {
    const std::size_t count = left.copy(buffer, std::min<std::size_t>(room, 1000));
    left.remove_prefix(count);
    return static_cast<long>(count);
  };
  NpyReader reader;
  if (!reader.open(read)) {
    insist(!reader.problem().empty());
    return 0;
  }
  const NpyTable& table = reader.table();
  insist(table.row_bytes > 0 && table.row_bytes <= kMostNpyRow);
  std::vector<NpyInput> inputs;
  for (const NpyField& field : table.fields) {
    insist(field.items <= kMostNpyRow && field.offset <= table.row_bytes);
    insist(field.size * field.items <= table.row_bytes - field.offset);
    if (field.kind != NpyType::other && field.items < 10000) inputs.push_back({field, NpyInput::Kind::other});
  }
  NpyLines lines(inputs);
  std::string_view rows;
  std::uint64_t count = 0;
  while (reader.next(read, rows) == NpyReader::Status::rows) {
    insist(!rows.empty() && rows.size() % table.row_bytes == 0);
    for (; !rows.empty(); rows.remove_prefix(table.row_bytes), ++count) {
      std::string line;
      lines.append(line, rows.data());
      insist(line.find('\n') == std::string::npos && line.starts_with('{') && line.ends_with('}'));
    }
  }
  insist(count <= table.rows && (reader.problem().empty() ? count == table.rows : true));
  return 0;
}
