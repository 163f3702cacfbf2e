#include "loader/wheels/wheel_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_wheels.h"

// From wheel_entries_fuzzer.cc.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace fsload {
namespace {

using testing::HasSubstr;

constexpr char kWheel[] = "x-1-py3-none-any.whl";

std::unique_ptr<WheelEntries> Open(const std::string& path) {
  auto entries = WheelEntries::Open(path);
  EXPECT_TRUE(entries.ok()) << entries.status();
  return *std::move(entries);
}

// The result of unpacking the first entry of the wheel at `path`.
absl::Status UnpackFirst(const std::string& path, const std::string& to) {
  const std::unique_ptr<WheelEntries> entries = Open(path);
  return entries->Unpack(entries->all().front(), to);
}

std::string NewFile() {
  const std::string folder = NewPath("folder");
  std::filesystem::create_directories(folder);
  return folder + "/file";
}

// Replaces the last occurrence of `from` in the file by `to`.
void PatchLast(const std::string& path, const std::string& from,
               const std::string& to) {
  std::string bytes = ReadFile(path);
  const size_t place = bytes.rfind(from);
  ASSERT_NE(place, std::string::npos);
  WriteFile(path, bytes.replace(place, from.size(), to));
}

TEST(WheelEntriesTest, UnpacksWhatIsPackedAndWhatIsNot) {
  const std::string text(100'000, 'x');
  for (const bool stored : {false, true}) {
    const std::string wheel =
        MakeWheel(kWheel, {{"a/b.so", text, 0100644, stored}});
    const std::string path = NewFile();
    const absl::Status status = UnpackFirst(wheel, path);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(ReadFile(path), text);
  }
}

// The ratio of a zip bomb is that to what is there.
TEST(WheelEntriesTest, RefusesEntriesThatClaimMoreThanTheWheelHas) {
  const std::string wheel =
      MakeWheel(kWheel, {{"a.so", std::string(100'000, 'x'), 0100644, false}});
  std::string bytes = ReadFile(wheel);
  constexpr size_t kPackedBytes = 20;  // in an entry of the directory
  const size_t entry = bytes.rfind("PK\1\2");
  ASSERT_NE(entry, std::string::npos);
  bytes.replace(entry + kPackedBytes, 4, std::string("\0\0\xa0\0", 4));
  WriteFile(wheel, bytes);
  const absl::Status status = WheelEntries::Open(wheel).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("more packed bytes than the wheel has"));
}

TEST(WheelEntriesTest, ListsFilesAndNotFolders) {
  const std::string wheel =
      MakeWheel(kWheel, {{"a/", "", 040755}, {"a/b", "text"}, {"c", ""}});
  const std::unique_ptr<WheelEntries> entries = Open(wheel);
  ASSERT_EQ(entries->all().size(), 2);
  EXPECT_EQ(entries->all()[0].name, "a/b");
  EXPECT_EQ(entries->all()[0].bytes, 4);
  EXPECT_EQ(entries->all()[1].name, "c");
}

TEST(WheelEntriesTest, TellsWhetherContentsMentionAText) {
  // Also across two of the blocks that are read.
  for (const size_t place : {size_t{0}, (size_t{1} << 20) - 3, size_t{77}}) {
    std::string text(size_t{3} << 20, 'x');
    text.replace(place, 6, "needle");
    const std::string wheel = MakeWheel(kWheel, {{"a", text}, {"b", "needl"}});
    const std::unique_ptr<WheelEntries> entries = Open(wheel);
    EXPECT_TRUE(*entries->Mentions(entries->all()[0], "needle")) << place;
    EXPECT_FALSE(*entries->Mentions(entries->all()[1], "needle"));
  }
}

TEST(WheelEntriesTest, KnowsItsSum) {
  const std::string wheel = MakeWheel(kWheel, {{"a", ""}});
  EXPECT_EQ(Open(wheel)->Sum()->size(), 64);
  EXPECT_EQ(*Open(wheel)->Sum(), *Open(wheel)->Sum());
  EXPECT_NE(*Open(wheel)->Sum(), *Open(MakeWheel(kWheel, {{"b", ""}}))->Sum());
}

struct BadEntry {
  TestEntry entry;
  std::string wrong;
};

TEST(WheelEntriesTest, RefusesEntriesThatLeadOutsideAndNamesThem) {
  const BadEntry bad[] = {
      {{"/etc/x.so", ""}, "which is an absolute path"},
      {{"../x.so", ""}, "whose path leads outside the wheel"},
      {{"a/../../x.so", ""}, "whose path leads outside the wheel"},
      {{"a/..", ""}, "whose path leads outside the wheel"},
      {{"..\\x.so", ""}, "which has a backslash in its name"},
      {{"a//x.so", ""}, "which is not a plain path"},
      {{"./x.so", ""}, "which is not a plain path"},
      {{"a\nx.so", ""}, "which has a control character in its name"},
      {{std::string(256, 'x'), ""}, "whose name is too long"},
      {{std::string(5000, '/'), ""}, "whose name is too long"},
      {{"x.so", "/etc/passwd", 0120777}, "which is a symbolic link"},
      {{"x.so", "", 010644}, "which is a device, pipe or socket"},
  };
  for (const BadEntry& each : bad) {
    const std::string wheel = MakeWheel(kWheel, {{"good", ""}, each.entry});
    const auto entries = WheelEntries::Open(wheel);
    EXPECT_EQ(entries.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(entries.status().message()),
                testing::EndsWith("', " + each.wrong));
    EXPECT_THAT(std::string(entries.status().message()),
                HasSubstr(each.entry.name.substr(0, 4096)));
  }
}

TEST(WheelEntriesTest, RefusesANullByteInAName) {
  const std::string wheel = MakeWheel(kWheel, {{"ab.so", ""}});
  PatchLast(wheel, "ab.so", std::string("a\0.so", 5));
  EXPECT_THAT(std::string(WheelEntries::Open(wheel).status().message()),
              HasSubstr("which has a control character in its name"));
}

TEST(WheelEntriesTest, RefusesAnEntryThatIsThereTwice) {
  const std::string wheel = MakeWheel(kWheel, {{"a.so", "1"}, {"a.so", "2"}});
  EXPECT_EQ(WheelEntries::Open(wheel).status().message(),
            wheel + ": cannot unpack 'a.so', which is there twice");
}

TEST(WheelEntriesTest, RefusesWhatIsNoZipFile) {
  for (const char* text : {"", "PK", "#!/bin/sh\n"}) {
    const std::string path = NewPath("x.whl");
    WriteFile(path, text);
    ASSERT_EQ(chmod(path.c_str(), 0600), 0);
    EXPECT_EQ(WheelEntries::Open(path).status().message(),
              path + ": not a zip file; download the wheel again");
  }
}

TEST(WheelEntriesTest, RefusesAWheelThatIsCutOffAnywhere) {
  const std::string whole =
      ReadFile(MakeWheel(kWheel, {{"a.so", "some text"}, {"b.so", "more"}}));
  const std::string path = NewFile();
  for (size_t size = 4; size < whole.size(); ++size) {
    WriteFile(path, whole.substr(0, size));
    ASSERT_EQ(chmod(path.c_str(), 0600), 0);
    const absl::Status status = WheelEntries::Open(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << size;
  }
}

// `value` as so many bytes of a zip file.
std::string Number(uint64_t value, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value);
  return text;
}

// pip would install a.so: Python takes a locator of 64 bits only from directly
// before the end record.
TEST(WheelEntriesTest, RefusesADirectoryThatOtherReadersDoNotFind) {
  constexpr size_t kBegin = 30 + 3;  // after the header of x.z
  std::string other = ReadFile(MakeWheel(kWheel, {{"b.so", "2"}}));
  other.resize(other.rfind("PK\5\6"));
  const size_t directory = other.rfind("PK\1\2");
  other.replace(directory + 42, 4, Number(kBegin, 4));
  const size_t end = other.size();
  other += "PK\6\6" + Number(44, 8) + Number(45, 2) + Number(45, 2) +
           Number(0, 8) + Number(1, 8) + Number(1, 8) +
           Number(end - directory, 8) + Number(kBegin + directory, 8);
  other += "PK\6\7" + Number(0, 4) + Number(kBegin + end, 8) + Number(1, 4);
  const std::string wheel = MakeWheel(
      kWheel, {{"x.z", other, 0100644, /*stored=*/true}, {"a.so", "1"}});
  ASSERT_EQ(ReadFile(wheel).find(other), kBegin);
  EXPECT_THAT(std::string(WheelEntries::Open(wheel).status().message()),
              HasSubstr("no central directory"));
}

// Others read the directory to its end.
TEST(WheelEntriesTest, RefusesEntriesThatAreNotCounted) {
  const std::string wheel = MakeWheel(kWheel, {{"a.so", "1"}, {"b.so", "2"}});
  PatchLast(wheel, Number(2, 2) + Number(2, 2), Number(1, 2) + Number(1, 2));
  EXPECT_EQ(WheelEntries::Open(wheel).status().message(),
            wheel + ": its directory is damaged after entry 1");
}

TEST(WheelEntriesTest, OutlivesTheCorpus) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("testdata/fuzz/wheel_entries")) {
    SCOPED_TRACE(entry.path());
    const std::string contents = ReadFile(entry.path());
    // In memory that ends where they do.
    const std::vector<uint8_t> bytes(contents.begin(), contents.end());
    EXPECT_EQ(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()), 0);
    ++files;
  }
  EXPECT_GT(files, 3);
}

// A sample of what the fuzzer tries, through its own entry point.
TEST(WheelEntriesTest, OutlivesManyWrongBytes) {
  const std::string whole = ReadFile(
      MakeWheel(kWheel, {{"a/b.so", std::string(300, 'x')}, {"c.so", "y"}}));
  std::minstd_rand random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint8_t> bytes(whole.begin(), whole.end());
    for (int i = 0; i < 8; ++i) {
      bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    }
    bytes.resize(bytes.size() - random() % 3 * (random() % 40));
    EXPECT_EQ(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()), 0);
  }
}

