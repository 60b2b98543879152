// Headers of .npy files: those that NumPy writes are read, all others are rejected with a reason, and no number in them
// is trusted.
#include "runtime/npy/python_literal.hpp"

#include "tests/unit/catch.hpp"

#include <assay/npy.hpp>

#include <bit>
#include <cstring>

using namespace assay;

namespace {

std::string file(const std::string& header, int version = 1) {
  std::string out(kNpyMagic);
  out += static_cast<char>(version);
  out += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return out + header;
}

std::string dictionary(const std::string& fields, const std::string& shape = "(3,)") {
  return "{'descr': " + fields + ", 'fortran_order': False, 'shape': " + shape + ", }";
}

std::optional<NpyTable> parsed(const std::string& bytes, std::string& problem) {
  const std::optional<std::size_t> size = npy_header_bytes(bytes, problem);
  if (!size) return std::nullopt;
  REQUIRE(*size == bytes.size());
  return parse_npy_header(bytes, problem);
}

NpyTable table(const std::string& fields, int version = 1) {
  std::string problem;
  std::optional<NpyTable> result = parsed(file(dictionary(fields), version), problem);
  INFO(problem);
  REQUIRE(result);
  return *result;
}

std::string problem_of(const std::string& bytes) {
  std::string problem;
  CHECK(!parsed(bytes, problem));
  return problem;
}

std::string refusal(const std::string& fields) { return problem_of(file(dictionary(fields))); }

// "path kind offset size", one per line.
std::string shown(const NpyTable& t) {
  std::string out;
  for (const NpyField& f : t.fields) {
    out += f.path + " " + std::to_string(static_cast<int>(f.kind)) + " " + std::to_string(f.offset) + " " +
           std::to_string(f.size) + (f.list ? " x" + std::to_string(f.items) : "") + "\n";
  }
  return out + std::to_string(t.row_bytes);
}
std::string row(const std::string& path, NpyType kind, int offset, int size, const std::string& list = "") {
  return path + " " + std::to_string(static_cast<int>(kind)) + " " + std::to_string(offset) + " " +
         std::to_string(size) + list + "\n";
}

const std::string kDouble = std::endian::native == std::endian::little ? "<f8" : ">f8";

}  // namespace

TEST_CASE("literals of Python") {
  std::size_t at = 0;
  const auto text = [&](std::string_view literal) {
    const auto value = parse_python(literal, at);
    return value && value->kind == PythonValue::Kind::text ? value->text : "none";
  };
  CHECK(text("'a'") == "a");
  CHECK(text(" \"it's\" ") == "it's");
  CHECK(text(R"('\'\\\n\x41\u00e9\U0001F600')") == "'\\\nA\u00e9\U0001F600");
  CHECK(text("('a')") == "a");
  CHECK(text("((('a')))") == "a");
  for (const char* bad : {"",
                          "'a",
                          "'a' 'b'",
                          "'\\q'",
                          "'\\x4'",
                          "'\\u00g0'",
                          "'\\'",
                          "'a\nb'",
                          "u'a'",
                          "-1",
                          "1.5",
                          "1L",
                          "18446744073709551616",
                          "Truely",
                          "truth",
                          "(1,,)",
                          "(,)",
                          "[1",
                          "[1)",
                          "{1}",
                          "{1:}",
                          "{:1}",
                          "{1:2,,}",
                          "1 2",
                          "()1",
                          "(1 2)",
                          "[1 2]",
                          "'\xff'x",
                          "\0"}) {
    INFO(bad);
    CHECK(!parse_python(bad, at));
  }
  const auto value = parse_python("{'a': (1,), 'b': [True, False, None,], 3: (), 'a': 4}", at);
  REQUIRE(value);
  REQUIRE(value->items.size() == 8);
  REQUIRE(value->find("a"));
  CHECK(value->find("a")->kind == PythonValue::Kind::tuple);
  CHECK(value->find("a")->items.at(0).whole == 1);
  CHECK(value->find("b")->items.size() == 3);
  CHECK(value->find("c") == nullptr);
  CHECK(parse_python("18446744073709551615", at)->whole == UINT64_MAX);
  const std::string deep(32, '['), close(32, ']');
  CHECK(parse_python(deep + "1" + close, at));
  CHECK(!parse_python("[" + deep + "1" + close + "]", at));
  CHECK(!parse_python(std::string(100000, '('), at));
  CHECK(!parse_python("[1, 2, x]", at));
  CHECK(at == 7);
}

