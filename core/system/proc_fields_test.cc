#include "core/system/proc_fields.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fsload {
namespace {

TEST(ProcFieldsTest, ReadsOneLine) {
  const std::string path = std::filesystem::path(::testing::TempDir()) / "file";
  std::ofstream(path) << "Name:\tState:\tX\nVmPeakOf:\t1\nState:\tZ (zombie)\n"
                         "Pss:          7 kB\nGroups:\n";
  const ProcFields fields(path.c_str());
  EXPECT_EQ(fields.Text("State"), "Z (zombie)");
  EXPECT_EQ(fields.Text("VmPeak"), "");
  EXPECT_EQ(fields.Text("Groups"), "");
  EXPECT_EQ(fields.Bytes("Pss"), 7 * 1024);
  EXPECT_EQ(fields.Number("VmPeak"), 0);
}

// As of a user who is in many groups.
TEST(ProcFieldsTest, ReadsWhatFollowsALongLine) {
  const std::string path = std::filesystem::path(::testing::TempDir()) / "long";
  std::ofstream(path) << "Name:\tx\nGroups:\t" << std::string(9000, '1')
                      << "\nVmPeak:\t       7 kB\n";
  EXPECT_EQ(ProcFields(path.c_str()).Bytes("VmPeak"), 7 * 1024);
}

TEST(ProcFieldsTest, HasNoneOfAMissingFile) {
  const ProcFields fields("/proc/self/missing");
  EXPECT_EQ(fields.Text("VmPeak"), "");
}

}  // namespace
}  // namespace fsload
