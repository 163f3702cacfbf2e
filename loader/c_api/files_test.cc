// Open files, on correct plugins and on deviant ones.
#include "fsload/c/files.h"

#include <cstdint>
#include <cstring>
#include <string>

#include "loader/c_api/c_api_fixture.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

TEST_P(CApiFilesTest, ReadsWhatWasWritten) {
  Write(At("file"), "hello");
  EXPECT_EQ(Read(At("file")), "hello");
}

TEST_P(CApiFilesTest, ReadsFewerBytesAtTheEndWithoutAnError) {
  Write(At("file"), "hello");
  fsload_reader* reader = nullptr;
  ASSERT_EQ(fsload_open_reader(registry_, At("file").c_str(), &reader, &error_),
            FSLOAD_OK);
  struct Range {
    uint64_t offset;
    size_t size;
    std::string read;
  };
  for (const Range& each :
       {Range{0, 5, "hello"}, Range{1, 3, "ell"}, Range{3, 9, "lo"},
        Range{5, 9, ""}, Range{99, 9, ""}, Range{0, 0, ""}}) {
    char text[10];
    size_t count = 77;
    EXPECT_EQ(
        fsload_read(reader, each.offset, text, each.size, &count, &error_),
        FSLOAD_OK)
        << Why();
    EXPECT_EQ(std::string(text, count), each.read) << each.offset;
    EXPECT_EQ(error_, nullptr);
  }
  size_t count = 77;
  EXPECT_EQ(fsload_read(reader, 0, nullptr, 0, &count, &error_), FSLOAD_OK);
  EXPECT_EQ(count, 0);
  fsload_reader_free(reader);
}

TEST_P(CApiFilesTest, FailsToOpenWhatIsNotThere) {
  auto* reader = reinterpret_cast<fsload_reader*>(8);
  EXPECT_EQ(fsload_open_reader(registry_, At("none").c_str(), &reader, &error_),
            FSLOAD_NOT_FOUND);
  EXPECT_EQ(reader, nullptr);
  EXPECT_EQ(fsload_error_code(error_), FSLOAD_NOT_FOUND);
  EXPECT_THAT(Why(), ::testing::StartsWith(At("none") + ": "));
}

TEST_P(CApiFilesTest, AppendsAndTellsThePosition) {
  Write(At("file"), "one");
  fsload_writer* writer = nullptr;
  ASSERT_EQ(
      fsload_open_appender(registry_, At("file").c_str(), &writer, &error_),
      FSLOAD_OK);
  EXPECT_EQ(fsload_append(writer, " two", 4, &error_), FSLOAD_OK);
  EXPECT_EQ(fsload_append(writer, nullptr, 0, &error_), FSLOAD_OK);
  EXPECT_EQ(fsload_flush(writer, &error_), FSLOAD_OK) << Why();
  EXPECT_EQ(fsload_sync(writer, &error_), FSLOAD_OK) << Why();
  int64_t position = 0;
  EXPECT_EQ(fsload_tell(writer, &position, &error_), FSLOAD_OK) << Why();
  EXPECT_EQ(position, 7);
  EXPECT_EQ(fsload_close(writer, &error_), FSLOAD_OK);
  fsload_writer_free(writer);
  EXPECT_EQ(Read(At("file")), "one two");
}