TEST(WheelEntriesTest, SurvivesAnyOneWrongByte) {
  const std::string whole =
      ReadFile(MakeWheel(kWheel, {{"a.so", std::string(300, 'x')}}));
  const std::string path = NewFile();
  const std::string to = path + ".so";
  for (size_t place = 0; place < whole.size(); ++place) {
    for (const char byte : {'\0', '\x7f', '\xff'}) {
      std::string bytes = whole;
      bytes[place] = byte;
      WriteFile(path, bytes);
      ASSERT_EQ(chmod(path.c_str(), 0600), 0);
      const auto entries = WheelEntries::Open(path);
      if (!entries.ok() || (*entries)->all().empty()) continue;
      const bool unpacked =
          (*entries)->Unpack((*entries)->all().front(), to).ok();
      EXPECT_EQ(std::filesystem::exists(to), unpacked);
      if (unpacked) {
        EXPECT_EQ(ReadFile(to), std::string(300, 'x'));
      }
      std::filesystem::remove(to);
    }
  }
}

TEST(WheelEntriesTest, RefusesAWheelThatEverybodyMayChange) {
  const std::string wheel = MakeWheel(kWheel, {{"a.so", ""}});
  ASSERT_EQ(chmod(wheel.c_str(), 0666), 0);
  EXPECT_EQ(WheelEntries::Open(wheel).status().code(),
            absl::StatusCode::kPermissionDenied);
}

