#include "fsload/scheme_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/registry/pinned.h"
#include "core/testing/allocation_count.h"
#include "core/testing/scripted_plugin.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SchemeRegistryTest : public testing::Test {
 protected:
  absl::Status Register(const std::vector<std::string>& schemes,
                        std::string owner = "plugin.so") {
    std::vector<FileSystemPtr> file_systems;
    for (const std::string& scheme : schemes) {
      file_systems.push_back(plugin_.Create(scheme, owner));
    }
    return registry_.Register(std::move(file_systems));
  }

  // OK if it was cleaned up at once.
  absl::Status Retire(std::string_view scheme) {
    return registry_.RetireAndWait(scheme, absl::ZeroDuration());
  }

  int Cleanups() const { return plugin_.Count(Op::kFilesystem_cleanup); }

  ScriptedPlugin plugin_;
  SchemeRegistry registry_;
};

// A thread that keeps a scheme pinned until it is told to let go.
class PinningThread {
 public:
  PinningThread(SchemeRegistry& registry, std::string_view scheme)
      : thread_([this, &registry, scheme] {
          const Pinned pinned(registry, scheme);
          EXPECT_TRUE(pinned);
          pinned_.set_value();
          let_go_.get_future().wait();
          EXPECT_EQ(pinned->FileExists("/a"), absl::OkStatus());
        }) {
    pinned_.get_future().wait();
  }
  ~PinningThread() {
    if (thread_.joinable()) LetGo();
  }

  // Returns the thread's id after it has ended.
  std::thread::id LetGo() {
    const std::thread::id id = thread_.get_id();
    let_go_.set_value();
    thread_.join();
    return id;
  }

 private:
  std::promise<void> pinned_;
  std::promise<void> let_go_;
  std::thread thread_;
};

absl::Status StillInUse(std::string_view scheme, std::string_view timeout) {
  return absl::DeadlineExceededError(Format(
      "scheme {} is retired, but still in use after {}: its last user cleans "
      "it up",
      scheme, timeout));
}

TEST_F(SchemeRegistryTest, IsEmptyAtFirst) {
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
  EXPECT_FALSE(Pinned(registry_, "s3"));
  EXPECT_FALSE(Pinned(registry_, ""));
  EXPECT_EQ(Pinned(registry_, "s3").get(), nullptr);
  EXPECT_EQ(registry_.Find("s3").status(),
            absl::NotFoundError("no file system for s3:// (registered: none)"));
}

TEST_F(SchemeRegistryTest, FindsWhatWasRegistered) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  ASSERT_EQ(Register({"file", ""}), absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("", "file", "gs", "s3"));
  for (const std::string_view scheme : {"", "file", "gs", "s3"}) {
    SCOPED_TRACE(scheme);
    const auto found = registry_.Find(scheme);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ((*found)->scheme(), scheme);
    const Pinned pinned(registry_, scheme);
    EXPECT_EQ(pinned.get(), found->get());
    EXPECT_EQ(pinned->scheme(), scheme);
  }
}

TEST_F(SchemeRegistryTest, SaysWhichSchemesThereAre) {
  ASSERT_EQ(Register({"s3", "", "gs"}), absl::OkStatus());
  for (const std::string_view scheme : {"g", "gs2", "S3", "s", "zz"}) {
    EXPECT_FALSE(Pinned(registry_, scheme));
    EXPECT_EQ(registry_.Find(scheme).status(),
              absl::NotFoundError(Format(
                  "no file system for {}:// (registered: local paths, gs://, "
                  "s3://)",
                  scheme)));
  }
}

TEST_F(SchemeRegistryTest, ResolvesAUriByItsScheme) {
  ASSERT_EQ(Register({"s3", ""}), absl::OkStatus());
  constexpr struct {
    std::string_view uri, scheme;
  } kCases[] = {
      {"s3://bucket/key", "s3"},
      {"s3://", "s3"},
      {"/a/b", ""},
      {"a", ""},
      {"", ""},
      {"s3:/b", ""},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.uri);
    const auto found = registry_.Resolve(each.uri);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ((*found)->scheme(), each.scheme);
  }
  EXPECT_EQ(registry_.Resolve("gs://b/k").status(),
            absl::NotFoundError("gs://b/k: no file system for gs:// "
                                "(registered: local paths, s3://)"));
}

