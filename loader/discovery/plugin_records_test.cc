#include "loader/discovery/plugin_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "loader/testing/test_files.h"
#include "loader/testing/test_wheels.h"

namespace fsload {
namespace {

const PluginRecord kRecord = {"a problem", {"s3", "az"}, {"/a/b.so"}};

std::string NewFile() {
  const std::string path = NewPath("plugin.so");
  WriteFile(path, "text");
  return path;
}

void WriteRecord(const std::string& path) {
  PluginRecords records = PluginRecords::Read();
  records.Put(path, PluginRecords::Identify(path), kRecord);
  records.Write();
}

std::string PathOfRecords(const TestCache& cache) {
  return cache.path() + "/fsload/plugins/records.json";
}

TEST(PluginRecordsTest, OutliveTheProcess) {
  const TestCache cache;
  const std::string path = NewFile();
  WriteRecord(path);
  EXPECT_EQ(PluginRecords::Read().Find(path), kRecord);
}

TEST(PluginRecordsTest, KnowNothingOfAFileThatWasReplaced) {
  const TestCache cache;
  const std::string path = NewFile();
  WriteRecord(path);
  WriteFile(path, "else");
  EXPECT_EQ(PluginRecords::Read().Find(path), std::nullopt);
}

// What was found out is about the file that was there before.
TEST(PluginRecordsTest, KeepNothingOfAFileThatIsReplacedMeanwhile) {
  const TestCache cache;
  const std::string path = NewFile();
  const auto before = PluginRecords::Identify(path);
  WriteFile(path, "another");
  PluginRecords records = PluginRecords::Read();
  records.Put(path, before, kRecord);
  EXPECT_EQ(records.Find(path), std::nullopt);
}

TEST(PluginRecordsTest, ForgetFilesThatAreGone) {
  const TestCache cache;
  const std::string gone = NewFile();
  WriteRecord(gone);
  std::filesystem::remove(gone);
  WriteRecord(NewFile());
  EXPECT_EQ(ReadFile(PathOfRecords(cache)).find(gone), std::string::npos);
}

TEST(PluginRecordsTest, KeepTheNewestFewOfEachFile) {
  const TestCache cache;
  const std::string path = NewFile();
  const std::string other = NewFile();
  WriteRecord(other);
  for (int i = 99; i > 0; --i) {
    PluginRecords records = PluginRecords::Read();
    records.Put(path, PluginRecords::Identify(path), kRecord,
                std::to_string(i));
    records.Write();
  }
  const PluginRecords records = PluginRecords::Read();
  int kept = 0;
  for (int i = 1; i < 100; ++i) {
    const bool is_kept = records.Find(path, std::to_string(i)).has_value();
    EXPECT_EQ(is_kept, kept == i - 1 && i <= 8) << i;
    kept += is_kept ? 1 : 0;
  }
  EXPECT_EQ(kept, 8);
  EXPECT_EQ(records.Find(other), kRecord);
}

TEST(PluginRecordsTest, MeanNothingWhereTheyAreDamaged) {
  const TestCache cache;
  const std::string path = NewFile();
  WriteRecord(path);
  const std::string whole = ReadFile(PathOfRecords(cache));
  const std::string damaged[] = {"",
                                 "{}",
                                 "[]",
                                 "null",
                                 "\xff\xfe",
                                 whole.substr(0, whole.size() / 2),
                                 R"({"format":1,"files":3})",
                                 R"({"format":"1","files":[{}]})"};
  for (const std::string& text : damaged) {
    WriteFile(PathOfRecords(cache), text);
    EXPECT_EQ(PluginRecords::Read().Find(path), std::nullopt) << text;
  }
  WriteFile(PathOfRecords(cache), whole);
  EXPECT_EQ(PluginRecords::Read().Find(path), kRecord);
}

TEST(PluginRecordsTest, AreNotBelievedWhereAPartHasTheWrongKind) {
  const TestCache cache;
  const std::string path = NewFile();
  WriteRecord(path);
  std::string text = ReadFile(PathOfRecords(cache));
  const std::string schemes = R"("schemes":["s3","az"])";
  const size_t location = text.find(schemes);
  ASSERT_NE(location, std::string::npos);
  WriteFile(PathOfRecords(cache),
            text.replace(location, schemes.size(), R"("schemes":[3])"));
  EXPECT_EQ(PluginRecords::Read().Find(path), std::nullopt);
}

TEST(PluginRecordsTest, WorkWithoutACache) {
  const TestCache cache;
  WriteFile(cache.path(), "a file where the folder would be");
  const std::string path = NewFile();
  PluginRecords records = PluginRecords::Read();
  records.Put(path, PluginRecords::Identify(path), kRecord);
  records.Write();
  EXPECT_EQ(records.Find(path), kRecord);
}

}  // namespace
}  // namespace fsload
