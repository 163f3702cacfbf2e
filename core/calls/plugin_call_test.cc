#include "core/calls/plugin_call.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/base/config.h"
#include "absl/status/status.h"
#include "compat/captured_output.h"
#include "core/calls/direct_call.h"
#include "core/calls/file_cleanup.h"
#include "core/calls/missing_function.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/op_observer.h"

namespace fsload {
namespace {

constexpr StatusProvider kOwn;

absl::Status Call(const std::function<void(TF_Status*)>& plugin) {
  CallStatus status(kOwn);
  CallPlugin(status, [&] { plugin(status.get()); });
  return status.ok() ? absl::OkStatus()
                     : status.ToError(Op::kFilesystem_stat, "s3://b//k");
}

TEST(PluginCallTest, StartsWithAStatusThatIsOk) {
  EXPECT_EQ(Call([](TF_Status* status) {
              EXPECT_EQ(TF_GetCode(status), TF_OK);
              EXPECT_STREQ(TF_Message(status), "");
            }),
            absl::OkStatus());
}

TEST(PluginCallTest, KeepsEveryCode) {
  for (int code = TF_CANCELLED; code <= TF_UNAUTHENTICATED; ++code) {
    const absl::Status status = Call([code](TF_Status* to_set) {
      TF_SetStatus(to_set, static_cast<TF_Code>(code), "words");
    });
    EXPECT_EQ(status.raw_code(), code);
    EXPECT_EQ(status.message(), "s3://b//k: words (stat)");
  }
}

TEST(PluginCallTest, TakesACodeThatIsNoneForUnknown) {
  // A TF_Code can hold any int.
  for (const int code :
       {INT_MIN, -1, TF_UNAUTHENTICATED + 1, 31, 32, 1'000, INT_MAX}) {
    EXPECT_EQ(Call([code](TF_Status* status) {
                TF_SetStatus(status, static_cast<TF_Code>(code), "words");
              }),
              absl::UnknownError("s3://b//k: words (stat)"));
  }
}

TEST(PluginCallTest, KeepsAMessageOfALine) {
  for (const size_t length : {1, 103, 104, 400}) {
    const std::string words(length, 'w');
    EXPECT_EQ(Call([&](TF_Status* status) {
                TF_SetStatus(status, TF_ABORTED, words.c_str());
              }),
              absl::AbortedError("s3://b//k: " + words + " (stat)"));
  }
}

TEST(PluginCallTest, CutsAPage) {
  const absl::Status status = Call([](TF_Status* to_set) {
    const std::string page = "404\n" + std::string(10'000, 'w');
    TF_SetStatus(to_set, TF_NOT_FOUND, page.c_str());
  });
  EXPECT_EQ(status.message().substr(0, 17), "s3://b//k: 404 ww");
  EXPECT_LT(status.message().size(), 450u);
}

TEST(PluginCallTest, SaysSoWhenThereIsNoMessage) {
  EXPECT_EQ(Call([](TF_Status* status) {
              TF_SetStatus(status, TF_ABORTED, nullptr);
            }),
            absl::AbortedError("s3://b//k: the plugin gave no message (stat)"));
}

struct OddException : std::exception {
  const char* what() const noexcept override { return nullptr; }
};

TEST(PluginCallTest, NamesThePathOnce) {
  struct Case {
    const char* uri;
    const char* message;
    const char* told;
  };
  for (const Case& each : {
           Case{"d/a", "d/a: No such file", "d/a: No such file (stat)"},
           Case{"p://h/a/", "/a: Not a directory",
                "p://h/a/: Not a directory (stat)"},
           Case{"s3://b/k", ": No response", "s3://b/k: No response (stat)"},
           Case{"./d/a/", "d/a: No such file", "./d/a/: No such file (stat)"},
           Case{"d//a", "d/a: No such file", "d//a: No such file (stat)"},
           Case{"pp:///", "/: Is a directory", "pp:///: Is a directory (stat)"},
           Case{"", "No such file", "No such file (stat)"},
           Case{"/a", "/b: No such file", "/a: /b: No such file (stat)"},
           Case{"/b/a", "a: No such file", "/b/a: a: No such file (stat)"},
           Case{"/a", "/a: ", "/a: /a:  (stat)"},
           Case{"/a", "no path", "/a: no path (stat)"},
       }) {
    StatusStorage status;
    TF_SetStatus(status.get(), TF_NOT_FOUND, each.message);
    EXPECT_EQ(ErrorOf(status, Op::kFilesystem_stat, each.uri),
              absl::NotFoundError(each.told));
  }
}

TEST(PluginCallTest, TakesTheNameOfAFileForNoServersStatus) {
  StatusStorage status;
  TF_SetStatus(status.get(), TF_NOT_FOUND, "no /d (Status: 503)/a");
  EXPECT_EQ(ErrorOf(status, Op::kFilesystem_stat, "pp:///d (Status: 503)/a"),
            absl::NotFoundError("pp:///d (Status: 503)/a: no /d (Status: "
                                "503)/a (stat)"));
  EXPECT_EQ(ErrorOf(status, Op::kFilesystem_stat, "pp:///a").code(),
            absl::StatusCode::kUnavailable);
}

TEST(PluginCallTest, NamesWhatWasThrown) {
  struct {
    void (*plugin)(TF_Status*);
    std::string_view words;
  } const kCases[] = {
      {[](TF_Status*) { throw std::runtime_error("out of luck"); },
       "std::runtime_error: out of luck"},
      {[](TF_Status*) { throw std::runtime_error(""); },
       "std::runtime_error: "},
      {[](TF_Status*) { throw std::out_of_range("100% {}"); },
       "std::out_of_range: 100% {}"},
      {[](TF_Status*) { throw std::bad_alloc(); }, "std::bad_alloc"},
      {[](TF_Status*) { throw OddException(); },
       "fsload::(anonymous namespace)::OddException: what() is null"},
      {[](TF_Status*) { throw 42; }, "int"},
      {[](TF_Status*) { throw "text"; }, "char const*"},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(Call(each.plugin),
              absl::InternalError("s3://b//k: the plugin threw " +
                                  std::string(each.words) + " (stat)"));
  }
}

TEST(PluginCallTest, TellsAMissingFunctionFromWhatAPluginThrows) {
  const absl::Status status =
      Call([](TF_Status*) { throw MissingFunction("tsl::mutex::lock()"); });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(status.message(),
            "s3://b//k: the plugin called 'tsl::mutex::lock()', which nothing "
            "in this process provides; the operation was aborted (stat)");
  EXPECT_TRUE(IsMissingFunction(status));
  EXPECT_FALSE(IsMissingFunction(Call([](TF_Status* to_set) {
    TF_SetStatus(to_set, TF_UNIMPLEMENTED, "not on this system");
  })));
}

TEST(PluginCallTest, BelievesAnExceptionMoreThanTheStatusBeforeIt) {
  const absl::Status status = Call([](TF_Status* to_set) {
    TF_SetStatus(to_set, TF_NOT_FOUND, "not here");
    TF_SetPayload(to_set, "key", "value");
    throw 42;
  });
  EXPECT_EQ(status,
            absl::InternalError("s3://b//k: the plugin threw int (stat)"));
}

TEST(PluginCallTest, LogsWhatACleanupThrows) {
  SchemeTables tables;
  tables.random_access_file.cleanup = [](TF_RandomAccessFile*) {
    throw std::runtime_error("stuck");
  };
  CapturedOutput captured(STDERR_FILENO);
  TF_RandomAccessFile file = {nullptr};
  CleanUp<Op::kRandomAccessFile_cleanup>(tables, "s3://b/100%s", &file);
  EXPECT_EQ(captured.Stop(),
            "fsload: error: s3://b/100%s: the plugin threw std::runtime_error: "
            "stuck (cleanup)\n");
}

TEST(PluginCallTest, LogsNothingForACleanupThatWorks) {
  SchemeTables tables;
  tables.random_access_file.cleanup = [](TF_RandomAccessFile* cleaned) {
    ++*static_cast<int*>(cleaned->plugin_file);
  };
  int calls = 0;
  CapturedOutput captured(STDERR_FILENO);
  TF_RandomAccessFile file = {&calls};
  CleanUp<Op::kRandomAccessFile_cleanup>(tables, "s3://b/k", &file);
  EXPECT_EQ(captured.Stop(), "");
  EXPECT_EQ(calls, 1);
}

// Another library's TF_Status, with its own layout.
struct ForeignStatus {
  char padding[40] = {};
  std::string words;
  TF_Code code = TF_OK;

  static inline std::atomic<int> made{0};
  static inline std::atomic<int> live{0};

  static TF_Status* New() {
    ++made;
    ++live;
    return reinterpret_cast<TF_Status*>(new ForeignStatus);
  }
  static void Delete(TF_Status* status) {
    --live;
    delete reinterpret_cast<ForeignStatus*>(status);
  }
  static void Set(TF_Status* status, TF_Code code, const char* words) {
    auto* const foreign = reinterpret_cast<ForeignStatus*>(status);
    foreign->code = code;
    foreign->words = words;
  }
  static TF_Code Code(const TF_Status* status) {
    return reinterpret_cast<const ForeignStatus*>(status)->code;
  }
  static const char* Words(const TF_Status* status) {
    return reinterpret_cast<const ForeignStatus*>(status)->words.c_str();
  }
};

class ForeignStatusTest : public testing::Test {
 protected:
  ForeignStatusTest() {
    plugin_.tables.status = {&ForeignStatus::New, &ForeignStatus::Delete,
                             &ForeignStatus::Set, &ForeignStatus::Code,
                             &ForeignStatus::Words};
    plugin_.get_code = &ForeignStatus::Code;
    ForeignStatus::made = 0;
  }
  ~ForeignStatusTest() override { EXPECT_EQ(ForeignStatus::live, 0); }

  ScriptedPlugin plugin_;
};

TEST_F(ForeignStatusTest, ServesACallThatSucceeds) {
  const auto file_system = plugin_.Create("s3");
  EXPECT_EQ(file_system->FileExists("/a"), absl::OkStatus());
  EXPECT_GT(ForeignStatus::made, 0);
  EXPECT_EQ(ForeignStatus::live, 0);
}

TEST_F(ForeignStatusTest, ServesACallThatFails) {
  plugin_.On(Op::kFilesystem_stat, [](TF_Status* status) {
    ForeignStatus::Set(status, TF_NOT_FOUND, "not in this library");
  });
  EXPECT_EQ(plugin_.Create("s3")->Stat("s3://b//k").status(),
            absl::NotFoundError("s3://b//k: not in this library (stat)"));
}

TEST_F(ForeignStatusTest, ServesACallThatThrows) {
  plugin_.On(Op::kFilesystem_stat,
             [](TF_Status*) { throw std::runtime_error("out of luck"); });
  EXPECT_EQ(plugin_.Create("s3")->Stat("s3://b//k").status(),
            absl::InternalError("s3://b//k: the plugin threw "
                                "std::runtime_error: out of luck (stat)"));
}

TEST_F(ForeignStatusTest, TellsAMissingFunction) {
  plugin_.On(Op::kFilesystem_stat,
             [](TF_Status*) { throw MissingFunction("tsl::mutex::lock()"); });
  EXPECT_TRUE(
      IsMissingFunction(plugin_.Create("s3")->Stat("s3://b//k").status()));
}

TEST_F(ForeignStatusTest, ServesFiles) {
  const auto file_system = plugin_.Create("s3");
  auto reader = *file_system->NewRandomAccessFile("/a");
  char byte;
  plugin_.read = [](uint64_t, size_t, char*, TF_Status* status) -> int64_t {
    ForeignStatus::Set(status, TF_OUT_OF_RANGE, "the end");
    return 0;
  };
  EXPECT_EQ(*reader->Read(7, 1, &byte), 0u);
  auto writer = *file_system->NewWritableFile("/b");
  plugin_.On(Op::kWritableFile_append, [](TF_Status* status) {
    ForeignStatus::Set(status, TF_RESOURCE_EXHAUSTED, "full");
  });
  EXPECT_EQ(writer->Append("x"),
            absl::ResourceExhaustedError("/b: full (append)"));
  EXPECT_EQ(writer->Close(), absl::OkStatus());
}

TEST_F(ForeignStatusTest, ServesAnInitThatFails) {
  plugin_.On(Op::kFilesystem_init, [](TF_Status* status) {
    ForeignStatus::Set(status, TF_UNAVAILABLE, "offline");
  });
  EXPECT_EQ(plugin_.TryCreate().status(),
            absl::UnavailableError("scripted://: offline (init)"));
}

// A thread that is cancelled inside an operation.
class CancellationTest : public ForeignStatusTest {
 protected:
  void SetUp() override {
#ifdef ABSL_HAVE_ADDRESS_SANITIZER
    GTEST_SKIP() << "AddressSanitizer loses its way in a cancelled thread";
#endif
  }

  // Runs `call` in a thread, and cancels the thread once an operation waits in
  // it.
  void CancelDuring(const std::function<void()>& call) {
    call_ = &call;
    pthread_t thread;
    ASSERT_EQ(pthread_create(
                  &thread, nullptr,
                  [](void* self) -> void* {
                    static_cast<CancellationTest*>(self)->Run();
                    return nullptr;
                  },
                  this),
              0);
    while (!waiting_) std::this_thread::yield();
    ASSERT_EQ(pthread_cancel(thread), 0);
    void* result = nullptr;
    ASSERT_EQ(pthread_join(thread, &result), 0);
    EXPECT_EQ(result, PTHREAD_CANCELED);
  }

  // The operation's body.
  void WaitForever() {
    waiting_ = true;
    while (true) pause();
  }

  bool unwound_ = false;
  bool returned_ = false;

 private:
  void Run() {
    struct AtEnd {
      bool& flag;
      ~AtEnd() { flag = true; }
    } const at_end{unwound_};
    (*call_)();
    returned_ = true;
  }

  const std::function<void()>* call_ = nullptr;
  std::atomic<bool> waiting_{false};
};

TEST_F(CancellationTest, UnwindsThroughTheFacade) {
  plugin_.On(Op::kFilesystem_path_exists,
             [this](TF_Status*) { WaitForever(); });
  const auto file_system = plugin_.Create("s3");
  CancelDuring([&] { file_system->FileExists("/a").IgnoreError(); });
  EXPECT_TRUE(unwound_);
  EXPECT_FALSE(returned_);
  EXPECT_EQ(PluginMemory::live(), 0);
}

TEST_F(CancellationTest, UnwindsThroughTranslation) {
  plugin_.translate_name = [this](const char*) -> char* {
    WaitForever();
    return nullptr;
  };
  const auto file_system = plugin_.Create("s3");
  CancelDuring([&] { file_system->FileExists("/a").IgnoreError(); });
  EXPECT_TRUE(unwound_);
}

TEST_F(CancellationTest, CleansAnOpenFileUp) {
  plugin_.On(Op::kRandomAccessFile_read, [this](TF_Status*) { WaitForever(); });
  auto file_system = plugin_.Create("s3");
  CancelDuring([&] {
    const auto file = *file_system->NewRandomAccessFile("/a");
    file_system.reset();
    char byte;
    file->Read(0, 1, &byte).IgnoreError();
  });
  EXPECT_TRUE(unwound_);
  EXPECT_EQ(plugin_.Count(Op::kRandomAccessFile_cleanup), 1);
  EXPECT_EQ(plugin_.Count(Op::kFilesystem_cleanup), 1);
}

// Records how each call of path_exists ended.
class Endings final : public OpObserver {
 public:
  void OnCall(const OpCall& call) override {
    if (call.op == Op::kFilesystem_path_exists) codes.push_back(call.code);
  }

  std::vector<TF_Code> codes;
};

TEST_F(CancellationTest, ShowsTheCallsEndToAnObserver) {
  Endings endings;
  plugin_.tables.observer = &endings;
  plugin_.On(Op::kFilesystem_path_exists,
             [this](TF_Status*) { WaitForever(); });
  const auto file_system = plugin_.Create("s3");
  CancelDuring([&] { file_system->FileExists("/a").IgnoreError(); });
  EXPECT_TRUE(unwound_);
  EXPECT_EQ(endings.codes, std::vector<TF_Code>{TF_INTERNAL});
}

}  // namespace
}  // namespace fsload