TEST_F(SchemeRegistryTest, SaysThatThereIsNothingForLocalPaths) {
  ASSERT_EQ(Register({"s3"}), absl::OkStatus());
  EXPECT_EQ(registry_.Resolve("/a/b").status(),
            absl::NotFoundError("/a/b: no file system for local paths "
                                "(registered: s3://)"));
}

TEST_F(SchemeRegistryTest, RefusesASchemeThatIsTakenNamingBothPlugins) {
  ASSERT_EQ(Register({"s3", ""}, "/lib/first.so"), absl::OkStatus());
  EXPECT_EQ(Register({"s3"}, "/lib/second.so"),
            absl::AlreadyExistsError(
                "scheme 's3' is already served by '/lib/first.so', so "
                "'/lib/second.so' cannot register it; retire the scheme first, "
                "or load only one of the two"));
  EXPECT_EQ(Register({""}, "/lib/second.so"),
            absl::AlreadyExistsError(
                "scheme '' (local paths) is already served by '/lib/first.so', "
                "so '/lib/second.so' cannot register it; retire the scheme "
                "first, or load only one of the two"));
  EXPECT_EQ((*registry_.Find("s3"))->plugin(), "/lib/first.so");
}

TEST_F(SchemeRegistryTest, RegistersAllOrNone) {
  ASSERT_EQ(Register({"gs"}), absl::OkStatus());
  EXPECT_EQ(Register({"az", "gs", "s3"}).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(Register({"az", "s3", "az"}).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(registry_.Schemes(), ElementsAre("gs"));
  EXPECT_EQ(Cleanups(), 6);  // those that were not registered
  EXPECT_EQ(Register({"az", "s3"}), absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("az", "gs", "s3"));
}

TEST_F(SchemeRegistryTest, RegistersNothing) {
  EXPECT_EQ(registry_.Register({}), absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

TEST_F(SchemeRegistryTest, LooksUpWithoutAllocating) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  plugin_.recording = false;
  { const Pinned first(registry_, "s3"); }
  const size_t before = AllocationsOfThisThread();
  {
    const Pinned outer(registry_, "s3");
    const Pinned inner(registry_, "gs");
    const Pinned none(registry_, "az");
  }
  EXPECT_EQ(AllocationsOfThisThread() - before, 0u);
}

TEST_F(SchemeRegistryTest, PinsNest) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  const std::function<void(int)> pin = [&](int depth) {
    if (depth == 0) return;
    const Pinned pinned(registry_, depth % 2 == 0 ? "s3" : "gs");
    ASSERT_TRUE(pinned);
    pin(depth - 1);
    EXPECT_EQ(pinned->FileExists("/a"), absl::OkStatus());
  };
  pin(100);
  EXPECT_EQ(plugin_.Count(Op::kFilesystem_path_exists), 100);
  EXPECT_EQ(Retire("s3"), absl::OkStatus());
  EXPECT_EQ(Retire("gs"), absl::OkStatus());
}

TEST_F(SchemeRegistryTest, CleansUpWhatItHasWhenItIsDestroyed) {
  std::optional<SchemeRegistry> registry(std::in_place);
  ASSERT_EQ(registry->Register({plugin_.Create("s3"), plugin_.Create("gs")}),
            absl::OkStatus());
  EXPECT_EQ(Cleanups(), 0);
  registry.reset();
  EXPECT_EQ(Cleanups(), 2);
}

TEST_F(SchemeRegistryTest, HasADefault) {
  SchemeRegistry& registry = SchemeRegistry::Default();
  EXPECT_EQ(&registry, &SchemeRegistry::Default());
  ASSERT_EQ(registry.Register({plugin_.Create("s3")}), absl::OkStatus());
  EXPECT_TRUE(Pinned(SchemeRegistry::Default(), "s3"));
  EXPECT_EQ(registry.RetireAndWait("s3", absl::ZeroDuration()),
            absl::OkStatus());
}

// Retirement.

TEST_F(SchemeRegistryTest, RetiresAtOnceWhatNobodyUses) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  EXPECT_EQ(Retire("s3"), absl::OkStatus());
  EXPECT_EQ(Cleanups(), 1);
  EXPECT_THAT(registry_.Schemes(), ElementsAre("gs"));
  EXPECT_FALSE(Pinned(registry_, "s3"));
}

TEST_F(SchemeRegistryTest, DoesNotRetireASchemeThatItDoesNotHave) {
  ASSERT_EQ(Register({"gs"}), absl::OkStatus());
  EXPECT_EQ(Retire("s3"), absl::NotFoundError(
                              "no file system for s3:// (registered: gs://)"));
  ASSERT_EQ(Retire("gs"), absl::OkStatus());
  EXPECT_EQ(Retire("gs"),
            absl::NotFoundError("no file system for gs:// (registered: none)"));
}

TEST_F(SchemeRegistryTest, RegistersAnewWhatWasRetired) {
  for (int i = 1; i <= 10; ++i) {
    ASSERT_EQ(Register({"s3"}, Format("{}.so", i)), absl::OkStatus());
    EXPECT_EQ(Pinned(registry_, "s3")->plugin(), Format("{}.so", i));
    ASSERT_EQ(Retire("s3"), absl::OkStatus());
    EXPECT_EQ(Cleanups(), i);
  }
}

TEST_F(SchemeRegistryTest, LeavesTheCleanupToTheLastOpenFile) {
  ASSERT_EQ(Register({"s3"}), absl::OkStatus());
  auto file = *Pinned(registry_, "s3")->NewRandomAccessFile("s3://b/k");
  EXPECT_EQ(Retire("s3"), StillInUse("'s3'", "0"));
  EXPECT_EQ(Retire("s3").code(), absl::StatusCode::kNotFound);
  char byte;
  EXPECT_EQ(*file->Read(0, 1, &byte), 1u);
  EXPECT_EQ(Cleanups(), 0);
  file.reset();
  EXPECT_EQ(Cleanups(), 1);
}

TEST_F(SchemeRegistryTest, RetiresWithoutWaiting) {
  ASSERT_EQ(Register({"s3"}), absl::OkStatus());
  const auto file = *Pinned(registry_, "s3")->NewRandomAccessFile("s3://b/k");
  EXPECT_EQ(registry_.Retire("s3"), absl::OkStatus());
  EXPECT_FALSE(Pinned(registry_, "s3"));
  EXPECT_EQ(Cleanups(), 0);
}

TEST_F(SchemeRegistryTest, RetiresAllBeforeItWaitsForAny) {
  ASSERT_EQ(Register({"gs", "s3"}), absl::OkStatus());
  const auto kept = registry_.Find("gs");
  EXPECT_EQ(registry_.RetireAll(absl::Milliseconds(1)),
            StillInUse("'gs'", "1ms"));
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
  EXPECT_EQ(Cleanups(), 1);
}

TEST_F(SchemeRegistryTest, LeavesTheCleanupToTheLastOwner) {
  ASSERT_EQ(Register({""}), absl::OkStatus());
  auto found = *registry_.Find("");
  EXPECT_EQ(registry_.RetireAndWait("", absl::Milliseconds(1)),
            StillInUse("'' (local paths)", "1ms"));
  EXPECT_EQ(found->FileExists("/a"), absl::OkStatus());
  EXPECT_EQ(Cleanups(), 0);
  found.reset();
  EXPECT_EQ(Cleanups(), 1);
}

TEST_F(SchemeRegistryTest, WaitsUntilAnotherThreadClosesTheLastFile) {
  ASSERT_EQ(Register({"s3"}), absl::OkStatus());
  auto file = *Pinned(registry_, "s3")->NewRandomAccessFile("s3://b/k");
  std::thread closer([&] {
    while (!registry_.Schemes().empty()) std::this_thread::yield();
    file.reset();
  });
  EXPECT_EQ(registry_.RetireAndWait("s3", absl::InfiniteDuration()),
            absl::OkStatus());
  EXPECT_EQ(Cleanups(), 1);
  closer.join();
}

TEST_F(SchemeRegistryTest, IsCleanedUpByTheThreadThatClosesTheLastFile) {
  ASSERT_EQ(Register({"s3"}), absl::OkStatus());
  std::thread::id cleaned_up_by;
  plugin_.On(Op::kFilesystem_cleanup,
             [&](TF_Status*) { cleaned_up_by = std::this_thread::get_id(); });
  auto file = *Pinned(registry_, "s3")->NewRandomAccessFile("s3://b/k");
  EXPECT_EQ(Retire("s3"), StillInUse("'s3'", "0"));
  std::thread closer([&] { file.reset(); });
  const std::thread::id closer_id = closer.get_id();
  closer.join();
  EXPECT_EQ(cleaned_up_by, closer_id);
  EXPECT_EQ(Cleanups(), 1);
}

TEST_F(SchemeRegistryTest, LeavesTheCleanupToACallThatRuns) {
  ASSERT_EQ(Register({"s3"}), absl::OkStatus());
  std::thread::id cleaned_up_by;
  plugin_.On(Op::kFilesystem_cleanup,
             [&](TF_Status*) { cleaned_up_by = std::this_thread::get_id(); });
  PinningThread thread(registry_, "s3");
  EXPECT_EQ(Retire("s3"), StillInUse("'s3'", "0"));
  EXPECT_FALSE(Pinned(registry_, "s3"));
  EXPECT_EQ(Cleanups(), 0);
  EXPECT_EQ(thread.LetGo(), cleaned_up_by);
  EXPECT_EQ(Cleanups(), 1);
}

TEST_F(SchemeRegistryTest, WaitsForACallThatRuns) {
  ASSERT_EQ(Register({"s3"}), absl::OkStatus());
  std::promise<void> pinned;
  std::thread user([&] {
    const Pinned pin(registry_, "s3");
    pinned.set_value();
    while (!registry_.Schemes().empty()) std::this_thread::yield();
  });
  pinned.get_future().wait();
  EXPECT_EQ(registry_.RetireAndWait("s3", absl::InfiniteDuration()),
            absl::OkStatus());
  EXPECT_EQ(Cleanups(), 1);
  user.join();
}

TEST_F(SchemeRegistryTest, RegistersAnewWhileACallStillRunsOnTheOld) {
  ASSERT_EQ(Register({"s3"}, "old.so"), absl::OkStatus());
  std::optional<PinningThread> thread(std::in_place, registry_, "s3");
  EXPECT_EQ(Retire("s3").code(), absl::StatusCode::kDeadlineExceeded);
  ASSERT_EQ(Register({"s3"}, "new.so"), absl::OkStatus());
  EXPECT_EQ(Pinned(registry_, "s3")->plugin(), "new.so");
  EXPECT_EQ(Cleanups(), 0);
  EXPECT_EQ(Retire("s3"), absl::OkStatus());
  EXPECT_EQ(Cleanups(), 1);
  thread.reset();
  EXPECT_EQ(Cleanups(), 2);
}

TEST_F(SchemeRegistryTest, ACallOnOneSchemeDoesNotDelayAnother) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  const PinningThread thread(registry_, "s3");
  EXPECT_EQ(Retire("gs"), absl::OkStatus());
  EXPECT_EQ(Cleanups(), 1);
}

