// Streams, ranges and whole files of real plugins, right ones and others.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/buffered_reader.h"
#include "fsload/buffered_writer.h"
#include "fsload/file_streams.h"
#include "fsload/file_system.h"
#include "fsload/read_ranges.h"
#include "fsload/whole_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

constexpr size_t kMebibyte = size_t{1} << 20;

class StreamsTest : public ::testing::TestWithParam<const char*> {
 protected:
  StreamsTest() {
    if (GetParam() != std::string_view("memory")) folder_ = NewTestDirectory();
  }

  // Lines with their numbers: about 3 MiB.
  static const std::string& Text() {
    static const auto* const text = [] {
      auto* lines = new std::string;
      for (int i = 0; lines->size() < 3 * kMebibyte; ++i) {
        *lines += "line " + std::to_string(i) + " of many\n";
      }
      return lines;
    }();
    return *text;
  }

  std::string folder_;
  const FileSystemPtr files_ = LoadTestPlugin(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Plugins, StreamsTest,
                         ::testing::Values("posix", "minimal", "memory",
                                           "slow"),
                         [](const auto& test) {
                           return std::string(test.param);
                         });

TEST_P(StreamsTest, ReadsTheLinesThatWereWritten) {
  const std::string path = folder_ + "/file";
  const auto out = OutputFileStream::Open(*files_, path);
  ASSERT_EQ(out.status(), absl::OkStatus());
  **out << Text();
  ASSERT_EQ((*out)->Close(), absl::OkStatus());
  const auto in = BufferedReader::Open(*files_, path);
  ASSERT_EQ(in.status(), absl::OkStatus());
  std::string read;
  for (;;) {
    const auto line = (*in)->ReadLine();
    ASSERT_EQ(line.status(), absl::OkStatus());
    if (!line->has_value()) break;
    read.append(**line) += '\n';
  }
  EXPECT_TRUE(read == Text());
  const absl::StatusOr<std::string> whole = ReadWholeFile(*files_, path);
  ASSERT_EQ(whole.status(), absl::OkStatus());
  EXPECT_TRUE(*whole == Text());
}

TEST_P(StreamsTest, WritesAtTheEndOfAFile) {
  const std::string path = folder_ + "/file";
  BufferedWriterOptions options;
  options.appends = true;
  for (const char* piece : {"one ", "two ", "three"}) {
    const auto writer = BufferedWriter::Open(*files_, path, options);
    ASSERT_EQ(writer.status(), absl::OkStatus());
    ASSERT_EQ((*writer)->Append(piece), absl::OkStatus());
    ASSERT_EQ((*writer)->Close(), absl::OkStatus());
  }
  EXPECT_EQ(*ReadWholeFile(*files_, path), "one two three");
}

TEST_P(StreamsTest, ReadsRanges) {
  const std::string path = folder_ + "/file";
  ASSERT_EQ(WriteWholeFile(*files_, path, Text()), absl::OkStatus());
  const auto file = files_->NewRandomAccessFile(path);
  ASSERT_EQ(file.status(), absl::OkStatus());
  ReadRangesOptions options;
  options.max_gap_bytes = 1000;
  options.max_request_bytes = 100'000;
  std::vector<ByteRange> ranges;
  for (uint64_t i = 0; i < 300; ++i) {
    ranges.push_back({i * 7919 * 1000 % Text().size(), i * i % 2000});
  }
  ranges.push_back({5, 4 * kMebibyte});
  const auto read = ReadRanges(**file, ranges, options);
  ASSERT_EQ(read.status(), absl::OkStatus());
  for (size_t i = 0; i < ranges.size(); ++i) {
    ASSERT_TRUE((*read)[i] == Text().substr(ranges[i].offset, ranges[i].length))
        << i;
  }
}

TEST_P(StreamsTest, ReplacesFilesAtomically) {
  const std::string path = folder_ + "/file";
  for (const std::string& contents :
       {std::string("first"), std::string("other"), std::string(), Text()}) {
    ASSERT_EQ(WriteFileAtomically(*files_, path, contents), absl::OkStatus());
    const absl::StatusOr<std::string> read = ReadWholeFile(*files_, path);
    ASSERT_EQ(read.status(), absl::OkStatus());
    EXPECT_TRUE(*read == contents);
  }
  if (folder_.empty()) return;
  size_t names = 0;
  for ([[maybe_unused]] const auto& each :
       std::filesystem::directory_iterator(folder_)) {
    ++names;
  }
  EXPECT_EQ(names, 1);
}

TEST_P(StreamsTest, NamesTheFileThatCannotBeWritten) {
  const std::string uri = files_->scheme() + "://" + folder_ + "/no/file";
  for (const absl::Status& status : {WriteFileAtomically(*files_, uri, "text"),
                                     WriteWholeFile(*files_, uri, "text"),
                                     ReadWholeFile(*files_, uri).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    EXPECT_EQ(std::string(status.message()).rfind(uri + ": ", 0), 0) << status;
  }
}

class DeviantStreamsTest : public ::testing::Test {
 protected:
  // The file has ten bytes.
  void Load(const std::string& variant) {
    files_ = LoadTestPlugin("deviant_" + variant);
  }

  absl::StatusOr<std::string> Stream(const char* uri = kFile) {
    const auto reader = BufferedReader::Open(*files_, uri);
    if (!reader.ok()) return reader.status();
    std::string text(20, '\0');
    const absl::StatusOr<size_t> bytes =
        (*reader)->Read(text.data(), text.size());
    if (!bytes.ok()) return bytes.status();
    return text.substr(0, *bytes);
  }

  absl::StatusOr<std::string> Range(const char* uri = kFile) {
    const auto file = files_->NewRandomAccessFile(uri);
    if (!file.ok()) return file.status();
    auto read = ReadRanges(**file, {{2, 20}, {4, 3}});
    if (!read.ok()) return read.status();
    EXPECT_EQ((*read)[1], "456");
    return "01" + read->front();
  }

  static constexpr char kFile[] = "deviant:///dir/file";
  FileSystemPtr files_;
};

TEST_F(DeviantStreamsTest, ReadsWhatAPluginGivesInItsOwnWay) {
  for (const char* variant : {"none", "read_short", "status_only_on_failure"}) {
    Load(variant);
    for (const absl::StatusOr<std::string>& text :
         {ReadWholeFile(*files_, kFile), Stream()}) {
      ASSERT_EQ(text.status(), absl::OkStatus()) << variant;
      EXPECT_EQ(*text, "0123456789") << variant;
    }
  }
  for (const char* variant : {"none", "read_short"}) {
    Load(variant);
    const absl::StatusOr<std::string> text = Range();
    ASSERT_EQ(text.status(), absl::OkStatus()) << variant;
    EXPECT_EQ(*text, "0123456789") << variant;
  }
}

// A plugin that gives no count where the file ends gives no bytes there.
TEST_F(DeviantStreamsTest, SaysWhatAPluginHasNotGiven) {
  Load("read_range_negative");
  for (const absl::StatusOr<std::string>& text :
       {ReadWholeFile(*files_, kFile), Stream()}) {
    EXPECT_EQ(text.status().code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(text.status().message()),
                HasSubstr("reported end of file after 0 of 10 bytes"));
  }
}

TEST_F(DeviantStreamsTest, BelievesNoImpossibleCount) {
  for (const char* variant : {"read_too_much", "read_negative"}) {
    Load(variant);
    for (const absl::StatusOr<std::string>& text :
         {ReadWholeFile(*files_, kFile), Stream(), Range()}) {
      EXPECT_EQ(text.status().code(), absl::StatusCode::kInternal) << variant;
      EXPECT_THAT(std::string(text.status().message()),
                  HasSubstr("the buffer cannot be trusted"));
    }
  }
}

TEST_F(DeviantStreamsTest, FailsAsAReadDoesWhateverItsCount) {
  for (const char* variant : {"none", "read_error_part", "read_error_zero"}) {
    Load(variant);
    constexpr char kUnreadable[] = "deviant:///unreadable";
    for (const absl::StatusOr<std::string>& text :
         {Stream(kUnreadable), Range(kUnreadable)}) {
      EXPECT_EQ(text.status().code(), absl::StatusCode::kUnavailable);
      EXPECT_THAT(
          std::string(text.status().message()),
          HasSubstr("deviant:///unreadable: the server is gone (read)"));
    }
  }
}

TEST_F(DeviantStreamsTest, ContainsTheExceptionsOfAPlugin) {
  Load("throws_in_files");
  for (const absl::Status& status :
       {Stream().status(), Range().status(),
        ReadWholeFile(*files_, kFile).status(),
        WriteWholeFile(*files_, "deviant:///dir/new", "text"),
        WriteFileAtomically(*files_, "deviant:///dir/new", "text")}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("out of luck"));
  }
}

// Its writable files take everything and keep nothing.
TEST_F(DeviantStreamsTest, AsksForWhatItHasWrittenAtomically) {
  Load("none");
  EXPECT_EQ(WriteWholeFile(*files_, "deviant:///dir/new", "text"),
            absl::OkStatus());
  EXPECT_FALSE(WriteFileAtomically(*files_, "deviant:///dir/new", "text").ok());
}

}  // namespace
}  // namespace fsload
