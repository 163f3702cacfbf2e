// What every wrapper does, shown by one that only counts.
#include "core/wrappers/layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/config.h"
#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "core/calls/missing_function.h"
#include "core/testing/allocation_count.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"
#include "fsload/metered.h"
#include "fsload/op_observer.h"
#include "fsload/subtree.h"
#include "fsload/tf_status.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

FileSystemPtr Wrap(FileSystemPtr inner) {
  auto wrapped = Metered(std::move(inner), std::make_shared<OpMeter>());
  EXPECT_TRUE(wrapped.ok()) << wrapped.status();
  return *std::move(wrapped);
}

// Calls of each operation that ScriptedPlugin has and that can fail.
struct Call {
  Op op;
  std::function<absl::Status(const FileSystem&)> run;
};

const std::vector<Call>& Calls() {
  static const auto& calls = *new std::vector<Call>{
      {Op::kFilesystem_new_random_access_file,
       [](const FileSystem& fs) {
         return fs.NewRandomAccessFile("s3://b/k").status();
       }},
      {Op::kFilesystem_new_writable_file,
       [](const FileSystem& fs) {
         return fs.NewWritableFile("s3://b/k").status();
       }},
      {Op::kFilesystem_new_appendable_file,
       [](const FileSystem& fs) {
         return fs.NewAppendableFile("s3://b/k").status();
       }},
      {Op::kFilesystem_create_dir,
       [](const FileSystem& fs) { return fs.CreateDir("s3://b/k"); }},
      {Op::kFilesystem_delete_file,
       [](const FileSystem& fs) { return fs.DeleteFile("s3://b/k"); }},
      {Op::kFilesystem_delete_dir,
       [](const FileSystem& fs) { return fs.DeleteDir("s3://b/k"); }},
      {Op::kFilesystem_path_exists,
       [](const FileSystem& fs) { return fs.FileExists("s3://b/k"); }},
      {Op::kFilesystem_stat,
       [](const FileSystem& fs) { return fs.Stat("s3://b/k").status(); }},
      {Op::kFilesystem_get_children,
       [](const FileSystem& fs) {
         return fs.GetChildren("s3://b/k").status();
       }},
      {Op::kRandomAccessFile_read,
       [](const FileSystem& fs) {
         char buffer[4];
         return (*fs.NewRandomAccessFile("s3://b/k"))
             ->Read(0, 4, buffer)
             .status();
       }},
      {Op::kWritableFile_append,
       [](const FileSystem& fs) {
         return (*fs.NewWritableFile("s3://b/k"))->Append("data");
       }},
      {Op::kWritableFile_tell,
       [](const FileSystem& fs) {
         return (*fs.NewWritableFile("s3://b/k"))->Tell().status();
       }},
      {Op::kWritableFile_flush,
       [](const FileSystem& fs) {
         return (*fs.NewWritableFile("s3://b/k"))->Flush();
       }},
      {Op::kWritableFile_sync,
       [](const FileSystem& fs) {
         return (*fs.NewWritableFile("s3://b/k"))->Sync();
       }},
      {Op::kWritableFile_close,
       [](const FileSystem& fs) {
         return (*fs.NewWritableFile("s3://b/k"))->Close();
       }},
  };
  return calls;
}

TEST(LayerTest, PassesErrorsOnAsTheyAre) {
  for (const Call& call : Calls()) {
    ScriptedPlugin plugin;
    const FileSystemPtr bare = plugin.Create("s3");
    const FileSystemPtr wrapped = Wrap(bare);
    plugin.On(call.op, [](TF_Status* status) {
      TF_SetStatus(status, TF_ABORTED, "no such luck");
      TF_SetPayload(status, "x.request", "17");
    });
    const absl::Status expected = call.run(*bare);
    ASSERT_EQ(expected.GetPayload("x.request"), absl::Cord("17"));
    EXPECT_EQ(call.run(*wrapped), expected);
  }
}

