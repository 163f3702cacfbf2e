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

// 60 elements, for each of which all are repeated: 60^4 bytes.
TEST(Demangler, DoesNotExpandPacksOfPacks) {
  const std::string name =
      "_Z1fIJ" + std::string(60, 'i') + "EEvDp1AIT_Dp1AIT_Dp1AIT_DpT_EEE";
  Demangler demangler(1 << 20);
  EXPECT_EQ(demangler.Demangle(name), name);
  EXPECT_EQ(demangler.Demangle("_Z1fIJiiEEvDp1AIT_E"),
            "void f<int, int>(A<int>, A<int>)");
}

// Each letter stands for 17 bytes.
TEST(Demangler, DoesNotExpandLettersToMoreThanItMay) {
  const std::string name = "_Z1f" + std::string(200, 'o');
  Demangler demangler(2000);
  EXPECT_EQ(demangler.Demangle(name), name);
  EXPECT_EQ(demangler.Demangle("_Z1fv"), "f()");
}

TEST(Demangler, CountsTheWorkForNamesThatItCannotExpand) {
  Demangler demangler(2000);
  EXPECT_EQ(demangler.Demangle("_Z1fv"), "f()");
  for (int i = 0; i < 100; ++i) demangler.Demangle("_Z1fIiEvT5_");
  EXPECT_EQ(demangler.Demangle("_Z1fv"), "_Z1fv");
}

TEST(Demangler, LeavesVeryLongNamesAsTheyAre) {
  const std::string name = "_Z3000" + std::string(3000, 'a') + "v";
  EXPECT_EQ(Demangler().Demangle(name), name);
}

}  // namespace
}  // namespace fsload
