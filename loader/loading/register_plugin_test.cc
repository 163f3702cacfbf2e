// RegisterPlugin with plugins that are linked into this program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "fsload/by_uri.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op_observer.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/finding_texts.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// How many blocks of memory the host has.
int g_blocks = 0;

void* Allocate(size_t bytes) {
  ++g_blocks;
  return std::calloc(1, bytes);
}

void Free(void* memory) {
  g_blocks -= memory != nullptr;
  std::free(memory);
}

std::vector<std::string> g_calls;

void Init(TF_Filesystem*, TF_Status* status) {
  g_calls.push_back("init");
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem*) { g_calls.push_back("cleanup"); }

void ThrowNumber(TF_Filesystem*, TF_Status*) { throw 42; }

char* AllocateString(const char* text) {
  return std::strcpy(static_cast<char*>(Allocate(std::strlen(text) + 1)), text);
}

void FillScheme(TF_FilesystemPluginOps& ops, const char* scheme) {
  TF_SetFilesystemVersionMetadata(&ops);
  ops.scheme = AllocateString(scheme);
  ops.filesystem_ops =
      static_cast<TF_FilesystemOps*>(Allocate(sizeof(TF_FilesystemOps)));
  ops.filesystem_ops->init = Init;
  ops.filesystem_ops->cleanup = Cleanup;
}

// A plugin with two schemes.
void InitPlugin(TF_FilesystemPluginInfo* info) {
  info->plugin_memory_allocate = Allocate;
  info->plugin_memory_free = Free;
  info->num_schemes = 2;
  info->ops = static_cast<TF_FilesystemPluginOps*>(
      Allocate(2 * sizeof(TF_FilesystemPluginOps)));
  FillScheme(info->ops[0], "linked1");
  FillScheme(info->ops[1], "linked2");
}

void InitPluginWithABadTable(TF_FilesystemPluginInfo* info) {
  InitPlugin(info);
  info->ops[0].filesystem_ops_size = 7;
}

void InitPluginWithAnotherApi(TF_FilesystemPluginInfo* info) {
  InitPlugin(info);
  info->ops[0].filesystem_ops_api = 99;
}

// Every path exists, and every append succeeds unless it is empty.
void InitPluginWithPaths(TF_FilesystemPluginInfo* info) {
  InitPlugin(info);
  for (int i = 0; i < 2; ++i) {
    TF_FilesystemPluginOps& ops = info->ops[i];
    ops.filesystem_ops->path_exists = [](const TF_Filesystem*, const char*,
                                         TF_Status*) {};
    ops.filesystem_ops->new_writable_file =
        [](const TF_Filesystem*, const char*, TF_WritableFile*, TF_Status*) {};
    ops.writable_file_ops =
        static_cast<TF_WritableFileOps*>(Allocate(sizeof(TF_WritableFileOps)));
    ops.writable_file_ops->cleanup = [](TF_WritableFile*) {};
    ops.writable_file_ops->append = [](const TF_WritableFile*, const char*,
                                       size_t n, TF_Status*) {
      if (n == 0) throw std::out_of_range("nothing");
    };
  }
}

void InitPluginThatFails(TF_FilesystemPluginInfo* info) {
  InitPlugin(info);
  info->ops[1].filesystem_ops->init = ThrowNumber;
}

void InitPluginThatThrows(TF_FilesystemPluginInfo*) {
  throw std::out_of_range("no such plugin");
}

// Nothing is handed over because nobody could tell what to free.
void InitPluginWithManySchemes(TF_FilesystemPluginInfo* info) {
  info->plugin_memory_allocate = Allocate;
  info->plugin_memory_free = Free;
  info->num_schemes = 257;
}

void InitPluginWithMostSchemes(TF_FilesystemPluginInfo* info) {
  InitPluginWithManySchemes(info);
  info->num_schemes = SIZE_MAX;
}

void InitPluginWithAnEndlessScheme(TF_FilesystemPluginInfo* info) {
  InitPlugin(info);
  Free(info->ops[0].scheme);
  info->ops[0].scheme = static_cast<char*>(Allocate(100));
  std::memset(info->ops[0].scheme, 's', 100);
}

void InitPluginOf2_3(TF_FilesystemPluginInfo* info) {
  InitPlugin(info);
  for (int i = 0; i < 2; ++i) {
    // What follows the declared size does not belong to the table.
    std::memset(reinterpret_cast<char*>(info->ops[i].filesystem_ops) + 176, 1,
                sizeof(TF_FilesystemOps) - 176);
    info->ops[i].filesystem_ops_size = 176;
  }
}

class RegisteredPlugin : public testing::Test {
 protected:
  RegisteredPlugin() {
    g_calls.clear();
    g_blocks = 0;
    options_.registry = &registry_;
  }
  ~RegisteredPlugin() override { RetireAll(); }

