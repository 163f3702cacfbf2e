#include "loader/libraries/search_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

const DynamicStrings kStrings = {"/plugins", "lib64", "haswell"};

TEST(SearchPath, FillsInWhatTheDynamicLinkerDoes) {
  EXPECT_THAT(
      FoldersOf("$ORIGIN/../x:${ORIGIN}:/usr/$LIB/${PLATFORM}", kStrings),
      ElementsAre("/plugins/../x", "/plugins", "/usr/lib64/haswell"));
}

TEST(SearchPath, LeavesOtherDollarsAlone) {
  EXPECT_THAT(FoldersOf("$ORIGINAL:${ORIGIN:$:$HOME/$$LIB", kStrings),
              ElementsAre("$ORIGINAL", "${ORIGIN", "$", "$HOME/$lib64"));
}

TEST(SearchPath, TakesAnEmptyFolderForTheCurrentOne) {
  EXPECT_THAT(FoldersOf("", kStrings), ElementsAre("."));
  EXPECT_THAT(FoldersOf(":/a:", kStrings), ElementsAre(".", "/a", "."));
}

TEST(SearchPath, EndsLongLists) {
  EXPECT_THAT(FoldersOf(std::string(60'000, ':'), kStrings),
              SizeIs(kMaxFolders + 1));
  std::string origins;
  for (int i = 0; i < 8000; ++i) origins += "$ORIGIN";
  EXPECT_LT(Expand(origins, kStrings).size(), 10'000);
}

}  // namespace
}  // namespace fsload
