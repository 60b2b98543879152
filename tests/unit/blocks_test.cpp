// Cutting streams: the records are the same for any division of the stream and any block size.
#include "runtime/stream/blocks.hpp"

#include "tests/unit/given.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace assay;

namespace {

const Rubric& rubric() {
  static const Rubric kept = rubric_of(R"rubric(
rubric blocks "Inputs of each kind a cell can be" {
  scale 0..10 decimals 1
  dimension value weight 100% missing 5
  input i, v: text optional
  input names: list of text default []
  input flag: bool default false
  input part: { size: number optional, inner: { deep: number optional, flat: text optional } optional } optional
  input extra: any optional
}
)rubric");
  return kept;
}

// "1:{…}|2:limit|", with lines counted over all blocks.
std::string cut(const std::string& text, Format format, std::size_t piece, std::size_t block_bytes,
                std::size_t record_bytes = 1000) {
  Limits limits;
  limits.record_bytes = record_bytes;
  BlockReader blocks(format, reader_of(text, piece), rubric(), limits, false, block_bytes);
  BlockRecords records(rubric(), limits);
  Chunk block;
  Record record;
  InputError problem;
  std::string out;
  std::uint64_t lines = 0;
  for (;;) {
    if (!blocks.cut(block)) {
      if (!blocks.fill() && blocks.done()) return out;
      continue;
    }
    const std::string_view behind(block.text.data() + block.text.size(), BlockText::kPadding);
    if (!block.problem) CHECK(behind == "\n" + std::string(BlockText::kPadding - 1, '\0'));
    lines += block.lines_before;
    records.begin(block);
    for (BlockRecords::Step step = records.next(record, problem); step != BlockRecords::Step::end;
         step = records.next(record, problem)) {
      const bool good = step == BlockRecords::Step::record;
      out += std::to_string(lines + record.line) + ":" + (good ? std::string(record.json) : problem.code) + "|";
      if (records.stopped()) return out;
    }
    lines += records.lines();
  }
}

// For every way to divide the stream.
void check_cut(const std::string& text, Format format, const std::string& expected, std::size_t record_bytes = 1000) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{100000}}) {
    for (const std::size_t block : {std::size_t{1}, std::size_t{5}, std::size_t{64}, std::size_t{100000}}) {
      INFO(text << "\npieces of " << piece << ", blocks of " << block);
      CHECK(cut(text, format, piece, block, record_bytes) == expected);
    }
  }
}

}  // namespace

TEST_CASE("lines are cut wherever blocks end") {
  check_cut("", Format::ndjson, "");
  check_cut("\n\n", Format::ndjson, "");
  check_cut("{\"a\":1}", Format::ndjson, "1:{\"a\":1}|");
  check_cut("{\"a\":1}\n", Format::ndjson, "1:{\"a\":1}|");
  check_cut("{\"a\":1}\r\n\r\n \t\r\n{\"b\":2}\r\n", Format::ndjson, "1:{\"a\":1}|4:{\"b\":2}|");
  check_cut("\xEF\xBB\xBF{}\n1\n\nx", Format::ndjson, "1:{}|2:1|4:x|");
  check_cut("\xEF\xBB\n", Format::ndjson, "1:\xEF\xBB|");
  check_cut("\xEF\xBB\xBF", Format::ndjson, "");
  std::string many, expected;
  for (int i = 1; i <= 500; ++i) {
    const std::string line(static_cast<std::size_t>(i * 37 % 211 + 1), static_cast<char>('a' + i % 26));
    many += line + "\n";
    expected += std::to_string(i) + ":" + line + "|";
  }
  check_cut(many, Format::ndjson, expected);
}

TEST_CASE("a line that is too long is passed over, and told in its place") {
  check_cut("123456789\n1234567890\n12345678901\n1\n", Format::ndjson, "1:123456789|2:1234567890|3:limit|4:1|", 10);
  check_cut("1234567890\r\n12345678901\r\n2", Format::ndjson, "1:1234567890|2:limit|3:2|", 10);
  check_cut("1\n" + std::string(5000, 'x'), Format::ndjson, "1:1|2:limit|", 10);
  check_cut(std::string(5000, 'x') + "\n\n" + std::string(3000, 'y') + "\n3", Format::ndjson, "1:limit|3:limit|4:3|",
            10);
  check_cut(std::string(20, ' ') + "\n3", Format::ndjson, "1:limit|2:3|", 10);
}

TEST_CASE("the records of a document have the lines they begin in") {
  check_cut("", Format::json, "");
  check_cut(" \n{\"a\":\n1}\n", Format::json, "2:{\"a\":\n1}|");
  check_cut("[{},\n [1,2] ,\n\n7]", Format::json, "1:{}|2:[1,2]|4:7|");
  check_cut("[]", Format::json, "");
  check_cut("[1,\n2", Format::json, "1:1|2:2|2:syntax|");
  check_cut("[{},\n{\"a\":1},{\"b\n", Format::json, "1:{}|2:{\"a\":1}|2:syntax|");
  check_cut("{}\n{\"a\":\n1} {\"b\":\n2}", Format::json, "1:{}|2:{\"a\":\n1}|3:{\"b\":\n2}|");
  check_cut("{\"a\":1}\n{\"b\":x}\n{}", Format::json, "1:{\"a\":1}|2:syntax|3:{}|");
  check_cut("{\"a\":1}\n{}\n]", Format::json, "1:{\"a\":1}|2:{}|3:syntax|");
  check_cut("[1234567890]", Format::json, "1:limit|", 10);
}

