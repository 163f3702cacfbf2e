// Plans with names that only stores have.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/locations/store_objects.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/removal_plan.h"
#include "tools/files/plan/transfer_plan.h"
#include "tools/files/testing/key_store.h"
#include "tools/files/transfer/plan_execution.h"

namespace fsload {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using Lines = std::vector<std::string>;

struct Style {
  const char* scheme;
  bool lists_slashes;
  bool makes_markers;
};

class StorePlanTest : public ::testing::TestWithParam<Style> {
 protected:
  StorePlanTest() {
    store_.lists_slashes = GetParam().lists_slashes;
    store_.makes_markers = GetParam().makes_markers;
    options_.jobs = 1;
    options_.quiet = true;
    options_.continue_on_error = true;
  }

  Location Store(const std::string& path) const {
    return {store_system_, std::string(GetParam().scheme) + "://" + path};
  }
  Location Local(const std::string& path) const {
    return {local_system_, path};
  }

  void AddObjects(const std::vector<std::string>& keys) {
    for (const std::string& key : keys) store_.objects[key] = key;
  }

  Plan Transfer(std::vector<Location> sources, Location target, bool moves) {
    TransferRequest request;
    request.sources = std::move(sources);
    request.target = std::move(target);
    request.recursive = true;
    request.moves = moves;
    request.report_error = [this](const std::string& uri,
                                  const absl::Status& status) {
      return Tell(uri, status);
    };
    return PlanTransfer(request).value_or(Plan());
  }

  Plan Removal(Location location) {
    RemovalRequest request;
    request.locations = {std::move(location)};
    request.recursive = true;
    request.report_error = [this](const std::string& uri,
                                  const absl::Status& status) {
      return Tell(uri, status);
    };
    return PlanRemoval(request).value_or(Plan());
  }

  bool Tell(const std::string&, const absl::Status& status) {
    errors_.push_back(std::string(status.message()));
    return goes_on_;
  }

  size_t Failures(const Plan& plan) {
    VerbOutput output("test", false);
    Execute(plan, options_, output);
    return output.failures();
  }

  // The keys that neither a step nor an error names.
  Lines Forgotten(const Plan& plan) const {
    Lines forgotten;
    for (const auto& [key, contents] : store_.objects) {
      const std::string uri = Store(key).uri;
      bool found = false;
      for (const Step& step : plan.steps) found |= step.source.uri == uri;
      for (const std::string& error : errors_) {
        // "s3://b/d/..: ..." covers everything below it.
        const std::string named = error.substr(0, error.find(": "));
        const std::string part = named.substr(named.rfind('/') + 1);
        const bool is_dots = part == "." || part == "..";
        const bool is_empty = named.compare(named.size() - 2, 2, "//") == 0;
        found |= uri == named || (is_dots && uri.rfind(named + "/", 0) == 0) ||
                 (is_empty && uri.rfind(named, 0) == 0);
      }
      if (!found) forgotten.push_back(key);
    }
    return forgotten;
  }