TEST(LayerTest, PassesExceptionsOnAsTheyAre) {
  for (const Call& call : Calls()) {
    ScriptedPlugin plugin;
    const FileSystemPtr bare = plugin.Create("s3");
    const FileSystemPtr wrapped = Wrap(bare);
    plugin.On(call.op,
              [](TF_Status*) { throw std::runtime_error("out of luck"); });
    const absl::Status expected = call.run(*bare);
    ASSERT_THAT(std::string(expected.message()),
                HasSubstr("the plugin threw std::runtime_error: out of luck"));
    EXPECT_EQ(call.run(*wrapped), expected);
  }
}

TEST(LayerTest, PassesAMissingFunctionOnAsSuch) {
  ScriptedPlugin plugin;
  const FileSystemPtr wrapped = Wrap(plugin.Create("s3"));
  plugin.On(Op::kFilesystem_stat,
            [](TF_Status*) { throw MissingFunction("tsl::mutex::lock()"); });
  EXPECT_TRUE(IsMissingFunction(wrapped->Stat("s3://b/k").status()));
}

TEST(LayerTest, PassesExceptionsOfOperationsWithoutAStatusOn) {
  ScriptedPlugin plugin;
  plugin.tables.filesystem.flush_caches = [](const TF_Filesystem*) {
    throw std::runtime_error("out of luck");
  };
  const FileSystemPtr bare = plugin.Create("s3");
  const FileSystemPtr wrapped = Wrap(bare);
  EXPECT_EQ(wrapped->FlushCaches(), bare->FlushCaches());
  EXPECT_EQ(wrapped->FlushCaches().code(), absl::StatusCode::kInternal);
  plugin.translate_name = [](const char*) -> char* {
    throw std::runtime_error("no name");
  };
  const auto name = wrapped->TranslateName("s3://b/k");
  EXPECT_EQ(name.status(), bare->TranslateName("s3://b/k").status());
  EXPECT_EQ(name.status().code(), absl::StatusCode::kInternal);
}

TEST(LayerTest, LacksTheOperationsThatTheInnerPluginLacks) {
  for (const Operation& each : kOperations) {
    if (each.absence == Absence::kRefused) continue;
    ScriptedPlugin plugin;
    plugin.Remove(each.op);
    const FileSystemPtr wrapped = Wrap(plugin.Create());
    for (const Operation& other : kOperations) {
      EXPECT_EQ(FunctionIn(TablesOf(*wrapped), other.op) != nullptr,
                FunctionIn(plugin.tables, other.op) != nullptr)
          << other.name << " without " << each.name;
    }
  }
}

TEST(LayerTest, RunsDefaultsAboveTheLayer) {
  MemoryTree tree;
  tree.AddFile("/d/a", "contents");
  const auto meter = std::make_shared<OpMeter>();
  const FileSystemPtr wrapped = *Metered(tree.Open(), meter);
  EXPECT_EQ(wrapped->RenameFile("/d/a", "/d/b"), absl::OkStatus());
  EXPECT_EQ(*tree.Contents("/d/b"), "contents");
  EXPECT_EQ(meter->Totals(Op::kFilesystem_rename_file).calls, 0);
  for (const Op op : {Op::kFilesystem_new_writable_file,
                      Op::kFilesystem_delete_file, Op::kFilesystem_stat}) {
    EXPECT_EQ(meter->Totals(op).calls, tree.calls(op)) << Name(op);
    EXPECT_GT(tree.calls(op), 0) << Name(op);
  }
}

TEST(LayerTest, LivesAsLongAsItsLastFile) {
  ScriptedPlugin plugin;
  FileSystemPtr wrapped = Wrap(Wrap(plugin.Create("s3")));
  auto reader = *wrapped->NewRandomAccessFile("s3://b/k");
  auto writer = *wrapped->NewWritableFile("s3://b/k");
  wrapped.reset();
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 0);
  reader.reset();
  EXPECT_EQ(plugin.Count(Op::kRandomAccessFile_cleanup), 1);
  EXPECT_EQ(writer->Append("data"), absl::OkStatus());
  writer.reset();
  EXPECT_EQ(plugin.Count(Op::kWritableFile_close), 1);
  EXPECT_EQ(plugin.Count(Op::kWritableFile_cleanup), 1);
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 1);
}