TEST_CASE("types and where they lie") {
  if constexpr (std::endian::native != std::endian::little) return;
  CHECK(shown(table("[('a', '<f8'), ('b', '<f4'), ('c', '|i1'), ('d', '<i2'), ('e', '<i4'), ('f', '<i8')]")) ==
        row("a", NpyType::f64, 0, 8) + row("b", NpyType::f32, 8, 4) + row("c", NpyType::i8, 12, 1) +
            row("d", NpyType::i16, 13, 2) + row("e", NpyType::i32, 15, 4) + row("f", NpyType::i64, 19, 8) + "27");
  CHECK(shown(table("[('a', '|u1'), ('b', '<u2'), ('c', '<u4'), ('d', '<u8'), ('e', '|b1')]")) ==
        row("a", NpyType::u8, 0, 1) + row("b", NpyType::u16, 1, 2) + row("c", NpyType::u32, 3, 4) +
            row("d", NpyType::u64, 7, 8) + row("e", NpyType::truth, 15, 1) + "16");
  CHECK(
      shown(table("[('a', '|S5'), ('b', '<U3'), ('c', 'S2', (4,)), ('d', '<U1', 2), ('e', '|S0'), ('f', 'S1', ())]")) ==
      row("a", NpyType::bytes, 0, 5) + row("b", NpyType::unicode, 5, 12) + row("c", NpyType::bytes, 17, 2, " x4") +
          row("d", NpyType::unicode, 25, 4, " x2") + row("e", NpyType::bytes, 33, 0) + row("f", NpyType::bytes, 33, 1) +
          "34");
}

TEST_CASE("types that are measured and not read") {
  if constexpr (std::endian::native != std::endian::little) return;
  const NpyTable t = table(
      "[('a', '>f8'), ('b', '<M8[ns]'), ('c', '<c16'), ('d', '<f2'), ('e', '|V3'), ('f', '>U2'), ('g', '<f8', (2, 3)), "
      "('h', [('x', '<f8'), ('y', '|S3')], (4,)), ('i', '|S0', (9,)), ('z', '|i1')]");
  CHECK(shown(t) == row("a", NpyType::other, 0, 8) + row("b", NpyType::other, 8, 8) + row("c", NpyType::other, 16, 16) +
                        row("d", NpyType::other, 32, 2) + row("e", NpyType::other, 34, 3) +
                        row("f", NpyType::other, 37, 8) + row("g", NpyType::other, 45, 8, " x6") +
                        row("h", NpyType::other, 93, 11, " x4") + row("i", NpyType::other, 137, 0, " x9") +
                        row("z", NpyType::i8, 137, 1) + "138");
  CHECK(t.fields[0].foreign);
  CHECK(t.fields[5].foreign);
  CHECK(!t.fields[1].foreign);
  // A byte has no byte order, nor have byte strings.
  CHECK(shown(table("[('a', '>i1'), ('b', '>S4'), ('c', '>b1')]")) ==
        row("a", NpyType::i8, 0, 1) + row("b", NpyType::bytes, 1, 4) + row("c", NpyType::truth, 5, 1) + "6");
}

TEST_CASE("records within records, titles and padding") {
  CHECK(shown(table("[('s', [('a', '|i1'), ('t', [('b', '|i1')])]), ('u.v', '|i1'), ('u.w', '|i1')]")) ==
        row("s.a", NpyType::i8, 0, 1) + row("s.t.b", NpyType::i8, 1, 1) + row("u.v", NpyType::i8, 2, 1) +
            row("u.w", NpyType::i8, 3, 1) + "4");
  CHECK(shown(table("[(('A title', 'a'), '|i1'), ('', '|V7'), ('b', '|i1'), ('s', [('c', '|i1'), ('', '|V3')]), ('', "
                    "'|V1')]")) ==
        row("a", NpyType::i8, 0, 1) + row("b", NpyType::i8, 8, 1) + row("s.c", NpyType::i8, 9, 1) + "14");
}

TEST_CASE("versions and alphabets") {
  CHECK(table("[('\xe9', '|i1')]", 1).fields[0].path == "\u00e9");  // Latin-1
  CHECK(table("[('\xe9', '|i1')]", 2).fields[0].path == "\u00e9");
  CHECK(table("[('\xc3\xa9', '|i1')]", 3).fields[0].path == "\u00e9");
  CHECK(problem_of(file(dictionary("[('\xe9', '|i1')]"), 3)).starts_with("its header is not a dictionary"));
  CHECK(table("[('a', '|i1')]").rows == 3);
}

