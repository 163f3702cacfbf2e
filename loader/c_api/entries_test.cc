// Listings, walks and globs.
#include "fsload/c/entries.h"

#include <atomic>
#include <string>
#include <vector>

#include "loader/c_api/c_api_fixture.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CApiEntriesTest : public CApiFilesTest {
 protected:
  void SetUp() override {
    CApiFilesTest::SetUp();
    options_.struct_size = sizeof(options_);
    ASSERT_EQ(
        fsload_create_directories(registry_, At("b/empty").c_str(), &error_),
        FSLOAD_OK);
    Write(At("b/three"), "333");
    Write(At("a"), "1");
  }

  // Each entry of a walk of `root_`: "a 1" for a file with its length, "b/" for
  // a directory, "a?" if nothing is known.
  std::vector<std::string> Walk() {
    fsload_walk* walk = nullptr;
    EXPECT_EQ(
        fsload_walk_begin(registry_, root_.c_str(), &options_, &walk, &error_),
        FSLOAD_OK)
        << Why();
    std::vector<std::string> seen;
    const fsload_entry* entry = nullptr;
    while (fsload_walk_next(walk, &entry, &error_) == FSLOAD_OK &&
           entry != nullptr) {
      seen.push_back(Shown(*entry));
      EXPECT_EQ(entry->uri, At(entry->path));
      EXPECT_EQ(entry->code, FSLOAD_OK) << entry->message;
      EXPECT_EQ(entry->struct_size, sizeof(fsload_entry));
    }
    fsload_walk_free(walk);
    return seen;
  }

  static std::string Shown(const fsload_entry& entry) {
    const std::string path = entry.path;
    if (entry.detail == FSLOAD_NAMES) return path + "?";
    if (entry.is_directory == 1) return path + "/";
    return entry.detail == FSLOAD_STATISTICS
               ? path + " " + std::to_string(entry.length)
               : path;
  }

  fsload_walk_options options_ = {};
};

TEST_P(CApiEntriesTest, WalksATree) {
  options_.recursive = 1;
  options_.detail = FSLOAD_STATISTICS;
  EXPECT_THAT(Walk(), ElementsAre("a 1", "b/", "b/empty/", "b/three 3"));
}

TEST_P(CApiEntriesTest, LooksUpTypesToWalkATree) {
  options_.recursive = 1;
  EXPECT_THAT(Walk(), ElementsAre("a", "b/", "b/empty/", "b/three"));
}

TEST_P(CApiEntriesTest, WalksOneDirectory) {
  EXPECT_THAT(Walk(), ElementsAre("a?", "b?"));
}

TEST_P(CApiEntriesTest, ListsNamesOrStatistics) {
  fsload_entries* entries = nullptr;
  ASSERT_EQ(fsload_list(registry_, root_.c_str(), nullptr, &entries, &error_),
            FSLOAD_OK);
  ASSERT_EQ(fsload_entries_count(entries), 2);
  EXPECT_EQ(Shown(*fsload_entries_get(entries, 0)), "a?");
  EXPECT_EQ(fsload_entries_get(entries, 2), nullptr);
  fsload_entries_free(entries);
  options_.detail = FSLOAD_STATISTICS;
  ASSERT_EQ(fsload_list(registry_, root_.c_str(), &options_, &entries, &error_),
            FSLOAD_OK);
  ASSERT_EQ(fsload_entries_count(entries), 2);
  EXPECT_EQ(Shown(*fsload_entries_get(entries, 0)), "a 1");
  EXPECT_EQ(Shown(*fsload_entries_get(entries, 1)), "b/");
  EXPECT_GT(fsload_entries_get(entries, 0)->modified_ns, 0);
  fsload_entries_free(entries);
}

