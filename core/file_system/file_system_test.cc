#include "fsload/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/time/time.h"
#include "compat/captured_output.h"
#include "core/file_system/plugin_file_system.h"
#include "core/testing/allocation_count.h"
#include "core/testing/scripted_plugin.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// As a caller may write it, not yet canonical.
constexpr std::string_view kUri = "scripted://host//a/./b";

// A method that takes a URI, and the operation that it calls.
struct Method {
  std::string_view name;
  Op op;
  absl::Status (*call)(const FileSystem&, std::string_view uri);
};

// The status of a method; its value is dropped.
template <auto method>
absl::Status StatusOf(const FileSystem& file_system, std::string_view uri) {
  return (file_system.*method)(uri).status();
}

template <auto method>
absl::Status Plain(const FileSystem& file_system, std::string_view uri) {
  return (file_system.*method)(uri);
}

constexpr Method kMethods[] = {
    {"NewRandomAccessFile", Op::kFilesystem_new_random_access_file,
     &StatusOf<&FileSystem::NewRandomAccessFile>},
    {"NewWritableFile", Op::kFilesystem_new_writable_file,
     &StatusOf<&FileSystem::NewWritableFile>},
    {"NewAppendableFile", Op::kFilesystem_new_appendable_file,
     &StatusOf<&FileSystem::NewAppendableFile>},
    {"NewReadOnlyMemoryRegionFromFile",
     Op::kFilesystem_new_read_only_memory_region_from_file,
     &StatusOf<&FileSystem::NewReadOnlyMemoryRegionFromFile>},
    {"FileExists", Op::kFilesystem_path_exists,
     &Plain<&FileSystem::FileExists>},
    {"Stat", Op::kFilesystem_stat, &StatusOf<&FileSystem::Stat>},
    {"GetChildren", Op::kFilesystem_get_children,
     &StatusOf<&FileSystem::GetChildren>},
    {"CreateDir", Op::kFilesystem_create_dir, &Plain<&FileSystem::CreateDir>},
    {"DeleteFile", Op::kFilesystem_delete_file,
     &Plain<&FileSystem::DeleteFile>},
    {"DeleteDir", Op::kFilesystem_delete_dir, &Plain<&FileSystem::DeleteDir>},
};

class FileSystemMethodTest : public testing::TestWithParam<Method> {
 protected:
  absl::Status Call(std::string_view uri = kUri) {
    if (file_system_ == nullptr) file_system_ = plugin_.Create();
    return method_.call(*file_system_, uri);
  }

  std::string Message(std::string_view problem, std::string_view uri = kUri) {
    return Format("{}: {} ({})", uri, problem, Describe(method_.op).name);
  }

  const Method& method_ = GetParam();
  ScriptedPlugin plugin_;
  FileSystemPtr file_system_;
};

TEST_P(FileSystemMethodTest, CallsItsOperationOnceWithTheTranslatedPath) {
  plugin_.translate_name = [](const char* uri) {
    return PluginMemory::Duplicate(std::string("canonical ") + uri);
  };
  EXPECT_EQ(Call(), absl::OkStatus());
  const std::vector<ScriptedPlugin::Call> calls = plugin_.TakeCalls();
  ASSERT_GE(calls.size(), 2u);
  EXPECT_EQ(calls[0].op, Op::kFilesystem_translate_name);
  EXPECT_EQ(calls[0].path, kUri);
  EXPECT_EQ(calls[1].op, method_.op);
  EXPECT_EQ(calls[1].path, Format("canonical {}", kUri));
  EXPECT_EQ(plugin_.Count(Op::kFilesystem_translate_name), 1);
  EXPECT_EQ(plugin_.Count(method_.op), 1);
  EXPECT_EQ(PluginMemory::live(), 0);
}

TEST_P(FileSystemMethodTest, KeepsThePluginsCodeMessageAndPayloads) {
  plugin_.On(method_.op, [](TF_Status* status) {
    TF_SetStatus(status, TF_DATA_LOSS, "the disk is on fire");
    TF_SetPayload(status, "fire", "big");
    TF_SetPayload(status, "disk", "/dev/sda");
  });
  const absl::Status status = Call();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), Message("the disk is on fire"));
  EXPECT_EQ(status.GetPayload("fire"), absl::Cord("big"));
  EXPECT_EQ(status.GetPayload("disk"), absl::Cord("/dev/sda"));
}

TEST_P(FileSystemMethodTest, SaysWhatThePluginCannotDo) {
  plugin_.Remove(method_.op);
  const absl::Status status = Call();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(
      status.message(),
      Message(Format("the plugin has no {}, and there is no default for it",
                     Describe(method_.op).name)));
  EXPECT_TRUE(plugin_.TakeCalls().empty());
}

TEST_P(FileSystemMethodTest, TurnsAnExceptionIntoAnError) {
  plugin_.On(method_.op,
             [](TF_Status*) { throw std::runtime_error("out of luck"); });
  const absl::Status status = Call();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(),
            Message("the plugin threw std::runtime_error: out of luck"));
}