TEST_CASE("rows are cut where quotes allow it") {
  check_cut("", Format::csv, "");
  check_cut("\n\nid,value\n\n", Format::csv, "");
  check_cut("id,value\na,1\n\"b\n\"\"x\"\", y\",2\nc,3", Format::csv,
            "2:{\"id\":\"a\",\"value\":1}|3:{\"id\":\"b\\n\\\"x\\\", y\",\"value\":2}|5:{\"id\":\"c\",\"value\":3}|");
  check_cut("\xEF\xBB\xBF\"id\",\"value\"\r\n\"a\",1\r\n\r\n,2\r\n", Format::csv,
            "2:{\"id\":\"a\",\"value\":1}|4:{\"value\":2}|");
  check_cut("id;value\n\"a\n;\";1\n", Format::csv, "2:{\"id\":\"a\\n;\",\"value\":1}|");
  check_cut("id,value\na\"\n\"\",2\n\"\"\"\n\"\"\",3\n", Format::csv,
            "2:syntax|3:{\"value\":2}|4:{\"id\":\"\\\"\\n\\\"\",\"value\":3}|");
  check_cut("id,value\na,1,2\n\"b\",1\n", Format::csv, "2:syntax|3:{\"id\":\"b\",\"value\":1}|");
  check_cut("id,value\na,1\n\"b,2\nc,3\n", Format::csv, "2:{\"id\":\"a\",\"value\":1}|3:syntax|");
  check_cut("id,\"value\n", Format::csv, "1:syntax|");
  check_cut("\nid,id\n1,2\n", Format::csv, "2:duplicate|");
  check_cut("i,v\nabcdef,1\nabcdefghij,2\na,3\n", Format::csv, "2:{\"i\":\"abcdef\",\"v\":\"1\"}|3:limit|", 10);
  check_cut("i,v\n\"" + std::string(3000, 'x') + "\n", Format::csv, "2:limit|", 10);
}

TEST_CASE("cells become JSON by the types of their columns") {
  check_cut(
      "value,flag,names,extra\n1.50,true,a; b;;\"c,{\"\"x\"\":1}\n-0.5e3,yes,[1],x\n01,,,[\n", Format::csv,
      "2:{\"value\":1.50,\"flag\":true,\"names\":[\"a\",\"b\",\"\",\"\\\"c\"],\"extra\":\"{\\\"\\\"x\\\"\\\":1}\"}|"
      "3:{\"value\":-0.5e3,\"flag\":\"yes\",\"names\":[1],\"extra\":\"x\"}|4:{\"value\":\"01\",\"extra\":\"[\"}|");
  check_cut("extra,part\n\"{\"\"x\"\":[1]}\",\"{\"\"size\"\":2}\"\n1,{\n", Format::csv,
            "2:{\"extra\":{\"x\":[1]},\"part\":{\"size\":2}}|3:{\"extra\":1,\"part\":\"{\"}|");
  // An object appears at its first column, with all its columns; empty cells create no objects.
  check_cut("part.size,value,part.inner.deep,part.inner.flat\n1,2,3,x\n,2,,\n,,,y\n1,,,\n", Format::csv,
            "2:{\"part\":{\"size\":1,\"inner\":{\"deep\":3,\"flat\":\"x\"}},\"value\":2}|3:{\"value\":2}|"
            "4:{\"part\":{\"inner\":{\"flat\":\"y\"}}}|5:{\"part\":{\"size\":1}}|");
}

TEST_CASE("a row of control characters fits the room that is made for it") {
  const std::string cell(700, '\x01');
  std::string escaped;
  for (std::size_t i = 0; i < cell.size(); ++i) escaped += "\\u0001";
  check_cut("id,names\n" + cell + ",\x01;;\x01\n", Format::csv,
            "2:{\"id\":\"" + escaped + "\",\"names\":[\"\\u0001\",\"\",\"\\u0001\"]}|");
}

TEST_CASE("what has no end when reading fails is no record") {
  int calls = 0;
  const auto read = [&calls](char* buffer, std::size_t) {
    if (++calls > 1) return -1L;
    std::memcpy(buffer, "{}\n{}", 5);
    return 5L;
  };
  RecordReader reader(Format::ndjson, read, rubric());
  Record record;
  InputError problem;
  CHECK(reader.next(record, problem) == RecordReader::Status::record);
  CHECK(reader.next(record, problem) == RecordReader::Status::error);
  CHECK(problem.code == "read");
  CHECK(reader.next(record, problem) == RecordReader::Status::end);
}