TEST_P(CApiFilesTest, RefusesTheUseOfAClosedWriter) {
  fsload_writer* writer = nullptr;
  ASSERT_EQ(fsload_open_writer(registry_, At("file").c_str(), &writer, &error_),
            FSLOAD_OK);
  EXPECT_EQ(fsload_close(writer, &error_), FSLOAD_OK);
  EXPECT_EQ(fsload_append(writer, "a", 1, &error_), FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(fsload_close(writer, &error_), FSLOAD_FAILED_PRECONDITION);
  fsload_discard(writer);
  fsload_writer_free(writer);
  EXPECT_EQ(Read(At("file")), "");
}

TEST_P(CApiFilesTest, RefusesTheUseOfADiscardedWriter) {
  fsload_writer* writer = nullptr;
  ASSERT_EQ(fsload_open_writer(registry_, At("file").c_str(), &writer, &error_),
            FSLOAD_OK);
  fsload_discard(writer);
  EXPECT_EQ(fsload_append(writer, "a", 1, &error_), FSLOAD_FAILED_PRECONDITION);
  EXPECT_THAT(Why(), HasSubstr(At("file")));
  fsload_writer_free(writer);
}

TEST_P(CApiFilesTest, ShowsAFileAsMemory) {
  Write(At("file"), "hello");
  fsload_region* region = nullptr;
  ASSERT_EQ(fsload_open_region(registry_, At("file").c_str(), &region, &error_),
            FSLOAD_OK)
      << Why();
  ASSERT_EQ(fsload_region_size(region), 5);
  EXPECT_EQ(std::memcmp(fsload_region_data(region), "hello", 5), 0);
  fsload_region_free(region);
}

TEST_P(CApiFilesTest, KeepsARetiredFileSystemForItsFiles) {
  Write(At("file"), "hello");
  fsload_reader* reader = nullptr;
  ASSERT_EQ(fsload_open_reader(registry_, At("file").c_str(), &reader, &error_),
            FSLOAD_OK);
  EXPECT_EQ(fsload_retire(registry_, GetParam(), 0, &error_),
            FSLOAD_DEADLINE_EXCEEDED);
  char text[5];
  size_t count = 0;
  EXPECT_EQ(fsload_read(reader, 0, text, 5, &count, &error_), FSLOAD_OK);
  EXPECT_EQ(std::string(text, count), "hello");
  fsload_reader_free(reader);
}

INSTANTIATE_TEST_SUITE_P(Of, CApiFilesTest,
                         ::testing::Values("posix", "memory"),
                         [](const auto& info) { return info.param; });

using DeviantFilesTest = CApiTest;

TEST_F(DeviantFilesTest, DiscardsAWriterThatIsFreedUnclosed) {
  Load("deviant_none");
  PluginLog calls("FSLOAD_TEST_LOG");
  fsload_writer* writer = nullptr;
  ASSERT_EQ(
      fsload_open_writer(registry_, "deviant:///dir/file", &writer, &error_),
      FSLOAD_OK)
      << Why();
  fsload_writer_free(writer);
  EXPECT_THAT(
      calls.Lines(),
      ::testing::Not(::testing::Contains(::testing::StartsWith("close"))));
}

TEST_F(DeviantFilesTest, EndsExceptionsOfFiles) {
  Load("deviant_throws_in_files");
  fsload_reader* reader = nullptr;
  ASSERT_EQ(
      fsload_open_reader(registry_, "deviant:///dir/file", &reader, &error_),
      FSLOAD_OK)
      << Why();
  char text[5];
  size_t count = 7;
  EXPECT_EQ(fsload_read(reader, 0, text, 5, &count, &error_), FSLOAD_INTERNAL);
  EXPECT_EQ(count, 0);
  EXPECT_THAT(Why(), HasSubstr("the plugin threw std::runtime_error"));
  fsload_reader_free(reader);
}

TEST_F(DeviantFilesTest, ReadsOnAfterAShortRead) {
  Load("deviant_read_short");
  EXPECT_EQ(Read("deviant:///dir/file"), "0123456789");
}

TEST_F(DeviantFilesTest, RefusesMoreBytesThanThereIsRoomFor) {
  Load("deviant_read_too_much");
  EXPECT_THAT(Read("deviant:///dir/file"), HasSubstr("deviant:///dir/file: "));
  EXPECT_EQ(fsload_error_code(error_), FSLOAD_INTERNAL);
}

TEST_F(DeviantFilesTest, RefusesARegionWithoutData) {
  Load("deviant_region_data_null");
  fsload_region* region = nullptr;
  EXPECT_EQ(
      fsload_open_region(registry_, "deviant:///dir/file", &region, &error_),
      FSLOAD_INTERNAL);
  EXPECT_EQ(region, nullptr);
}

}  // namespace
}  // namespace fsload