TEST_P(FileSystemMethodTest, TurnsAThrownNumberIntoAnError) {
  plugin_.On(method_.op, [](TF_Status*) { throw 42; });
  const absl::Status status = Call();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(), Message("the plugin threw int"));
}

TEST_P(FileSystemMethodTest, GivesEachCallAFreshStatus) {
  for (const int i : {0, 1}) {
    SCOPED_TRACE(i);
    plugin_.On(method_.op, [](TF_Status* status) {
      EXPECT_STREQ(TF_Message(status), "");
      TF_SetStatus(status, TF_ABORTED, std::string(200, 'x').c_str());
      TF_SetPayload(status, "key", "value");
    });
    EXPECT_EQ(Call().code(), absl::StatusCode::kAborted);
  }
  plugin_.On(method_.op, nullptr);
  EXPECT_EQ(Call(), absl::OkStatus());
}

TEST_P(FileSystemMethodTest, RefusesANullByteBeforeAnyCall) {
  const absl::Status status = Call(std::string_view("/a\0b", 4));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      status.message(),
      Message(
          "the path contains a null byte, at which a plugin would truncate it",
          "/a\\0b"));
  EXPECT_TRUE(plugin_.TakeCalls().empty());
}

TEST_P(FileSystemMethodTest, StopsWhenTheNameCannotBeTranslated) {
  plugin_.translate_name = [](const char*) -> char* { return nullptr; };
  const absl::Status status = Call();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(),
            Format("{}: the plugin reported OK but returned null instead "
                   "of a path (translate_name)",
                   kUri));
  EXPECT_EQ(plugin_.Count(method_.op), 0);
}

TEST_P(FileSystemMethodTest, FreesTheTranslatedNameAfterAnErrorAndAnException) {
  plugin_.Fail(method_.op, TF_NOT_FOUND, "");
  EXPECT_EQ(Call().message(), Message("the plugin gave no message"));
  EXPECT_EQ(PluginMemory::live(), 0);
  plugin_.On(method_.op, [](TF_Status*) { throw 42; });
  EXPECT_EQ(Call().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(PluginMemory::live(), 0);
  EXPECT_EQ(PluginMemory::wrong_frees(), 0);
}

TEST_P(FileSystemMethodTest, TakesAPathOfAnyLengthAndAnEmptyOne) {
  for (const size_t length : {1, 318, 319, 320, 321, 4096, 100'000}) {
    SCOPED_TRACE(length);
    const std::string path(length, 'p');
    EXPECT_EQ(Call(path), absl::OkStatus());
    EXPECT_EQ(plugin_.TakeCalls()[1].path, path);
  }
  for (const std::string_view empty : {std::string_view(""), {}}) {
    EXPECT_EQ(Call(empty), absl::OkStatus());
    EXPECT_EQ(plugin_.TakeCalls()[1].path, "");
  }
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, FileSystemMethodTest,
                         testing::ValuesIn(kMethods), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST(FileSystemTest, KnowsItsSchemeItsPluginAndItsTables) {
  ScriptedPlugin plugin;
  const auto file_system = plugin.Create("s3", "libs3.so");
  EXPECT_EQ(file_system->scheme(), "s3");
  EXPECT_EQ(file_system->plugin(), "libs3.so");
  EXPECT_EQ(TablesOf(*file_system).filesystem.stat,
            plugin.tables.filesystem.stat);
  EXPECT_NE(&TablesOf(*file_system), &plugin.tables);
}

TEST(FileSystemTest, YieldsWhatStatFinds) {
  ScriptedPlugin plugin;
  plugin.statistics = {1234, 5678, true};
  const auto found = plugin.Create()->Stat("/a");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->length, 1234);
  EXPECT_EQ(found->mtime_nsec, 5678);
  EXPECT_TRUE(found->is_directory);
}

TEST(FileSystemTest, DoesNotTrustANegativeLength) {
  ScriptedPlugin plugin;
  plugin.statistics = {-1, 5678, false};
  const auto file_system = plugin.Create();
  const auto error = [](std::string_view op) {
    return absl::InternalError(
        Format("/a: the plugin reported OK but returned -1 instead of a "
               "length of 0 or more ({})",
               op));
  };
  EXPECT_EQ(file_system->Stat("/a").status(), error("stat"));
  EXPECT_EQ(PluginFileSystem::Of(*file_system)
                .ops()
                .Stat(PathArgument("/a", "/a"))
                .status(),
            error("stat"));
  EXPECT_EQ(file_system->GetFileSize("/a").status(), error("stat"));
}

TEST(FileSystemTest, TakesADirectoryOfWhateverLength) {
  ScriptedPlugin plugin;
  plugin.statistics = {-1, 5678, true};
  const auto found = plugin.Create()->Stat("/a");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->length, 0);
  EXPECT_TRUE(found->is_directory);
}

TEST(FileSystemTest, LooksFilesUpWithoutAllocating) {
  ScriptedPlugin plugin;
  plugin.recording = false;
  plugin.Remove(Op::kFilesystem_translate_name);
  const auto file_system = plugin.Create();
  const std::string uri = "scripted://" + std::string(250, 'p');
  const size_t before = AllocationsOfThisThread();
  const bool exists = file_system->FileExists(uri).ok();
  const bool stat = file_system->Stat(uri).ok();
  EXPECT_EQ(AllocationsOfThisThread() - before, 0u);
  EXPECT_TRUE(exists);
  EXPECT_TRUE(stat);
}

TEST(FileSystemTest, IsCleanedUpOnceWhenTheLastOwnerLetsGo) {
  ScriptedPlugin plugin;
  auto file_system = plugin.Create();
  EXPECT_EQ(plugin.Count(Op::kFilesystem_init), 1);
  const auto notice = PluginFileSystem::Of(*file_system).cleanup_notice();
  auto other = file_system;
  file_system.reset();
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 0);
  EXPECT_FALSE(notice->WaitFor(absl::ZeroDuration()));
  other.reset();
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 1);
  EXPECT_TRUE(notice->WaitFor(absl::ZeroDuration()));
}