TEST_CASE("files that are no .npy") {
  std::string problem;
  const std::string good = file(dictionary("[('a', '|i1')]"));
  for (std::size_t size = 0; size < 10; ++size) CHECK(npy_header_bytes(good.substr(0, size), problem) == 0u);
  CHECK(npy_header_bytes(good, problem) == good.size());
  CHECK(npy_header_bytes(good + "more", problem) == good.size());
  CHECK(problem_of("{\"a\": 1}\n") == "it holds JSON: read it with --from ndjson, or json");
  CHECK(problem_of("\x93NUMPX\1\0") == "it does not begin as a .npy file does");
  CHECK(problem_of("PK\3\4").starts_with("it is an archive (.npz)"));
  CHECK(problem_of(std::string("\x93NUMPY\4\0", 8)) ==
        "its version of the .npy format is 4.0, expected 1.0, 2.0 or 3.0");
  CHECK(problem_of(std::string("\x93NUMPY\1\1", 8)).starts_with("its version of the .npy format is 1.1"));
  CHECK(problem_of(std::string("\x93NUMPY\0\0", 8)).starts_with("its version of the .npy format is 0.0"));
  CHECK(problem_of(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)) == "its header is longer than 1048576 bytes");
}

TEST_CASE("headers that are none") {
  CHECK(problem_of(file("")).starts_with("its header is not a dictionary of Python, at byte 0"));
  CHECK(problem_of(file("[]")).starts_with("its header is not a dictionary"));
  CHECK(problem_of(file("{'descr': eval('1')}")) == "its header is not a dictionary of Python, at byte 10");
  CHECK(problem_of(file("{}")).starts_with("its header lacks one of"));
  CHECK(problem_of(file("{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}")).starts_with("its header lacks one of"));
  CHECK(refusal("'" + kDouble + "'") == "it holds numbers or texts without names ('" + kDouble +
                                            "'), where an array of records with named fields is expected");
  CHECK(refusal("'|O'").starts_with("it holds Python objects,"));
  CHECK(refusal("3") == "its header has a 'descr' that is not a list of fields");
  CHECK(problem_of(file("{'descr': [('a', '|i1')], 'fortran_order': True, 'shape': (1,)}")) ==
        "its array is in Fortran order: save np.ascontiguousarray(it)");
  for (const char* shape : {"()", "(2, 3)", "3", "'3'", "('3',)", "[3]", "None"}) {
    INFO(shape);
    CHECK(problem_of(file(dictionary("[('a', '|i1')]", shape))).find("whose shape is not (rows,)") !=
          std::string::npos);
  }
  CHECK(problem_of(file(dictionary("[('a', '|i1')]", "(-1,)"))).starts_with("its header is not a dictionary"));
  CHECK(problem_of(file(dictionary("[('a', '|i1')]", "(18446744073709551616,)"))).starts_with("its header is no"));
}

