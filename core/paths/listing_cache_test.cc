#include "core/paths/listing_cache.h"

#include <optional>

#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(ListingCacheTest, IsUsedOnlyWhileAListingIsRequestedOrRemembered) {
  ListingCache cache;
  cache.CountQuestion("/d");
  EXPECT_EQ(cache.MayHave("/d", "x"), std::nullopt);
  EXPECT_FALSE(cache.is_used());
  {
    const ListingCache::Request request(cache, "/d");
    EXPECT_TRUE(cache.is_used());
  }
  cache.Add("/d/x");
  EXPECT_FALSE(cache.is_used());
  cache.Remember(ListingCache::Request(cache, "/d"), {"a"}, {});
  EXPECT_TRUE(cache.is_used());
  EXPECT_EQ(cache.MayHave("/d", "x"), false);
  cache.Add("/d/X/y/");
  EXPECT_EQ(cache.MayHave("/d", "x"), true);
  cache.Forget();
  EXPECT_FALSE(cache.is_used());
}

// More are added than were listed, and a newer listing replaces both.
TEST(ListingCacheTest, HasWhatWasListedAndWhatWasAdded) {
  ListingCache cache;
  cache.Remember(ListingCache::Request(cache, "/d"), {"b", "A"}, {});
  for (const char* const path : {"/d/c", "/d/B", "/e/f", "/d/0"}) {
    cache.Add(path);
  }
  for (const char* const name : {"a", "b", "C", "0"}) {
    EXPECT_EQ(cache.MayHave("/d", name), true) << name;
  }
  EXPECT_EQ(cache.MayHave("/d", "f"), false);
  cache.Remember(ListingCache::Request(cache, "/d"), {"f"}, {});
  EXPECT_EQ(cache.MayHave("/d", "c"), false);
  EXPECT_EQ(cache.MayHave("/d", "f"), true);
}

}  // namespace
}  // namespace fsload
