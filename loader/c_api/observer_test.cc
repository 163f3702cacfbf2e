// Observers and the log.
#include "fsload/c/observer.h"

#include <cstdint>
#include <string>
#include <vector>

#include "loader/c_api/c_api_fixture.h"

namespace fsload {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Seen {
  std::vector<std::string> before;
  std::vector<std::string> after;
  int64_t nanoseconds = 0;
};

std::string TextOf(const fsload_call& call) {
  return std::string(call.scheme) + " " + call.operation + " " + call.uri;
}

void NoteBefore(void* data, const fsload_call* call) {
  static_cast<Seen*>(data)->before.push_back(TextOf(*call));
}

void NoteAfter(void* data, const fsload_call* call) {
  Seen& seen = *static_cast<Seen*>(data);
  EXPECT_EQ(call->struct_size, sizeof(fsload_call));
  seen.after.push_back(TextOf(*call) + " " + std::to_string(call->bytes) + " " +
                       fsload_code_name(call->code));
  seen.nanoseconds += call->nanoseconds;
}

class CApiObserverTest : public CApiTest {
 protected:
  // Loads a fresh copy, as a plugin keeps the observer of its first load.
  void LoadObserved(const std::string& plugin, fsload_observer* observer) {
    const std::string path = FreshCopy("testdata/" + plugin + ".so");
    fsload_load_options options = {};
    options.struct_size = sizeof(options);
    options.observer = observer;
    options.allow_damaging_operations = 1;
    ASSERT_EQ(fsload_load(registry_, path.c_str(), &options, nullptr, &error_),
              FSLOAD_OK)
        << Why();
  }

  fsload_observer* NewObserver(const fsload_callbacks& callbacks) {
    fsload_observer* observer = nullptr;
    EXPECT_EQ(fsload_observer_new(&callbacks, &observer, &error_), FSLOAD_OK)
        << Why();
    return observer;
  }
};

TEST_F(CApiObserverTest, SeesEachCallBeforeAndAfter) {
  Seen seen;
  fsload_observer* const observer =
      NewObserver({sizeof(fsload_callbacks), &seen, &NoteBefore, &NoteAfter});
  LoadObserved("memory", observer);
  Write("memory:///a", "hello");
  EXPECT_FALSE(Exists("memory:///none"));
  EXPECT_THAT(seen.before, Contains("memory WritableFile.append memory:///a"));
  EXPECT_THAT(seen.after,
              Contains("memory WritableFile.append memory:///a 5 OK"));
  EXPECT_THAT(
      seen.after,
      Contains("memory Filesystem.path_exists memory:///none -1 NOT_FOUND"));
  EXPECT_GT(seen.nanoseconds, 0);
  fsload_observer_stop(observer);
}

TEST_F(CApiObserverTest, ShowsLongUrisWhole) {
  Seen seen;
  fsload_observer* const observer =
      NewObserver({sizeof(fsload_callbacks), &seen, nullptr, &NoteAfter});
  LoadObserved("memory", observer);
  const std::string uri = "memory:///" + std::string(1000, 'a');
  EXPECT_FALSE(Exists(uri));
  EXPECT_THAT(seen.after, Contains("memory Filesystem.path_exists " + uri +
                                   " -1 NOT_FOUND"));
  fsload_observer_stop(observer);
}

TEST_F(CApiObserverTest, SeesNothingAfterItWasStopped) {
  Seen seen;
  fsload_observer* const observer =
      NewObserver({sizeof(fsload_callbacks), &seen, &NoteBefore, &NoteAfter});
  LoadObserved("memory", observer);
  fsload_observer_stop(observer);
  seen = {};
  Write("memory:///a", "hello");
  EXPECT_THAT(seen.before, IsEmpty());
  EXPECT_THAT(seen.after, IsEmpty());
}

// It would wait for the call that it observes.
TEST_F(CApiObserverTest, RetiresNothingFromInsideAnObserver) {
  struct Attempts {
    fsload_registry* registry;
    std::vector<fsload_code> codes;
  } attempts = {registry_, {}};
  const auto retire = [](void* data, const fsload_call*) {
    auto& attempts = *static_cast<Attempts*>(data);
    attempts.codes.push_back(
        fsload_retire(attempts.registry, "memory", 0.1, nullptr));
  };
  fsload_observer* const observer =
      NewObserver({sizeof(fsload_callbacks), &attempts, retire, retire});
  LoadObserved("memory", observer);
  attempts.codes.clear();  // those from before it is registered
  EXPECT_FALSE(Exists("memory:///none"));
  EXPECT_THAT(attempts.codes,
              AllOf(Each(FSLOAD_FAILED_PRECONDITION), Not(IsEmpty())));
  fsload_observer_stop(observer);
}

TEST_F(CApiObserverTest, CallsAPluginsOddCodeUnknown) {
  Seen seen;
  fsload_observer* const observer =
      NewObserver({sizeof(fsload_callbacks), &seen, nullptr, &NoteAfter});
  LoadObserved("deviant_code_unknown", observer);
  int exists = 0;
  EXPECT_EQ(fsload_exists(registry_, "deviant:///none", &exists, &error_),
            FSLOAD_UNKNOWN);
  EXPECT_THAT(
      seen.after,
      Contains("deviant Filesystem.path_exists deviant:///none -1 UNKNOWN"));
  fsload_observer_stop(observer);
}

TEST_F(CApiObserverTest, RefusesCallbacksWithoutSize) {
  const fsload_callbacks callbacks = {};
  fsload_observer* observer = nullptr;
  EXPECT_EQ(fsload_observer_new(&callbacks, &observer, &error_),
            FSLOAD_INVALID_ARGUMENT);
  EXPECT_EQ(observer, nullptr);
}

TEST_F(CApiObserverTest, SendsLogLinesWhereItIsTold) {
  std::vector<std::string> lines;
  const auto note = [](void* data, fsload_log_level level, int from_plugin,
                       const char* message) {
    static_cast<std::vector<std::string>*>(data)->push_back(
        std::to_string(level) + " " + std::to_string(from_plugin) + " " +
        message);
  };
  ASSERT_EQ(fsload_set_log(note, &lines, &error_), FSLOAD_OK);
  Load("deviant_fatal_log");
  int exists = 0;
  fsload_exists(registry_, "deviant:///dir", &exists, nullptr);
  ASSERT_EQ(fsload_set_log(nullptr, nullptr, &error_), FSLOAD_OK);
  fsload_exists(registry_, "deviant:///dir", &exists, nullptr);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("3 1 ")));
}

}  // namespace
}  // namespace fsload
