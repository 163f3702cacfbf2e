#include "fsload/buffered_reader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "fsload/scheme_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kMebibyte = size_t{1} << 20;

// A way of reading: how, and from what.
struct Way {
  bool reads_ahead;
  bool is_store;
};

class BufferedReaderTest : public ::testing::TestWithParam<Way> {
 protected:
  static SchemeTables Tables(const Way& way = {true, false}) {
    SchemeTables tables = MemoryTree::Tables();
    tables.traits.replaces_atomically = way.is_store;
    return tables;
  }

  std::unique_ptr<BufferedReader> Open(std::string contents,
                                       BufferedReaderOptions options = {},
                                       const Way& way = {true, false}) {
    tree_.AddFile("/file", std::move(contents));
    options.reads_ahead = way.reads_ahead;
    auto reader =
        BufferedReader::Open(*tree_.Open(Tables(way)), "/file", options);
    EXPECT_EQ(reader.status(), absl::OkStatus());
    tree_.ForgetCalls();
    return *std::move(reader);
  }

  static std::string Bytes(size_t count) {
    std::string bytes(count, '\0');
    for (size_t i = 0; i < count; ++i) {
      bytes[i] = static_cast<char>(i * 7 + i / 4096);
    }
    return bytes;
  }

  static std::string ReadAll(BufferedReader& reader) {
    std::string all;
    for (;;) {
      const absl::StatusOr<std::string_view> block = reader.ReadBlock();
      EXPECT_EQ(block.status(), absl::OkStatus());
      if (!block.ok() || block->empty()) return all;
      all += *block;
    }
  }

  static std::vector<std::string> Lines(BufferedReader& reader) {
    std::vector<std::string> lines;
    for (;;) {
      const auto line = reader.ReadLine();
      EXPECT_EQ(line.status(), absl::OkStatus());
      if (!line.ok() || !line->has_value()) return lines;
      lines.emplace_back(**line);
    }
  }

  uint64_t Reads() const { return tree_.calls(Op::kRandomAccessFile_read); }

  MemoryTree tree_;
};

INSTANTIATE_TEST_SUITE_P(Ways, BufferedReaderTest,
                         ::testing::Values(Way{false, false}, Way{true, false},
                                           Way{true, true}));

TEST_P(BufferedReaderTest, YieldsTheFileOrARangeOfIt) {
  for (const size_t bytes :
       {size_t{0}, size_t{1}, kMebibyte, kMebibyte + 1, 10 * kMebibyte + 3}) {
    const std::string contents = Bytes(bytes);
    for (const ByteRange& range :
         {kWholeFile, ByteRange{0, 0}, ByteRange{0, 1}, ByteRange{5, 100},
          ByteRange{kMebibyte - 1, 9 * kMebibyte}, ByteRange{bytes, 10},
          ByteRange{uint64_t{1} << 60, 10}, ByteRange{UINT64_MAX, 1}}) {
      BufferedReaderOptions options;
      options.range = range;
      const auto reader = Open(contents, options, GetParam());
      const std::string expected =
          range.offset < bytes ? contents.substr(range.offset, range.length)
                               : "";
      EXPECT_TRUE(ReadAll(*reader) == expected)
          << bytes << " " << range.offset << " " << range.length;
      EXPECT_EQ(ReadAll(*reader), "");
    }
  }
}

TEST_P(BufferedReaderTest, ReadsSeeksAndSkipsLikeAStringStream) {
  std::mt19937 random(3);  // NOLINT: the same each time
  const std::string contents = Bytes(3 * kMebibyte + 17);
  const auto reader = Open(contents, {}, GetParam());
  size_t at = 0;
  for (int i = 0; i < 300; ++i) {
    const size_t bytes = random() % (i % 10 == 0 ? kMebibyte * 2 : 5000);
    if (i % 7 == 0) {
      at = random() % (contents.size() + 100);
      reader->Seek(at);
    } else if (i % 5 == 0) {
      at += bytes;
      reader->Skip(bytes);
    }
    ASSERT_EQ(reader->position(), at);
    std::string buffer(bytes, '?');
    const absl::StatusOr<size_t> read = reader->Read(buffer.data(), bytes);
    ASSERT_EQ(read.status(), absl::OkStatus());
    const std::string expected =
        at < contents.size() ? contents.substr(at, bytes) : "";
    ASSERT_TRUE(std::string_view(buffer).substr(0, *read) == expected) << i;
    at += *read;
  }
}