// It does not wait for a thread that holds the writers' lock meanwhile.
TEST_F(SchemeRegistryTest, ACallOnARetiredSchemeDelaysNoneOnAnother) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  PinningThread pinning(registry_, "s3");
  ASSERT_EQ(Retire("s3"), StillInUse("'s3'", "0"));
  std::promise<void> looked_up;
  std::future<void> done = looked_up.get_future();
  std::thread other;
  {
    const MutexLock lock(HazardPointer::WriterMutex());
    other = std::thread([&] {
      for (int i = 0; i < 100; ++i) EXPECT_TRUE(Pinned(registry_, "gs"));
      looked_up.set_value();
    });
    EXPECT_EQ(done.wait_for(std::chrono::seconds(10)),
              std::future_status::ready);
  }
  other.join();
  EXPECT_EQ(Cleanups(), 0);
  pinning.LetGo();
  EXPECT_EQ(Cleanups(), 1);
}

// More than the registry can note besides its list.
TEST_F(SchemeRegistryTest, CleansUpManySchemesThatWereRetiredInUse) {
  constexpr int kSchemes = 20;
  std::vector<std::unique_ptr<PinningThread>> pinning;
  for (int i = 0; i < kSchemes; ++i) {
    const std::string scheme = Format("s{}x", i);
    ASSERT_EQ(Register({scheme}), absl::OkStatus());
    pinning.push_back(std::make_unique<PinningThread>(registry_, scheme));
    ASSERT_TRUE(absl::IsDeadlineExceeded(Retire(scheme)));
  }
  EXPECT_EQ(Cleanups(), 0);
  for (int i = 0; i < kSchemes; ++i) {
    pinning[(i * 7) % kSchemes].reset();
    EXPECT_EQ(Cleanups(), i + 1);
  }
}