TEST(LayerTest, KeepsTraitsSchemeAndNamesItsPlugin) {
  ScriptedPlugin plugin;
  plugin.tables.traits.replaces_atomically = true;
  const FileSystemPtr wrapped = Wrap(plugin.Create("s3", "s3.so"));
  EXPECT_TRUE(TablesOf(*wrapped).traits.replaces_atomically);
  EXPECT_EQ(wrapped->scheme(), "s3");
  EXPECT_EQ(wrapped->plugin(), "metered over s3.so");
}

// Those that can only be read, as sealed tables are.
int CountMappings() {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) {
    count += line.find(" r--") != std::string::npos;
  }
  return count;
}

TEST(LayerTest, LeavesNoMappingForEachThatIsDropped) {
  ScriptedPlugin plugin;
  const FileSystemPtr inner = plugin.Create("s3", "s3.so");
  Wrap(inner);
  const int before = CountMappings();
  for (int i = 0; i < 100; ++i) {
    Wrap(*Subtree(inner, "s3://b/d", Format("tenant{}", i)));
  }
  EXPECT_LT(CountMappings(), before + 10);
}

#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // whose own locks stay held in a child
TEST(LayerTest, IsMadeInAChildForkedWhileOthersAreMade) {
  ScriptedPlugin plugin;
  const FileSystemPtr inner = plugin.Create("s3", "s3.so");
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      while (!stop) Wrap(inner);
    });
  }
  int status = 0;
  for (int i = 0; i < 100 && status == 0; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);  // in case it waits for a thread that is not there
      Wrap(inner);
      _exit(0);
    }
    ASSERT_EQ(waitpid(child, &status, 0), child);
  }
  stop = true;
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(status, 0);
}
#endif

class Recorder final : public OpObserver {
 public:
  void OnCall(const OpCall& call) override {
    calls.push_back(std::string(Name(call.op)) + " " + std::string(call.uri));
  }
  std::vector<std::string> calls;
};

TEST(LayerTest, ShowsCallsToTheObserverOfTheInnerPlugin) {
  ScriptedPlugin plugin;
  Recorder recorder;
  plugin.tables.observer = &recorder;
  std::strcpy(plugin.tables.scheme, "s3");
  const FileSystemPtr wrapped = Wrap(plugin.Create("s3"));
  recorder.calls.clear();
  char buffer[4];
  EXPECT_EQ((*wrapped->NewRandomAccessFile("s3://b/k"))->Read(0, 4, buffer),
            absl::StatusOr<size_t>(4));
  EXPECT_THAT(recorder.calls,
              ::testing::ElementsAre("translate_name s3://b/k",
                                     "new_random_access_file s3://b/k",
                                     "read s3://b/k", "cleanup s3://b/k"));
}

TEST(LayerTest, ShowsNoObserverItsOwnInitAndCleanup) {
  ScriptedPlugin plugin;
  Recorder recorder;
  plugin.tables.observer = &recorder;
  FileSystemPtr inner = plugin.Create("s3");
  recorder.calls.clear();
  Wrap(inner).reset();
  EXPECT_THAT(recorder.calls, ::testing::IsEmpty());
  inner.reset();
  EXPECT_THAT(recorder.calls, ::testing::ElementsAre("cleanup s3://"));
}

TEST(LayerTest, ShowsALongPathAsItIs) {
  ScriptedPlugin plugin;
  Recorder recorder;
  plugin.tables.observer = &recorder;
  const FileSystemPtr wrapped = Wrap(plugin.Create("s3"));
  recorder.calls.clear();
  const std::string uri = "s3://bucket/" + std::string(100, 'x');
  EXPECT_EQ(wrapped->DeleteFile(uri), absl::OkStatus());
  EXPECT_THAT(recorder.calls, ::testing::Contains("delete_file " + uri));
}