  void RetireAll() { EXPECT_EQ(registry_.RetireAll(), absl::OkStatus()); }

  SchemeRegistry registry_;
  LoadOptions options_;
};

TEST_F(RegisteredPlugin, IsLoadedWithoutAFile) {
  const LoadReport report = RegisterPlugin("ours", InitPlugin, options_);
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(Texts(report.findings), IsEmpty());
  EXPECT_EQ(report.plugin, "ours");
  EXPECT_EQ(report.status_provider, "fsload");
  EXPECT_THAT(registry_.Schemes(), ElementsAre("linked1", "linked2"));
  EXPECT_EQ((*registry_.Find("linked2"))->plugin(), "ours");
  EXPECT_THAT(g_calls, ElementsAre("init", "init"));
  RetireAll();
  EXPECT_THAT(g_calls, ElementsAre("init", "init", "cleanup", "cleanup"));
}

TEST_F(RegisteredPlugin, GetsBackTheMemoryThatItHandedOver) {
  ASSERT_EQ(RegisterPlugin("ours", InitPlugin, options_).status,
            absl::OkStatus());
  EXPECT_EQ(g_blocks, 0);
}

TEST_F(RegisteredPlugin, GetsBackItsMemoryWhenItIsRefused) {
  ASSERT_FALSE(
      RegisterPlugin("ours", InitPluginWithABadTable, options_).status.ok());
  EXPECT_EQ(g_blocks, 0);
}

TEST_F(RegisteredPlugin, IsRegisteredAnewAfterARetirement) {
  ASSERT_EQ(RegisterPlugin("ours", InitPlugin, options_).status,
            absl::OkStatus());
  RetireAll();
  EXPECT_EQ(RegisterPlugin("ours", InitPlugin, options_).status,
            absl::OkStatus());
}

TEST_F(RegisteredPlugin, IsRefusedASecondTime) {
  ASSERT_EQ(RegisterPlugin("one", InitPlugin, options_).status,
            absl::OkStatus());
  EXPECT_EQ(RegisterPlugin("two", InitPlugin, options_).status,
            absl::AlreadyExistsError(
                "two: FSP108: scheme 'linked1': scheme 'linked1' is "
                "already served by 'one', so 'two' cannot register it; retire "
                "the scheme first, or load only one of the two"));
  EXPECT_EQ((*registry_.Find("linked1"))->plugin(), "one");
}

struct Refused {
  const char* name;
  InitFunction init;
  const char* finding;
};

class RefusedRegistration : public RegisteredPlugin,
                            public testing::WithParamInterface<Refused> {};

TEST_P(RefusedRegistration, SaysWhyAndRegistersNothing) {
  const LoadReport report = RegisterPlugin("ours", GetParam().init, options_);
  EXPECT_THAT(Texts(report.findings), ElementsAre(GetParam().finding));
  EXPECT_EQ(report.status, absl::FailedPreconditionError(std::string("ours: ") +
                                                         GetParam().finding));
  EXPECT_THAT(registry_.Schemes(), IsEmpty());
}

constexpr Refused kRefused[] = {
    {"BadTable", InitPluginWithABadTable,
     "FSP112: scheme 'linked1': TF_FilesystemOps: wanted a multiple of "
     "8 bytes, found 7; its layout is unknown"},
    {"InitThrows", InitPluginThatFails,
     "FSP201: scheme 'linked2': init failed: the plugin threw int; "
     "the scheme is not registered"},
    {"EntryThrows", InitPluginThatThrows,
     "FSP101: TF_InitPlugin failed: the plugin threw "
     "std::out_of_range: no such plugin; the plugin's schemes are unknown"},
    {"ManySchemes", InitPluginWithManySchemes,
     "FSP103: wanted at most 256 schemes, found 257; num_schemes is "
     "probably uninitialised"},
    {"MostSchemes", InitPluginWithMostSchemes,
     "FSP103: wanted at most 256 schemes, found 18446744073709551615; "
     "num_schemes is probably uninitialised"},
    {"EndlessScheme", InitPluginWithAnEndlessScheme,
     "FSP105: scheme 0: its name is longer than 63 bytes or not "
     "terminated; it cannot be registered"},
};

INSTANTIATE_TEST_SUITE_P(RegisteredPlugin, RefusedRegistration,
                         testing::ValuesIn(kRefused),
                         [](const testing::TestParamInfo<Refused>& info) {
                           return info.param.name;
                         });

TEST_F(RegisteredPlugin, KeepsItsGoodSchemeWhenAskedTo) {
  options_.partial = true;
  const LoadReport report =
      RegisterPlugin("ours", InitPluginWithABadTable, options_);
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("linked2"));
  ASSERT_EQ(report.schemes.size(), 2);
  EXPECT_FALSE(report.schemes[0].registered);
  EXPECT_TRUE(report.schemes[1].registered);
}