TEST_CASE("fields that are none") {
  CHECK(refusal("[]").starts_with("it holds rows of no bytes"));
  CHECK(refusal("[('a', '|S0')]").starts_with("it holds rows of no bytes"));
  CHECK(refusal("[('a', '|i1', (0,))]").starts_with("it holds rows of no bytes"));
  CHECK(refusal("['a']") == "its header has a field that is not a tuple of a name and a type");
  CHECK(refusal("[('a',)]") == "its header has a field that is not a tuple of a name and a type");
  CHECK(refusal("[(1, '|i1')]") == "its header has a field without a name");
  CHECK(refusal("[('a', 1)]") == "its field 'a' has no type");
  for (const char* type : {"", "<", "f", "<f", "f8x", "<i3", "<i16", "<i0", "|b2", "<q8", "<f-8",
                           "<U99999999999999999999", "<S16777217", "float64"}) {
    INFO(type);
    CHECK(refusal(std::string("[('a', '") + type + "')]").ends_with("which is none of NumPy's"));
  }
  CHECK(refusal("[('s', [('a', '|O')])]").starts_with("its field 's.a' holds Python objects: give texts a width"));
  CHECK(refusal("[('a', '|i1', (-1,))]").starts_with("its header is not a dictionary"));
  for (const char* shape : {"'2'", "('2',)", "(16777217,)", "(4097, 4097)", "None", "[2]"}) {
    INFO(shape);
    CHECK(refusal(std::string("[('a', '|i1', ") + shape + ")]") ==
          "its field 'a' has a shape that is none, or too large");
  }
  CHECK(refusal("[('a', '|i1'), ('a', '|i1')]") == "its header names the field 'a' twice");
  CHECK(refusal("[('s', [('a', '|i1')]), ('s.a', '|i1')]") == "its header names the field 's.a' twice");
  CHECK(refusal("[('s', '|i1'), ('s.a', '|i1')]") == "its field 's.a' is within another, 's'");
  CHECK(refusal("[('a', '|S16777216'), ('b', '|i1')]") == "its rows are larger than 16777216 bytes");
  CHECK(refusal("[('a', [('b', '|S16')], (1048577,))]") == "its rows are larger than 16777216 bytes");
  CHECK(refusal("[('a', '<U4194305')]") == "its rows are larger than 16777216 bytes");
  std::string path = "a";
  for (int i = 0; i < 70; ++i) path += ".a";
  CHECK(refusal("[('" + path + "', [('b', '|i1')])]").ends_with("is too deep"));
  CHECK(refusal("[('" + path + "', '|i1')]").ends_with("is too deep"));
}

TEST_CASE("headers that are written are read") {
  NpyTable t = table("[('id', '|S12'), ('n', '|i1')]");
  for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{7}, UINT64_MAX}) {
    t.rows = rows;
    const std::string bytes = npy_header(t);
    CHECK(bytes.size() % 64 == 0);
    CHECK(bytes.back() == '\n');
    std::string problem;
    const std::optional<NpyTable> again = parsed(bytes, problem);
    REQUIRE(again);
    CHECK(again->rows == rows);
    CHECK(shown(*again) == shown(t));
  }
  NpyField field = t.fields[1];
  for (int i = 0; i < 5000; ++i) t.fields.push_back((field.path = "field" + std::to_string(i), field));
  std::string problem;
  CHECK(npy_header(t)[6] == 2);  // too long for version 1.0
  CHECK(parsed(npy_header(t), problem)->fields.size() == 5002);
}

TEST_CASE("rows as they come") {
  const std::string header = file(dictionary("[('a', '|S3')]"));
  // Reads pieces of so many bytes, until `fails` bytes have been read.
  const auto read_all = [](std::string_view bytes, std::size_t piece, std::string& rows,
                           std::size_t fails = SIZE_MAX) -> std::string {
    std::size_t at = 0;
    const NpyReader::Read read = [&](char* buffer, std::size_t size) -> long {
      if (at >= fails) return -1;
      const std::size_t count = bytes.copy(buffer, std::min(size, piece), at);
      at += count;
      return static_cast<long>(count);
    };
    NpyReader reader;
    if (!reader.open(read)) return "open: " + reader.problem();
    std::string_view some;
    while (true) {
      const NpyReader::Status status = reader.next(read, some);
      if (status == NpyReader::Status::failed) return "failed: " + reader.problem();
      if (status == NpyReader::Status::end) return "end";
      CHECK(!some.empty());
      CHECK(some.size() % 3 == 0);
      rows += some;
    }
  };
  for (const std::size_t piece : {1, 2, 3, 5, 64, 1 << 20}) {
    std::string rows;
    CHECK(read_all(header + "abcdefghi", piece, rows) == "end");
    CHECK(rows == "abcdefghi");
    rows.clear();
    CHECK(read_all(header + "abcdefgh", piece, rows) == "failed: its header promises 3 rows, and it ends in row 3");
    CHECK(rows == "abcdef");
    CHECK(read_all(header, piece, rows) == "failed: its header promises 3 rows, and it ends in row 1");
    rows.clear();
    CHECK(read_all(header + "abcdefghij", piece, rows) ==
          "failed: its header promises 3 rows, and it goes on behind them");
    CHECK(rows == "abcdefghi");
    CHECK(read_all(header.substr(0, 20), piece, rows) == "open: it ends within its header");
    CHECK(read_all("", piece, rows) == "open: it is empty");
    CHECK(read_all(header, piece, rows, 0) == "open: ");
    CHECK(read_all(header, piece, rows, header.size()) == "failed: ");
  }
}