TEST(LayerTest, ShowsTheSchemeForACallWithoutAPath) {
  ScriptedPlugin plugin;
  Recorder recorder;
  plugin.tables.observer = &recorder;
  plugin.tables.filesystem.flush_caches = [](const TF_Filesystem*) {};
  const FileSystemPtr wrapped = Wrap(plugin.Create("s3"));
  recorder.calls.clear();
  EXPECT_EQ(wrapped->FlushCaches(), absl::OkStatus());
  EXPECT_THAT(recorder.calls, ::testing::ElementsAre("flush_caches s3://"));
}

// A status that is not fsload's.
struct ForeignStatus {
  TF_Code code = TF_OK;
  std::string message;
};

ForeignStatus& Foreign(TF_Status* status) {
  return *reinterpret_cast<ForeignStatus*>(status);
}

const StatusProvider kForeign = {
    [] { return reinterpret_cast<TF_Status*>(new ForeignStatus); },
    [](TF_Status* status) { delete &Foreign(status); },
    [](TF_Status* status, TF_Code code, const char* message) {
      Foreign(status) = {code, message};
    },
    [](const TF_Status* status) {
      return Foreign(const_cast<TF_Status*>(status)).code;
    },
    [](const TF_Status* status) {
      return Foreign(const_cast<TF_Status*>(status)).message.c_str();
    },
};

TEST(LayerTest, TakesErrorsFromAnotherProviderOfStatuses) {
  ScriptedPlugin plugin;
  plugin.tables.status = kForeign;
  plugin.get_code = kForeign.get_code;
  const FileSystemPtr wrapped = Wrap(plugin.Create("s3"));
  plugin.On(Op::kFilesystem_stat, [](TF_Status* status) {
    kForeign.set_status(status, TF_UNAVAILABLE, "no server");
  });
  EXPECT_EQ(wrapped->Stat("s3://b/k").status(),
            absl::UnavailableError("s3://b/k: no server (stat)"));
  plugin.On(Op::kFilesystem_stat,
            [](TF_Status*) { throw MissingFunction("f()"); });
  EXPECT_TRUE(IsMissingFunction(wrapped->Stat("s3://b/k").status()));
  EXPECT_EQ(wrapped->FileExists("s3://b/k"), absl::OkStatus());
}

TEST(LayerTest, ReadsAndAppendsWithoutAllocating) {
  ScriptedPlugin plugin;
  plugin.recording = false;
  const FileSystemPtr wrapped = Wrap(plugin.Create("s3"));
  const auto reader = *wrapped->NewRandomAccessFile("s3://b/k");
  const auto writer = *wrapped->NewWritableFile("s3://b/k");
  char buffer[64];
  const size_t before = AllocationsOfThisThread();
  EXPECT_TRUE(reader->Read(0, sizeof(buffer), buffer).ok());
  EXPECT_TRUE(writer->Append({buffer, sizeof(buffer)}).ok());
  EXPECT_EQ(AllocationsOfThisThread(), before);
}

TEST(LayerTest, CopiesNoPath) {
  ScriptedPlugin plugin;
  plugin.recording = false;
  const FileSystemPtr bare = plugin.Create("s3");
  const auto allocations = [](const FileSystem& file_system) {
    const std::string uri = "s3://bucket/" + std::string(100, 'x');
    const size_t before = AllocationsOfThisThread();
    EXPECT_TRUE(file_system.FileExists(uri).ok());
    return AllocationsOfThisThread() - before;
  };
  EXPECT_EQ(allocations(*Wrap(bare)), allocations(*bare));
}

TEST(LayerTest, MapsRegions) {
  ScriptedPlugin plugin;
  plugin.data = "contents";
  plugin.length = 8;
  plugin.tables.filesystem.new_read_only_memory_region_from_file =
      [](const TF_Filesystem* filesystem, const char*,
         TF_ReadOnlyMemoryRegion* region, TF_Status*) {
        region->plugin_memory_region = filesystem->plugin_filesystem;
      };
  const FileSystemPtr wrapped = Wrap(plugin.Create("s3"));
  const auto region = wrapped->NewReadOnlyMemoryRegionFromFile("s3://b/k");
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ(std::string(static_cast<const char*>((*region)->data()),
                        (*region)->length()),
            "contents");
}

}  // namespace
}  // namespace fsload