TEST(FileSystemTest, IsNotCleanedUpWhenInitFails) {
  ScriptedPlugin plugin;
  plugin.Fail(Op::kFilesystem_init, TF_UNAUTHENTICATED, "no credentials");
  const auto failed = plugin.TryCreate();
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(failed.status().message(), "scripted://: no credentials (init)");
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 0);
}

TEST(FileSystemTest, IsNotCleanedUpWhenInitThrows) {
  ScriptedPlugin plugin;
  plugin.On(Op::kFilesystem_init,
            [](TF_Status*) { throw std::logic_error("not so"); });
  const auto failed = plugin.TryCreate();
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(failed.status().message(),
            "scripted://: the plugin threw std::logic_error: not so (init)");
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 0);
}

TEST(FileSystemTest, LogsWhatCleanupThrows) {
  ScriptedPlugin plugin;
  plugin.On(Op::kFilesystem_cleanup,
            [](TF_Status*) { throw std::runtime_error("too late"); });
  auto file_system = plugin.Create();
  const auto notice = PluginFileSystem::Of(*file_system).cleanup_notice();
  CapturedOutput captured(STDERR_FILENO);
  file_system.reset();
  EXPECT_EQ(captured.Stop(),
            "fsload: error: scripted://: the plugin threw std::runtime_error: "
            "too late (cleanup)\n");
  EXPECT_TRUE(notice->WaitFor(absl::ZeroDuration()));
}

std::vector<std::string> Names(const std::vector<ScriptedPlugin::Call>& calls) {
  std::vector<std::string> names;
  for (const ScriptedPlugin::Call& call : calls) {
    const Operation& operation = Describe(call.op);
    names.push_back(
        Format("{}.{}", Describe(operation.table).name, operation.name));
  }
  return names;
}

TEST(FileSystemTest, OutlivesTheCallersPointerWhileAFileIsOpen) {
  ScriptedPlugin plugin;
  auto file_system = plugin.Create();
  auto reader = *file_system->NewRandomAccessFile("/a");
  auto writer = *file_system->NewWritableFile("/b");
  auto appender = *file_system->NewAppendableFile("/c");
  auto region = *file_system->NewReadOnlyMemoryRegionFromFile("/d");
  file_system.reset();
  plugin.TakeCalls();

  char byte;
  EXPECT_EQ(*reader->Read(0, 1, &byte), 1u);
  EXPECT_EQ(writer->Append("x"), absl::OkStatus());
  EXPECT_EQ(appender->Append("y"), absl::OkStatus());
  EXPECT_EQ(region->length(), 4u);
  reader.reset();
  writer.reset();
  appender.reset();
  region.reset();
  EXPECT_THAT(
      Names(plugin.TakeCalls()),
      ElementsAre("TF_RandomAccessFileOps.read", "TF_WritableFileOps.append",
                  "TF_WritableFileOps.append", "TF_RandomAccessFileOps.cleanup",
                  "TF_WritableFileOps.close", "TF_WritableFileOps.cleanup",
                  "TF_WritableFileOps.close", "TF_WritableFileOps.cleanup",
                  "TF_ReadOnlyMemoryRegionOps.cleanup",
                  "TF_FilesystemOps.cleanup"));
}

TEST(FileSystemTest, DoesNotCleanUpAFileThatDidNotOpen) {
  ScriptedPlugin plugin;
  auto file_system = plugin.Create();
  for (const Method& method : kMethods) {
    plugin.Fail(method.op, TF_NOT_FOUND, "not here");
    EXPECT_EQ(method.call(*file_system, "/a").code(),
              absl::StatusCode::kNotFound);
    plugin.On(method.op, [](TF_Status*) { throw 42; });
    EXPECT_EQ(method.call(*file_system, "/a").code(),
              absl::StatusCode::kInternal);
  }
  EXPECT_EQ(plugin.Count(Op::kRandomAccessFile_cleanup), 0);
  EXPECT_EQ(plugin.Count(Op::kWritableFile_close), 0);
  EXPECT_EQ(plugin.Count(Op::kWritableFile_cleanup), 0);
  EXPECT_EQ(plugin.Count(Op::kReadOnlyMemoryRegion_cleanup), 0);
  file_system.reset();
  EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), 1);
}

}  // namespace
}  // namespace fsload
