#include "fsload/call_log.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/testing/scripted_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using testing::ElementsAre;
using testing::StartsWith;

OpCall Stat(std::string_view uri, nanoseconds duration = {}) {
  return {"s3", Op::kFilesystem_stat, uri, -1, duration, TF_OK};
}

TEST(CallLineTest, DescribesACall) {
  EXPECT_EQ(CallLine({"s3", Op::kRandomAccessFile_read, "s3://b/k", 65536,
                      microseconds(812), TF_OUT_OF_RANGE}),
            "op=RandomAccessFile.read scheme=\"s3\" uri=\"s3://b/k\" "
            "code=OUT_OF_RANGE us=812.0 bytes=65536");
  EXPECT_EQ(CallLine(Stat("s3://b/k", nanoseconds(1234))),
            "op=Filesystem.stat scheme=\"s3\" uri=\"s3://b/k\" code=OK us=1.2");
}

TEST(CallLineTest, EscapesWhatWouldForgeALineOrAField) {
  EXPECT_EQ(
      CallLine(Stat("s3://b/k\" code=OK us=0.0\nop=x\x1b[2J\xe2\x80\xa8")),
      "op=Filesystem.stat scheme=\"s3\" "
      "uri=\"s3://b/k\\\" code=OK us=0.0\\nop=x\\x1b[2J\\xe2\\x80\\xa8\" "
      "code=OK us=0.0");
}

TEST(CallLogTest, LogsTheCallsOfAPlugin) {
  std::vector<std::string> lines;
  CallLog log([&](std::string_view line) { lines.emplace_back(line); });
  ScriptedPlugin plugin;
  plugin.tables.observer = &log;
  {
    const FileSystemPtr file_system = plugin.Create();
    lines.clear();
    EXPECT_TRUE(file_system->FileExists("scripted://h/a").ok());
    EXPECT_THAT(lines,
                ElementsAre(StartsWith("op=Filesystem.translate_name "),
                            StartsWith("op=Filesystem.path_exists "
                                       "scheme=\"\" uri=\"scripted://h/a\"")));
  }
}

TEST(CallLogTest, LogsOnlyWhatTakesAsLongAsItsLimit) {
  std::vector<std::string> lines;
  CallLog log([&](std::string_view line) { lines.emplace_back(line); },
              microseconds(10));
  log.OnCall(Stat("s3://b/fast", nanoseconds(9'999)));
  log.OnCall(Stat("s3://b/slow", microseconds(10)));
  EXPECT_THAT(lines, ElementsAre(testing::HasSubstr("s3://b/slow")));
}

}  // namespace
}  // namespace fsload