TEST_F(SchemeRegistryTest, RefusesToRetireAFileSystemThatThisThreadHasPinned) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  const absl::Status refused = absl::FailedPreconditionError(
      "scheme 's3' cannot be retired from inside one of its own calls: that "
      "would deadlock");
  {
    const Pinned outer(registry_, "s3");
    const Pinned inner(registry_, "gs");
    EXPECT_EQ(Retire("s3"), refused);
  }
  EXPECT_THAT(registry_.Schemes(), ElementsAre("gs", "s3"));
  EXPECT_EQ(Cleanups(), 0);
  EXPECT_EQ(Retire("s3"), absl::OkStatus());
}

TEST_F(SchemeRegistryTest, MayBeChangedFromInsideAnOperation) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  ScriptedPlugin other;
  plugin_.On(Op::kFilesystem_path_exists, [&](TF_Status*) {
    EXPECT_EQ(Retire("s3").code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(Retire("gs"), absl::OkStatus());
    EXPECT_EQ(registry_.Register({other.Create("az")}), absl::OkStatus());
  });
  EXPECT_EQ(Pinned(registry_, "s3")->FileExists("s3://b/k"), absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("az", "s3"));
  EXPECT_EQ(Retire("az"), absl::OkStatus());
}

TEST_F(SchemeRegistryTest, MayBeChangedFromInsideACleanup) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  plugin_.On(Op::kFilesystem_cleanup, [&](TF_Status*) {
    if (Cleanups() > 1) return;
    EXPECT_EQ(Retire("gs"), absl::OkStatus());
  });
  EXPECT_EQ(Retire("s3"), absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
  EXPECT_EQ(Cleanups(), 2);
}