  KeyStore store_{GetParam().scheme};
  MemoryTree local_;
  const FileSystemPtr store_system_ = store_.Open();
  const FileSystemPtr local_system_ = local_.Open();
  ExecutionOptions options_;
  bool goes_on_ = true;
  Lines errors_;
};

TEST_P(StorePlanTest, CopiesOrNamesEachObject) {
  const std::vector<std::string> keys = {
      "b/d",       "b/d/a",   "b/d/a/b", "b/d/../x", "b/d/./y", "b/d//f",
      "b/d/c//e",  "b/d/g//", "b/d/m/",  "b/d/m/n",  "b/d/k/",  "b/d/q/.",
      "b/d/q/..",  "b/d/q/r", "b/d/...", "b/d/z/a/", "b/d/z/a", "b/d//",
      "b/d/u/v/w", "b/d/u/v", "b/d/ ",   "b/d/*"};
  AddObjects(keys);
  for (const bool moves : {false, true}) {
    errors_.clear();
    const Plan plan = Transfer({Store("b/d")}, Local("/t"), moves);
    EXPECT_THAT(Forgotten(plan), IsEmpty()) << moves;
    // Two steps have the same target only if one of them makes the parent of
    // the other.
    std::map<std::string, int> targets;
    for (const Step& step : plan.steps) ++targets[step.target.uri];
    targets.erase("");
    for (const auto& [target, times] : targets) EXPECT_EQ(times, 1) << target;
  }
}

TEST_P(StorePlanTest, MovesNothingThatItDoesNotName) {
  AddObjects({"b/d", "b/d/a", "b/d/a/b", "b/d/../x", "b/d//f", "b/d/m/",
              "b/d/m/n", "b/d/c/e", "b/d/q/.", "b/d/q/r"});
  store_.objects["b/d/c/"] = "";
  const Plan plan = Transfer({Store("b/d")}, Local("/t"), true);
  EXPECT_THAT(Forgotten(plan), ElementsAre("b/d/c/"));  // empty
  EXPECT_EQ(Failures(plan), 0);
  Lines left;
  for (const auto& [key, contents] : store_.objects) left.push_back(key);
  EXPECT_THAT(left, ElementsAre("b/d", "b/d/../x", "b/d//f", "b/d/a", "b/d/m/",
                                "b/d/q/."));
  EXPECT_TRUE(local_.Exists("/t/a/b"));
  EXPECT_TRUE(local_.Exists("/t/c/e"));
}

TEST_P(StorePlanTest, DoesNothingUnlessItGoesOnAfterErrors) {
  goes_on_ = false;
  for (const char* odd : {"b/d/a", "b/d/../x", "b/d//f", "b/d/a/", "b/d"}) {
    errors_.clear();
    store_.objects = {{"b/d/a/b", "1"}, {odd, "2"}};
    EXPECT_THAT(Transfer({Store("b/d")}, Local("/t"), false).steps, IsEmpty())
        << odd;
    EXPECT_EQ(errors_.size(), 1) << odd;
  }
}

TEST_P(StorePlanTest, DeletesAnObjectBesideADirectoryAndNamesTheRest) {
  AddObjects({"b/d", "b/d/a", "b/d/a/b", "b/d/m/", "b/d/m/n", "b/da"});
  EXPECT_EQ(Failures(Removal(Store("b/d"))), 0);
  EXPECT_THAT(errors_, IsEmpty());
  EXPECT_EQ(store_.objects.size(), 1);

  AddObjects({"b/d/a", "b/d/../x", "b/d//f"});
  EXPECT_EQ(Failures(Removal(Store("b/d"))), 0);
  EXPECT_THAT(errors_,
              Contains(HasSubstr("://b/d/..: object names here have")));
  EXPECT_THAT(errors_, Contains(HasSubstr("://b/d//: object names here have")));
  EXPECT_EQ(store_.objects.count("b/d/../x"), 1);
  EXPECT_EQ(store_.objects.count("b/d//f"), 1);
  EXPECT_EQ(store_.objects.count("b/d/a"), 0);
}

TEST_P(StorePlanTest, CallsNoHiddenObjectEmpty) {
  AddObjects({"b/d", "b/d/a", "b/d/a/b"});
  Lines lines;
  for (const Step& step : Removal(Store("b/d")).steps) {
    if (IsFileStep(step)) lines.push_back(StepText(step));
  }
  const std::string word = "delete file " + Store("b/d").uri;
  EXPECT_THAT(lines,
              UnorderedElementsAre(word, word + "/a", word + "/a/b (7 bytes)"));
}

TEST_P(StorePlanTest, TakesTheObjectOfADirectoryForNoEmptyPart) {
  store_.merges_slashes = true;
  AddObjects({"b/d/k/l"});
  store_.objects["b/d/"] = store_.objects["b/d/k/"] = "";
  EXPECT_EQ(Transfer({Store("b/d")}, Local("/t"), true).steps.size(), 5);
  EXPECT_THAT(errors_, IsEmpty());
}

TEST_P(StorePlanTest, CopiesWhatIsListedTwiceWithoutAReason) {
  store_.lists_twice = true;
  AddObjects({"b/d/a/b", "b/d/c"});
  EXPECT_EQ(Transfer({Store("b/d")}, Local("/t"), false).files(), 2);
  EXPECT_THAT(errors_, IsEmpty());
}

TEST_P(StorePlanTest, BringsEmptyDirectoriesToStores) {
  local_.AddDirectory("/d/e/f");
  local_.AddFile("/d/g/h", "1");
  EXPECT_EQ(Failures(Transfer({Local("/d")}, Store("b/t"), true)), 0);
  EXPECT_EQ(store_.objects.count("b/t/e/f/"), 1);
  EXPECT_EQ(store_.objects.count("b/t/g/h"), 1);
  EXPECT_FALSE(local_.Exists("/d"));
}

// To list a file, to compare targets (also with sources, in one store) and to
// copy, once each: plans are large, and keep no translated path.
TEST_P(StorePlanTest, TranslatesThePathsOfAFileNoMoreOftenThanNeeded) {
  const auto copy = [&](const Location& source, const Location& target) {
    store_.translations.clear();
    EXPECT_EQ(Failures(Transfer({source}, target, false)), 0);
  };
  const auto times = [&](const std::string& path) {
    return store_.translations[Store(path).uri];
  };
  for (const char* name : {"1", "2"}) {
    local_.AddFile(std::string("/d/") + name, "new");
  }
  copy(Local("/d"), Store("b/d"));
  EXPECT_EQ(times("b/d/2"), 2);
  copy(Store("b/d"), Local("/e"));
  EXPECT_EQ(times("b/d/2"), 2);
  copy(Store("b/d"), Store("b/e"));
  EXPECT_EQ(times("b/d/2"), 3);
  EXPECT_EQ(times("b/e/2"), 3);
  // Those that are named are also checked, and looked for.
  copy(Store("b/d/1"), Store("b/f"));
  EXPECT_EQ(times("b/d/1"), 6);
  EXPECT_EQ(times("b/f"), 7);
}

TEST_P(StorePlanTest, KeepsDirectoriesThatAStoreDoesNotTake) {
  if (GetParam().makes_markers) return;
  store_.takes_markers = false;
  local_.AddDirectory("/d/e");
  local_.AddFile("/d/g/h", "1");
  EXPECT_GE(Failures(Transfer({Local("/d")}, Store("b/t"), true)), 1);
  EXPECT_TRUE(local_.Exists("/d/e"));
  EXPECT_FALSE(local_.Exists("/d/g"));
  EXPECT_EQ(store_.objects.count("b/t/g/h"), 1);
}

TEST_P(StorePlanTest, KeepsAMarkerThatIsFilledAfterThePlan) {
  AddObjects({"b/d/m/n"});
  store_.objects["b/d/m/"] = "";
  const Plan plan = Transfer({Store("b/d")}, Local("/t"), true);
  store_.objects["b/d/m/"] = "new";
  EXPECT_EQ(Failures(plan), 1);
  EXPECT_EQ(store_.objects.count("b/d/m/"), 1);
}

TEST_P(StorePlanTest, RefusesAFileAndADirectoryForOneTarget) {
  local_.AddFile("/x/a", "1");
  local_.AddFile("/y/a/b", "2");
  goes_on_ = false;
  for (const char* first : {"/x/a", "/y/a"}) {
    const char* second = *(first + 1) == 'x' ? "/y/a" : "/x/a";
    errors_.clear();
    EXPECT_THAT(
        Transfer({Local(first), Local(second)}, Store("b/t/"), true).steps,
        IsEmpty());
    EXPECT_THAT(errors_,
                ElementsAre(HasSubstr("another source has the same target")));
  }
  goes_on_ = true;
  const Plan plan =
      Transfer({Local("/x/a"), Local("/y/a")}, Store("b/t/"), true);
  EXPECT_EQ(plan.files(), 1);
  EXPECT_EQ(Failures(plan), 0);
  EXPECT_TRUE(local_.Exists("/y/a/b"));
}

TEST_P(StorePlanTest, PutsNothingBelowAnObject) {
  local_.AddFile("/f", "1");
  local_.AddFile("/d/f", "2");
  AddObjects({"b/file", "b/e/f"});
  for (const bool moves : {false, true}) {
    for (const char* source : {"/f", "/d"}) {
      for (const char* target : {"b/file/x", "b/file/no/such/x", "b/file/x/"}) {
        errors_.clear();
        EXPECT_THAT(Transfer({Local(source)}, Store(target), moves).steps,
                    IsEmpty());
        EXPECT_THAT(errors_, ElementsAre(HasSubstr("://b/file is a file")))
            << target;
      }
    }
  }
  const Plan plan = Transfer({Local("/f")}, Store("b/e/new/f"), false);
  EXPECT_EQ(Failures(plan), 0);
  EXPECT_EQ(store_.objects.count("b/e/new/f"), 1);
}

TEST_P(StorePlanTest, LooksForAnObjectAboveAPathOnce) {
  AddObjects({"b/e/f", "b/file"});
  ObjectsAbove above;
  const auto calls = [&](const std::string& path) {
    const uint64_t before = store_.calls();
    EXPECT_EQ(above.Check(*store_system_, Store(path).uri), absl::OkStatus());
    return store_.calls() - before;
  };
  EXPECT_EQ(calls("b/new"), 0);
  EXPECT_EQ(calls("b/e/no/such/x"), 3);
  EXPECT_EQ(calls("b/e/no/such/y"), 0);
  EXPECT_EQ(calls("b/e/no/z/"), 0);
  EXPECT_TRUE(absl::IsFailedPrecondition(
      above.Check(*store_system_, Store("b/file/x").uri)));
}

INSTANTIATE_TEST_SUITE_P(Stores, StorePlanTest,
                         ::testing::Values(Style{"s3", false, false},
                                           Style{"gs", true, true}),
                         [](const auto& info) { return info.param.scheme; });

}  // namespace
}  // namespace fsload
