// What is at a path, and changing it.
#include "fsload/c/paths.h"

#include <cstdint>
#include <string>
#include <vector>

#include "loader/c_api/c_api_fixture.h"

namespace fsload {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CApiPathsTest : public CApiFilesTest {
 protected:
  fsload_code Stat(const std::string& uri, fsload_statistics* statistics) {
    return fsload_stat(registry_, uri.c_str(), statistics, &error_);
  }
};

TEST_P(CApiPathsTest, StatsFilesAndDirectories) {
  Write(At("file"), "hello");
  fsload_statistics statistics = {};
  statistics.struct_size = sizeof(statistics);
  ASSERT_EQ(Stat(At("file"), &statistics), FSLOAD_OK) << Why();
  EXPECT_EQ(statistics.length, 5);
  EXPECT_EQ(statistics.is_directory, 0);
  EXPECT_GT(statistics.modified_ns, 1'700'000'000'000'000'000);
  ASSERT_EQ(Stat(root_, &statistics), FSLOAD_OK) << Why();
  EXPECT_EQ(statistics.is_directory, 1);
  EXPECT_EQ(Stat(At("none"), &statistics), FSLOAD_NOT_FOUND);
}

TEST_P(CApiPathsTest, FillsInNoMoreOfAStructThanItsCallerHas) {
  // As a program has it whose header is newer, and one that forgot the size.
  struct {
    fsload_statistics known;
    int64_t unknown = 7;
    int64_t behind = 7;
  } grown;
  grown.known.struct_size = sizeof(fsload_statistics) + sizeof(int64_t);
  ASSERT_EQ(Stat(root_, &grown.known), FSLOAD_OK) << Why();
  EXPECT_EQ(grown.unknown, 0);
  EXPECT_EQ(grown.behind, 7);
  EXPECT_EQ(grown.known.struct_size, sizeof(fsload_statistics) + 8);
  fsload_statistics none = {};
  EXPECT_EQ(Stat(root_, &none), FSLOAD_INVALID_ARGUMENT);
  EXPECT_EQ(Why(),
            "fsload_statistics: wanted a struct_size of at least 32, found 0; "
            "set it to sizeof(fsload_statistics)");
}

TEST_P(CApiPathsTest, TellsAMissingFileFromAnUnknownScheme) {
  Write(At("file"), "hello");
  EXPECT_TRUE(Exists(At("file")));
  EXPECT_TRUE(Exists(root_));
  EXPECT_FALSE(Exists(At("none")));
  int exists = 7;
  EXPECT_EQ(fsload_exists(registry_, "other:///a", &exists, &error_),
            FSLOAD_NOT_FOUND);
  EXPECT_EQ(exists, 7);
  EXPECT_THAT(Why(), HasSubstr("other"));
}

TEST_P(CApiPathsTest, CreatesAndDeletesDirectories) {
  const auto create = [&](const std::string& path) {
    return fsload_create_directory(registry_, At(path).c_str(), &error_);
  };
  const auto remove = [&](const std::string& path) {
    return fsload_delete_directory(registry_, At(path).c_str(), &error_);
  };
  EXPECT_EQ(create("a/b"), FSLOAD_NOT_FOUND);
  EXPECT_EQ(fsload_create_directories(registry_, At("a/b").c_str(), &error_),
            FSLOAD_OK)
      << Why();
  EXPECT_EQ(create("a"), FSLOAD_ALREADY_EXISTS);
  EXPECT_EQ(remove("a"), FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(remove("a/b"), FSLOAD_OK) << Why();
  EXPECT_EQ(remove("a"), FSLOAD_OK) << Why();
  EXPECT_EQ(remove("a"), FSLOAD_NOT_FOUND);
}

TEST_P(CApiPathsTest, DeletesFiles) {
  Write(At("file"), "hello");
  EXPECT_EQ(fsload_delete_file(registry_, root_.c_str(), &error_),
            FSLOAD_FAILED_PRECONDITION);
  EXPECT_EQ(fsload_delete_file(registry_, At("file").c_str(), &error_),
            FSLOAD_OK);
  EXPECT_FALSE(Exists(At("file")));
}

TEST_P(CApiPathsTest, DeletesTrees) {
  ASSERT_EQ(fsload_create_directories(registry_, At("a/b").c_str(), &error_),
            FSLOAD_OK);
  Write(At("a/b/file"), "hello");
  uint64_t files = 7;
  uint64_t directories = 7;
  const auto remove = [&] {
    return fsload_delete_recursively(registry_, At("a").c_str(), &files,
                                     &directories, &error_);
  };
  EXPECT_EQ(remove(), FSLOAD_OK) << Why();
  EXPECT_EQ(files, 0);
  EXPECT_EQ(directories, 0);
  EXPECT_EQ(remove(), FSLOAD_NOT_FOUND);
  EXPECT_EQ(files, 0);
  EXPECT_EQ(directories, 1);
  EXPECT_EQ(fsload_delete_recursively(registry_, At("a").c_str(), nullptr,
                                      nullptr, nullptr),
            FSLOAD_NOT_FOUND);
}

TEST_P(CApiPathsTest, RenamesAndReplaces) {
  Write(At("a"), "new");
  Write(At("b"), "old");
  EXPECT_EQ(fsload_rename(registry_, At("a").c_str(), At("b").c_str(), &error_),
            FSLOAD_OK)
      << Why();
  EXPECT_EQ(Read(At("b")), "new");
  EXPECT_FALSE(Exists(At("a")));
}

TEST_P(CApiPathsTest, CopiesAndReplaces) {
  Write(At("a"), "new");
  Write(At("b"), "old");
  EXPECT_EQ(fsload_copy(registry_, At("a").c_str(), At("b").c_str(), nullptr,
                        &error_),
            FSLOAD_OK)
      << Why();
  EXPECT_EQ(Read(At("b")), "new");
  EXPECT_EQ(Read(At("a")), "new");
}

TEST_P(CApiPathsTest, KeepsAnExistingTarget) {
  Write(At("a"), "new");
  Write(At("b"), "old");
  fsload_copy_options options = {};
  options.struct_size = sizeof(options);
  options.keep_existing = 1;
  EXPECT_EQ(fsload_copy(registry_, At("a").c_str(), At("b").c_str(), &options,
                        &error_),
            FSLOAD_ALREADY_EXISTS);
  EXPECT_EQ(Read(At("b")), "old");
}

TEST_P(CApiPathsTest, CancelsACopy) {
  Write(At("a"), "new");
  fsload_copy_options options = {};
  options.struct_size = sizeof(options);
  options.after_block = [](void* data, int64_t bytes) {
    static_cast<std::vector<int64_t>*>(data)->push_back(bytes);
    return 1;
  };
  std::vector<int64_t> blocks;
  options.data = &blocks;
  EXPECT_EQ(fsload_copy(registry_, At("a").c_str(), At("b").c_str(), &options,
                        &error_),
            FSLOAD_CANCELLED);
  EXPECT_THAT(blocks, ElementsAre(3));
  EXPECT_THAT(Why(), HasSubstr("the copy was cancelled by its caller"));
  EXPECT_FALSE(Exists(At("b")));
}

// It would wait for itself.
TEST_P(CApiPathsTest, RetiresNothingFromInsideACopy) {
  Write(At("a"), "new");
  fsload_copy_options options = {};
  options.struct_size = sizeof(options);
  struct Attempt {
    fsload_registry* registry;
    std::string scheme;
    std::vector<fsload_code> codes;
  } attempt = {registry_, root_.substr(0, root_.find("://")), {}};
  options.data = &attempt;
  options.after_block = [](void* data, int64_t) {
    auto& attempt = *static_cast<Attempt*>(data);
    attempt.codes.push_back(
        fsload_retire(attempt.registry, attempt.scheme.c_str(), 3600, nullptr));
    return 0;
  };
  EXPECT_EQ(fsload_copy(registry_, At("a").c_str(), At("b").c_str(), &options,
                        &error_),
            FSLOAD_OK)
      << Why();
  EXPECT_THAT(attempt.codes, Each(FSLOAD_FAILED_PRECONDITION));
  EXPECT_FALSE(attempt.codes.empty());
  EXPECT_EQ(Read(At("b")), "new");
}

TEST_P(CApiPathsTest, RefusesWhatItDoesNotKnow) {
  Write(At("a"), "new");
  fsload_copy_options options = {};
  options.struct_size = sizeof(options);
  options.reserved = 1;
  EXPECT_EQ(fsload_copy(registry_, At("a").c_str(), At("b").c_str(), &options,
                        &error_),
            FSLOAD_INVALID_ARGUMENT);
  EXPECT_FALSE(Exists(At("b")));
}

TEST_P(CApiPathsTest, CopiesBetweenSchemesButRenamesNothing) {
  Load("minimal");
  const std::string other = "minimal://" + NewTestDirectory();
  Write(At("a"), "hello");
  EXPECT_EQ(fsload_copy(registry_, At("a").c_str(), (other + "/a").c_str(),
                        nullptr, &error_),
            FSLOAD_OK)
      << Why();
  EXPECT_EQ(Read(other + "/a"), "hello");
  EXPECT_EQ(fsload_rename(registry_, At("a").c_str(), (other + "/b").c_str(),
                          &error_),
            FSLOAD_UNIMPLEMENTED);
  EXPECT_TRUE(Exists(At("a")));
}

TEST_P(CApiPathsTest, FlushesCaches) {
  EXPECT_EQ(fsload_flush_caches(registry_, root_.c_str(), &error_), FSLOAD_OK)
      << Why();
}

INSTANTIATE_TEST_SUITE_P(Of, CApiPathsTest,
                         ::testing::Values("posix", "memory"),
                         [](const auto& info) { return info.param; });

using DeviantPathsTest = CApiTest;

TEST_F(DeviantPathsTest, EndsExceptionsOfThePlugin) {
  Load("deviant_throws");
  fsload_statistics statistics = {};
  statistics.struct_size = sizeof(statistics);
  EXPECT_EQ(fsload_stat(registry_, "deviant:///dir", &statistics, &error_),
            FSLOAD_INTERNAL);
  EXPECT_EQ(Why(),
            "deviant:///dir: the plugin threw std::runtime_error: out of luck "
            "(stat)");
}

TEST_F(DeviantPathsTest, CallsACodeThatIsNoneUnknown) {
  Load("deviant_code_unknown");
  fsload_statistics statistics = {};
  statistics.struct_size = sizeof(statistics);
  EXPECT_EQ(fsload_stat(registry_, "deviant:///none", &statistics, &error_),
            FSLOAD_UNKNOWN);
}

}  // namespace
}  // namespace fsload