TEST_P(BufferedReaderTest, YieldsTheLinesThatGetlineDoes) {
  std::mt19937 random(5);  // NOLINT: the same each time
  for (const size_t longest : {size_t{20}, size_t{100}, size_t{700'000}}) {
    std::string text;
    while (text.size() < kMebibyte + 100) {
      text.append(random() % longest, static_cast<char>('a' + random() % 26));
      text += random() % 5 == 0 ? "\r\n" : "\n";
    }
    for (const std::string end : {"", "no end"}) {
      const auto reader = Open(text + end, {}, GetParam());
      std::istringstream in(text + end);
      std::vector<std::string> expected;
      for (std::string line; std::getline(in, line);) expected.push_back(line);
      EXPECT_TRUE(Lines(*reader) == expected) << longest << " " << end;
      EXPECT_EQ(reader->position(), text.size() + end.size());
    }
  }
}

TEST_F(BufferedReaderTest, YieldsLinesOfSmallFiles) {
  EXPECT_THAT(Lines(*Open("")), ElementsAre());
  EXPECT_THAT(Lines(*Open("\n")), ElementsAre(""));
  EXPECT_THAT(Lines(*Open("a")), ElementsAre("a"));
  EXPECT_THAT(Lines(*Open(std::string("a\0b\n\nc\r\n", 8))),
              ElementsAre(std::string("a\0b", 3), "", "c\r"));
}

TEST_P(BufferedReaderTest, RefusesALineThatIsTooLongUntilItIsToldToGoOn) {
  BufferedReaderOptions options;
  options.max_line_bytes = 5;
  const auto reader =
      Open("12345\n123456\nend\n" + Bytes(kMebibyte), options, GetParam());
  EXPECT_EQ(**reader->ReadLine(), "12345");
  const absl::Status too_long = absl::ResourceExhaustedError(
      "/file: the line at offset 6 is longer than 5 bytes; raise "
      "BufferedReaderOptions::max_line_bytes, or read it in blocks");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(reader->ReadLine().status(), too_long);
  }
  EXPECT_EQ(reader->ReadBlock().status(), too_long);
  EXPECT_EQ(reader->status(), too_long);
  reader->Seek(13);
  EXPECT_EQ(reader->status(), absl::OkStatus());
  EXPECT_EQ(**reader->ReadLine(), "end");
}

TEST_F(BufferedReaderTest, LimitsALineWithoutEndThatIsInManyBlocks) {
  const auto reader = Open(std::string(3 * kMebibyte, 'x'));
  EXPECT_EQ(reader->ReadLine().status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_P(BufferedReaderTest, FailsAsTheReadDoesAndKeepsTheError) {
  const std::string contents = Bytes(3 * kMebibyte);
  for (uint64_t call = 1; call <= 4; ++call) {
    const auto reader = Open(contents, {}, GetParam());
    tree_.fault = Fault{call};
    std::string buffer(contents.size() + 1, '\0');
    const absl::StatusOr<size_t> read =
        reader->Read(buffer.data(), buffer.size());
    tree_.SetFault(std::nullopt);
    const absl::Status status = read.status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << call;
    EXPECT_EQ(reader->ReadBlock().status(), status);
    EXPECT_EQ(reader->ReadLine().status(), status);
    EXPECT_EQ(reader->Read(buffer.data(), 1).status(), status);
    EXPECT_EQ(reader->status(), status);
    reader->Seek(0);
    EXPECT_TRUE(ReadAll(*reader) == contents);
  }
}

TEST_P(BufferedReaderTest, ReadsOnWhereThePluginReadsLess) {
  tree_.deviations.max_bytes_per_read = 1000;
  const std::string contents = Bytes(kMebibyte + 10);
  EXPECT_TRUE(ReadAll(*Open(contents, {}, GetParam())) == contents);
}

// The plugin reports a length that the file does not have.
TEST_P(BufferedReaderTest, SaysThatThePluginEndedTheFileTooEarly) {
  for (const size_t bytes : {size_t{0}, size_t{10}, kMebibyte, 9 * kMebibyte}) {
    const auto reader = Open(Bytes(bytes), {}, GetParam());
    tree_.correct_stat = [&](const std::string&, TF_FileStatistics& found) {
      found.length = static_cast<int64_t>(bytes) + 5;
    };
    std::string buffer(bytes + 10, '\0');
    const absl::Status status =
        reader->Read(buffer.data(), buffer.size()).status();
    EXPECT_EQ(status, absl::DataLossError(
                          "/file: the plugin reported end of file after " +
                          std::to_string(bytes) + " of " +
                          std::to_string(bytes + 5) + " bytes"));
    tree_.correct_stat = nullptr;
  }
}

TEST_P(BufferedReaderTest, BelievesWhatItReadsOverALengthThatIsTooSmall) {
  for (const int64_t length : {int64_t{0}, int64_t{3}}) {
    const std::string contents = Bytes(10 * kMebibyte);
    const auto reader = Open(contents, {}, GetParam());
    tree_.correct_stat = [&](const std::string&, TF_FileStatistics& found) {
      found.length = length;
    };
    EXPECT_TRUE(ReadAll(*reader) == contents);
    tree_.correct_stat = nullptr;
  }
}

TEST_P(BufferedReaderTest, ReadsWhatTheFileHasGrownBy) {
  const auto reader = Open("begin ", {}, GetParam());
  tree_.after_call = [this](Op op, uint64_t) {
    if (op == Op::kFilesystem_stat) return;
    if (tree_.Contents("/file")->size() < 10)
      tree_.Contents("/file")->append("end.");
  };
  EXPECT_EQ(ReadAll(*reader), "begin end.");
}

TEST_P(BufferedReaderTest, TrustsTheKernel) {
  SchemeTables tables = Tables(GetParam());
  tables.traits.is_exact = true;
  tree_.AddFile("/file", "short");
  tree_.correct_stat = [](const std::string&, TF_FileStatistics& found) {
    found.length = 4096;
  };
  const auto reader = *BufferedReader::Open(*tree_.Open(tables), "/file");
  EXPECT_EQ(ReadAll(*reader), "short");
}

TEST_P(BufferedReaderTest, ReadsNothingOutsideTheRange) {
  const std::string contents = Bytes(12 * kMebibyte);
  uint64_t bytes = 0;
  for (const ByteRange& range : {ByteRange{0, 10}, ByteRange{5, kMebibyte},
                                 ByteRange{7, 10 * kMebibyte}}) {
    BufferedReaderOptions options;
    options.range = range;
    const auto reader = Open(contents, options, GetParam());
    bytes = ReadAll(*reader).size();
    EXPECT_EQ(bytes, range.length);
    // One block of 1 MiB, and then of 8 MiB or 1: none is read for nothing.
    const uint64_t blocks = range.length <= kMebibyte ? 1
                            : GetParam().is_store     ? 3
                                                      : 10;
    if (GetParam().reads_ahead) {
      EXPECT_EQ(Reads(), blocks) << range.length;
    }
  }
}

TEST_F(BufferedReaderTest, ReadsLittleAtFirstWithoutReadingAhead) {
  BufferedReaderOptions options;
  options.reads_ahead = false;
  const auto reader = Open(Bytes(kMebibyte), options, {false, false});
  EXPECT_EQ(reader->ReadBlock()->size(), 16 << 10);
  EXPECT_EQ(reader->ReadBlock()->size(), 64 << 10);
  EXPECT_EQ(reader->ReadBlock()->size(), 256 << 10);
  EXPECT_EQ(Reads(), 3);
}

TEST_F(BufferedReaderTest, AsksAStoreForTheLengthOfALargeFileOnly) {
  const Way store = {true, true};
  auto reader = Open(Bytes(kMebibyte - 1), {}, store);
  ReadAll(*reader);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 1);
  EXPECT_EQ(Reads(), 1);
  reader = Open(Bytes(30 * kMebibyte), {}, store);
  ReadAll(*reader);
  // And again at the end, whether it is still the same object.
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 2);
  EXPECT_EQ(Reads(), 5);
}

TEST_F(BufferedReaderTest, FindsTheFileSystemOfAUri) {
  SchemeRegistry registry;
  EXPECT_EQ(BufferedReader::Open("nothing://x", {}, registry).status().code(),
            absl::StatusCode::kNotFound);
  tree_.AddFile("/file", "text");
  ASSERT_EQ(registry.Register({tree_.Open()}), absl::OkStatus());
  const auto reader = BufferedReader::Open("tree:///file", {}, registry);
  ASSERT_EQ(reader.status(), absl::OkStatus());
  EXPECT_EQ(ReadAll(**reader), "text");
  EXPECT_EQ(
      BufferedReader::Open("tree:///missing", {}, registry).status().code(),
      absl::StatusCode::kNotFound);
}

TEST_F(BufferedReaderTest, KeepsTheFileSystemAlive) {
  tree_.AddFile("/file", Bytes(2 * kMebibyte));
  FileSystemPtr files = tree_.Open();
  const auto reader = *BufferedReader::Open(*files, "/file");
  files.reset();
  EXPECT_EQ(ReadAll(*reader).size(), 2 * kMebibyte);
}

TEST_P(BufferedReaderTest, ReadsNothingBeforeTheRange) {
  BufferedReaderOptions options;
  options.range = {5, 10};
  const auto reader = Open(Bytes(100), options, GetParam());
  for (const uint64_t offset : {0, 4}) {
    reader->Seek(offset);
    const absl::Status status = reader->ReadBlock().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(Format("offset {} is before the range to read, "
                                 "which begins at 5",
                                 offset)));
    EXPECT_EQ(Reads(), 0);
  }
  reader->Seek(5);
  EXPECT_EQ(ReadAll(*reader), Bytes(100).substr(5, 10));
}

}  // namespace
}  // namespace fsload