TEST_F(SchemeRegistryTest, RetiresAllSchemesAndAnswersTheFirstError) {
  ASSERT_EQ(Register({"az", "gs", "s3"}), absl::OkStatus());
  {
    const auto kept = registry_.Find("s3");
    const Pinned pinned(registry_, "gs");
    EXPECT_EQ(registry_.RetireAll(),
              absl::FailedPreconditionError(
                  "scheme 'gs' cannot be retired from inside one of its own "
                  "calls: that would deadlock"));
    EXPECT_THAT(registry_.Schemes(), ElementsAre("gs"));
  }
  EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
  EXPECT_EQ(Cleanups(), 3);
}

TEST_F(SchemeRegistryTest, RetiresOnceForTwoThreads) {
  plugin_.recording = false;
  for (int i = 1; i <= 300; ++i) {
    ASSERT_EQ(Register({"s3"}), absl::OkStatus());
    std::atomic<int> ready{0};
    const auto retire = [&] {
      ++ready;
      while (ready < 2) std::this_thread::yield();
      return registry_.RetireAndWait("s3", absl::InfiniteDuration());
    };
    absl::Status there;
    std::thread other([&] { there = retire(); });
    const absl::Status here = retire();
    other.join();
    ASSERT_NE(here.ok(), there.ok()) << here << there;
    ASSERT_EQ((here.ok() ? there : here).code(), absl::StatusCode::kNotFound);
    ASSERT_EQ(Cleanups(), i);
  }
}