TEST_P(CApiEntriesTest, ListsNoFileAndNothingThatIsMissing) {
  auto* entries = reinterpret_cast<fsload_entries*>(8);
  EXPECT_EQ(fsload_list(registry_, At("a").c_str(), nullptr, &entries, &error_),
            FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(entries, nullptr);
  EXPECT_EQ(
      fsload_list(registry_, At("none").c_str(), nullptr, &entries, &error_),
      FSLOAD_NOT_FOUND);
}

TEST_P(CApiEntriesTest, StopsAWalk) {
  options_.recursive = 1;
  options_.jobs = 1;
  std::atomic<int> asked{0};
  options_.data = &asked;
  options_.stop = [](void* data) -> int {
    return ++*static_cast<std::atomic<int>*>(data) > 2;
  };
  fsload_walk* walk = nullptr;
  ASSERT_EQ(
      fsload_walk_begin(registry_, root_.c_str(), &options_, &walk, &error_),
      FSLOAD_OK);
  const fsload_entry* entry = nullptr;
  fsload_code code = FSLOAD_OK;
  do {
    code = fsload_walk_next(walk, &entry, &error_);
  } while (code == FSLOAD_OK && entry != nullptr);
  EXPECT_EQ(code, FSLOAD_CANCELLED);
  EXPECT_EQ(entry, nullptr);
  EXPECT_EQ(Why(), root_ + ": the walk was stopped by its caller");
  fsload_walk_free(walk);
}

// It would wait for itself.
TEST_P(CApiEntriesTest, RetiresNothingFromInsideAWalk) {
  options_.recursive = 1;
  struct Attempts {
    fsload_registry* registry;
    std::atomic<int> refused{0};
    std::atomic<int> other{0};
  } attempts = {registry_};
  options_.data = &attempts;
  options_.stop = [](void* data) -> int {
    auto& attempts = *static_cast<Attempts*>(data);
    const fsload_code code =
        fsload_retire_all(attempts.registry, 3600, nullptr);
    ++(code == FSLOAD_FAILED_PRECONDITION ? attempts.refused : attempts.other);
    return 0;
  };
  EXPECT_EQ(Walk().size(), 4);
  EXPECT_GT(attempts.refused, 0);
  EXPECT_EQ(attempts.other, 0);
}

TEST_P(CApiEntriesTest, IsFreedInTheMiddleOfAWalk) {
  options_.recursive = 1;
  fsload_walk* walk = nullptr;
  ASSERT_EQ(
      fsload_walk_begin(registry_, root_.c_str(), &options_, &walk, &error_),
      FSLOAD_OK);
  const fsload_entry* entry = nullptr;
  EXPECT_EQ(fsload_walk_next(walk, &entry, &error_), FSLOAD_OK);
  EXPECT_STREQ(entry->path, "a");
  fsload_walk_free(walk);
}

TEST_P(CApiEntriesTest, RefusesAnUnknownDetail) {
  options_.detail = static_cast<fsload_detail>(3);
  fsload_walk* walk = nullptr;
  EXPECT_EQ(
      fsload_walk_begin(registry_, root_.c_str(), &options_, &walk, &error_),
      FSLOAD_INVALID_ARGUMENT);
  EXPECT_EQ(Why(), "fsload_walk_options: unknown detail 3");
}

TEST_P(CApiEntriesTest, FindsWhatMatches) {
  fsload_strings* paths = nullptr;
  ASSERT_EQ(fsload_glob(registry_, At("*/t*").c_str(), &paths, &error_),
            FSLOAD_OK)
      << Why();
  EXPECT_THAT(TextsOf(paths), ElementsAre(At("b/three")));
  fsload_strings_free(paths);
  ASSERT_EQ(fsload_glob(registry_, At("z*").c_str(), &paths, &error_),
            FSLOAD_OK);
  EXPECT_THAT(TextsOf(paths), IsEmpty());
  fsload_strings_free(paths);
}

INSTANTIATE_TEST_SUITE_P(Of, CApiEntriesTest,
                         ::testing::Values("posix", "memory"),
                         [](const auto& info) { return info.param; });

using DeviantEntriesTest = CApiTest;

TEST_F(DeviantEntriesTest, TellsWhatIsWrongWithOneEntry) {
  Load("deviant_child_elsewhere");
  fsload_walk_options options = {};
  options.struct_size = sizeof(options);
  options.detail = FSLOAD_STATISTICS;
  fsload_entries* entries = nullptr;
  ASSERT_EQ(
      fsload_list(registry_, "deviant:///dir", &options, &entries, &error_),
      FSLOAD_OK)
      << Why();
  bool met = false;
  for (size_t i = 0; i < fsload_entries_count(entries); ++i) {
    const fsload_entry& entry = *fsload_entries_get(entries, i);
    if (entry.code == FSLOAD_OK) continue;
    met = true;
    EXPECT_EQ(entry.detail, FSLOAD_NAMES);
    EXPECT_THAT(entry.message, HasSubstr("../other"));
  }
  EXPECT_TRUE(met);
  fsload_entries_free(entries);
}

TEST_F(DeviantEntriesTest, RefusesANullArrayOfNames) {
  Load("deviant_children_null_array");
  fsload_entries* entries = nullptr;
  EXPECT_EQ(
      fsload_list(registry_, "deviant:///dir", nullptr, &entries, &error_),
      FSLOAD_INTERNAL);
  EXPECT_THAT(Why(), HasSubstr("deviant:///dir: "));
}

}  // namespace
}  // namespace fsload