TEST_F(RegisteredPlugin, HasNoOperationsBehindItsDeclaredSize) {
  ASSERT_EQ(RegisterPlugin("old", InitPluginOf2_3, options_).status,
            absl::OkStatus());
  const auto file_system = *registry_.Find("linked1");
  const TF_FilesystemOps& ops = TablesOf(*file_system).filesystem;
  EXPECT_EQ(ops.init, &Init);
  EXPECT_EQ(ops.start_transaction, nullptr);
  EXPECT_EQ(ops.get_filesystem_configuration_keys, nullptr);
}

// Records what it sees, in words.
class Recorder final : public OpObserver {
 public:
  void OnStart(const OpStart& start) override {
    started.push_back(std::string(start.scheme) + " " +
                      std::string(Describe(start.op).name) + " " +
                      std::string(start.uri));
    if (throws) throw 1;
  }

  void OnCall(const OpCall& call) override {
    EXPECT_GE(call.duration.count(), 0);
    seen.push_back(std::string(call.scheme) + " " +
                   std::string(Describe(call.op).name) + " " +
                   std::string(call.uri) + " " + std::to_string(call.bytes) +
                   " " + std::to_string(call.code));
    if (throws) throw 1;
  }

  std::vector<std::string> started;
  std::vector<std::string> seen;
  bool throws = false;
};

TEST_F(RegisteredPlugin, ShowsItsCallsToAnObserver) {
  Recorder recorder;
  options_.observer = &recorder;
  ASSERT_EQ(RegisterPlugin("ours", InitPluginWithPaths, options_).status,
            absl::OkStatus());
  EXPECT_EQ(FileExists("linked1://h/a//b", registry_), absl::OkStatus());
  recorder.throws = true;
  EXPECT_EQ(FileExists("linked2:///c", registry_), absl::OkStatus());
  RetireAll();
  EXPECT_THAT(recorder.seen,
              ElementsAre("linked1 init linked1:// -1 0",
                          "linked2 init linked2:// -1 0",
                          "linked1 path_exists linked1://h/a//b -1 0",
                          "linked2 path_exists linked2:///c -1 0",
                          "linked1 cleanup linked1:// -1 0",
                          "linked2 cleanup linked2:// -1 0"));
}

TEST_F(RegisteredPlugin, ShowsACallToAnObserverBeforeItIsMade) {
  Recorder first;
  Recorder second;
  OpObserverList both({&first, &second});
  options_.observer = &both;
  ASSERT_EQ(RegisterPlugin("ours", InitPluginWithPaths, options_).status,
            absl::OkStatus());
  first.started.clear();
  EXPECT_EQ(FileExists("linked1://h/a//b", registry_), absl::OkStatus());
  EXPECT_THAT(first.started,
              ElementsAre("linked1 path_exists linked1://h/a//b"));
  first.throws = true;
  EXPECT_EQ(FileExists("linked2:///c", registry_), absl::OkStatus());
  EXPECT_EQ(second.seen.back(), "linked1 path_exists linked1://h/a//b -1 0");
  RetireAll();
}

TEST_F(RegisteredPlugin, ShowsBytesAndErrorsToAnObserver) {
  Recorder recorder;
  options_.observer = &recorder;
  ASSERT_EQ(RegisterPlugin("ours", InitPluginWithPaths, options_).status,
            absl::OkStatus());
  {
    const auto file = NewWritableFile("linked1:///f", registry_);
    ASSERT_EQ(file.status(), absl::OkStatus());
    recorder.seen.clear();
    EXPECT_EQ((*file)->Append("12345"), absl::OkStatus());
    EXPECT_EQ((*file)->Append("").code(), absl::StatusCode::kInternal);
    EXPECT_THAT(recorder.seen,
                ElementsAre("linked1 append linked1:///f 5 0",
                            "linked1 append linked1:///f -1 13"));
  }
  RetireAll();
}

TEST_F(RegisteredPlugin, IsRefusedForAWarningWhereTheHostWantsThat) {
  options_.warnings_as_errors = true;
  const LoadReport report =
      RegisterPlugin("ours", InitPluginWithAnotherApi, options_);
  EXPECT_EQ(
      report.status,
      absl::FailedPreconditionError(
          "ours: FSP116: scheme 'linked1': TF_FilesystemOps: "
          "wanted API 0, found 99; some operations may behave differently"));
  EXPECT_THAT(registry_.Schemes(), IsEmpty());

  options_.partial = true;
  EXPECT_EQ(RegisterPlugin("ours", InitPluginWithAnotherApi, options_).status,
            absl::OkStatus());
  EXPECT_THAT(registry_.Schemes(), ElementsAre("linked2"));
}

}  // namespace
}  // namespace fsload