TEST(WheelEntriesTest, NeverWaitsForAPipe) {
  const std::string path = NewPath("x.whl");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(std::string(WheelEntries::Open(path).status().message()),
              HasSubstr(": not a regular file"));
}

TEST(WheelEntriesTest, SaysThatThereIsNoFile) {
  EXPECT_EQ(WheelEntries::Open("/no/such.whl").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(WheelEntriesTest, RefusesWhatIsEncrypted) {
  const std::string wheel =
      MakeWheel(kWheel, {{"a.so", "text", 0100644, false, true}});
  const absl::Status status = UnpackFirst(wheel, NewFile());
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("cannot unpack 'a.so', which is encrypted"));
}

TEST(WheelEntriesTest, RefusesContentsThatAreNotWhatTheyWere) {
  const std::string wheel =
      MakeWheel(kWheel, {{"a.so", "some text", 0100644, /*stored=*/true}});
  PatchLast(wheel, "some text", "same text");
  const std::string path = NewFile();
  EXPECT_THAT(std::string(UnpackFirst(wheel, path).message()),
              HasSubstr("whose contents do not have its checksum"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WheelEntriesTest, RefusesAZipBomb) {
  const std::string wheel =
      MakeWheel(kWheel, {{"a.so", std::string(size_t{17} << 20, '\0')}});
  const std::string path = NewFile();
  EXPECT_THAT(std::string(UnpackFirst(wheel, path).message()),
              HasSubstr("'a.so', of 17825792 bytes packed into "));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WheelEntriesTest, RefusesASizeThatIsNotThere) {
  const std::string wheel =
      MakeWheel(kWheel, {{"a.so", "some text", 0100644, /*stored=*/true}});
  // Both sizes, in the directory, which is what is believed.
  PatchLast(wheel, std::string("\x09\0\0\0\x09\0\0\0", 8),
            std::string("\x10\0\0\0\x10\0\0\0", 8));
  const std::string path = NewFile();
  EXPECT_FALSE(UnpackFirst(wheel, path).ok());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WheelEntriesTest, RefusesMoreThanTwoGibibytesInAFile) {
  const std::string wheel = MakeWheel(kWheel, {{"a.so", "some text"}});
  std::unique_ptr<WheelEntries> entries = Open(wheel);
  WheelEntry entry = entries->all().front();
  entry.bytes = (uint64_t{2} << 30) + 1;
  EXPECT_THAT(std::string(entries->Unpack(entry, NewFile()).message()),
              HasSubstr("of 2147483649 bytes; the limit is 2147483648"));
}

TEST(WheelEntriesTest, RefusesMoreThanEightGibibytesInAll) {
  const std::string wheel = MakeWheel(kWheel, {{"a.so", "some text"}});
  const std::unique_ptr<WheelEntries> entries = Open(wheel);
  WheelEntry entry = entries->all().front();
  entry.bytes = uint64_t{2} << 30;
  entry.packed_bytes = entry.bytes;
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(std::string(entries->Mentions(entry, "x").status().message()),
                HasSubstr("which is cut off: 9 bytes of 2147483648"));
  }
  EXPECT_THAT(std::string(entries->Mentions(entry, "x").status().message()),
              HasSubstr("with which more than 8589934592 bytes would be"));
}

TEST(WheelEntriesTest, DoesNotWriteOverAFile) {
  const std::string wheel = MakeWheel(kWheel, {{"a.so", "text"}});
  const std::string path = NewFile();
  WriteFile(path, "mine");
  EXPECT_EQ(UnpackFirst(wheel, path).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ReadFile(path), "mine");
}

TEST(WheelEntriesTest, NoticesThatSomebodyWritesToTheWheel) {
  const std::string wheel = MakeWheel(kWheel, {{"a.so", "text"}});
  const std::unique_ptr<WheelEntries> entries = Open(wheel);
  EXPECT_TRUE(entries->CheckUnchanged().ok());
  std::filesystem::resize_file(wheel, 10);
  EXPECT_EQ(entries->CheckUnchanged().code(), absl::StatusCode::kAborted);
}

TEST(WheelEntriesTest, NoticesThatSomebodySetsTheWheelsTimeBack) {
  const std::string wheel = MakeWheel(kWheel, {{"a.so", "text"}});
  const std::unique_ptr<WheelEntries> entries = Open(wheel);
  const auto written = std::filesystem::last_write_time(wheel);
  struct stat before = {};
  struct stat now = {};
  ASSERT_EQ(stat(wheel.c_str(), &before), 0);
  do {  // until the file system's clock has advanced
    std::fstream(wheel, std::ios::in | std::ios::out) << "other";
    std::filesystem::last_write_time(wheel, written);
    ASSERT_EQ(stat(wheel.c_str(), &now), 0);
  } while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
  EXPECT_EQ(entries->CheckUnchanged().code(), absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace fsload