TEST_F(SchemeRegistryTest, RetiresAfterThreadsThatLookedUpAndEnded) {
  ASSERT_EQ(Register({"s3"}), absl::OkStatus());
  plugin_.recording = false;
  for (int i = 0; i < 1000; ++i) {
    std::thread([&] {
      EXPECT_EQ(Pinned(registry_, "s3")->FileExists("/a"), absl::OkStatus());
    }).join();
  }
  EXPECT_EQ(Retire("s3"), absl::OkStatus());
  EXPECT_EQ(Cleanups(), 1);
}

// Runs `body` repeatedly in some threads while this object lives.
class Busy {
 public:
  Busy(int threads, const std::function<void()>& body) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this, body] {
        while (!done_) body();
      });
    }
  }
  ~Busy() {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::vector<std::thread> threads_;
};

TEST_F(SchemeRegistryTest, IsChangedWhileManyThreadsLookUp) {
  plugin_.recording = false;
  ASSERT_EQ(Register({"gs"}), absl::OkStatus());
  {
    const Busy lookups(3, [&] {
      {
        const Pinned pinned(registry_, "s3");
        EXPECT_TRUE(!pinned || pinned->FileExists("/a").ok());
      }
      const auto found = registry_.Find("s3");
      if (found.ok()) {
        EXPECT_TRUE((*found)->NewRandomAccessFile("/a").ok());
      }
      EXPECT_EQ(Pinned(registry_, "gs")->scheme(), "gs");
    });
    for (int i = 1; i <= 300; ++i) {
      ASSERT_EQ(Register({"s3"}), absl::OkStatus());
      ASSERT_EQ(registry_.RetireAndWait("s3", absl::InfiniteDuration()),
                absl::OkStatus());
      ASSERT_EQ(Cleanups(), i);
    }
  }
  EXPECT_EQ(plugin_.Count(Op::kFilesystem_init), 301);
}

// A lookup reads the map of all schemes for an instant: that must neither fail
// a retirement, nor leave what is retired to a thread that never comes.
TEST_F(SchemeRegistryTest, RetiresAtOnceBesideLookupsOfAnotherScheme) {
  plugin_.recording = false;
  ASSERT_EQ(Register({"gs"}), absl::OkStatus());
  const Busy lookups(2, [&] {
    EXPECT_EQ(Pinned(registry_, "gs")->scheme(), "gs");
    registry_.Schemes();
  });
  for (int i = 1; i <= 2000; ++i) {
    ASSERT_EQ(Register({"s3"}), absl::OkStatus());
    ASSERT_EQ(Retire("s3"), absl::OkStatus()) << i;
    ASSERT_EQ(Cleanups(), i);
  }
}

// In a child only the thread that forked exists; what others had pinned is not
// in use there.
TEST_F(SchemeRegistryTest, IsWholeInAForkedChild) {
  ASSERT_EQ(Register({"s3", "gs"}), absl::OkStatus());
  const PinningThread thread(registry_, "s3");
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // in case it waits for a thread that is not there
    if (!Pinned(registry_, "s3")->FileExists("/a").ok()) _exit(1);
    if (!Retire("s3").ok() || Cleanups() != 1) _exit(2);
    if (!Register({"s3", "az"}).ok()) _exit(3);
    if (!Retire("gs").ok() || Cleanups() != 2) _exit(4);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(Cleanups(), 0);
}

TEST_F(SchemeRegistryTest, IsWholeInAChildForkedAmidLookupsAndChanges) {
  plugin_.recording = false;
  ASSERT_EQ(Register({"gs"}), absl::OkStatus());
  ScriptedPlugin other;
  other.recording = false;
  const Busy lookups(1, [&] { EXPECT_TRUE(Pinned(registry_, "gs")); });
  const Busy changes(1, [&] {
    EXPECT_EQ(registry_.Register({other.Create("az")}), absl::OkStatus());
    EXPECT_EQ(Retire("az"), absl::OkStatus());
  });
  // The child's allocator may be in any state: do only what needs none.
  for (int i = 0; i < 30; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      const Pinned pinned(registry_, "gs");
      const MutexLock lock(HazardPointer::WriterMutex());
      HazardPointer::Fence();
      _exit(pinned ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
}

}  // namespace
}  // namespace fsload
