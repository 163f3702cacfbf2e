#include "loader/elf/demangle.h"

#include <gtest/gtest.h>

#include <string>

namespace fsload {
namespace {

TEST(Demangler, ShowsNamesAsPeopleWriteThem) {
  Demangler demangler;
  EXPECT_EQ(demangler.Demangle("_ZN3tsl5mutex4lockEv"), "tsl::mutex::lock()");
  EXPECT_EQ(demangler.Demangle("_ZNKSt5mutex1fERKS_S1_"),
            "std::mutex::f(std::mutex const&, std::mutex const&) const");
}

TEST(Demangler, LeavesOtherNamesAsTheyAre) {
  Demangler demangler;
  for (const char* const name : {"", "TF_SetStatus", "_Z", "_Zgarbage"}) {
    EXPECT_EQ(demangler.Demangle(name), name);
  }
}

// Each part is twice as long as the one before: all of it would fill the
// memory.
TEST(Demangler, DoesNotExpandWhatHasNoEnd) {
  std::string name = "_Z1fSt4pairIiiE";
  for (int i = 0; i < 40; ++i) {
    const std::string part = i == 0    ? "S_"
                             : i <= 10 ? "S" + std::to_string(i - 1) + "_"
                                       : "S9_";
    name += "St4pairI" + part + part + "E";
  }
  Demangler demangler;
  EXPECT_EQ(demangler.Demangle(name), name);
  EXPECT_EQ(demangler.Demangle("_Z1fv"), "f()");
}

TEST(Demangler, LeavesVeryLongNamesAsTheyAre) {
  const std::string name = "_Z3000" + std::string(3000, 'a') + "v";
  EXPECT_EQ(Demangler().Demangle(name), name);
}

}  // namespace
}  // namespace fsload
