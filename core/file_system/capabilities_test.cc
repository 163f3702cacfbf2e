#include "fsload/capabilities.h"

#include "absl/status/status.h"
#include "core/tables/operations.h"
#include "core/testing/allocation_count.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(CapabilitiesTest, TellsWhoCarriesOutEachOperation) {
  ScriptedPlugin plugin;
  const FileSystemPtr file_system = plugin.Create();
  const Capabilities found = CapabilitiesOf(*file_system);
  EXPECT_EQ(found.Of(Op::kFilesystem_stat), Support::kOwn);
  EXPECT_EQ(found.Of(Op::kFilesystem_rename_file), Support::kDefault);
  EXPECT_EQ(found.Of(Op::kFilesystem_start_transaction), Support::kUnavailable);
}

// Whoever is asked, an operation can be called or is UNIMPLEMENTED.
TEST(CapabilitiesTest, HasExactlyWhatIsNotUnimplemented) {
  for (const Operation& missing : kOperations) {
    if (missing.absence == Absence::kRefused) continue;
    MemoryTree tree;
    tree.AddFile("/a", "contents");
    tree.AddDirectory("/folder");
    const FileSystemPtr file_system =
        tree.Open(Without(MemoryTree::Tables(), missing.op));
    const Capabilities found = CapabilitiesOf(*file_system);
    const auto implemented = [](const absl::Status& status) {
      return !absl::IsUnimplemented(status);
    };
    EXPECT_EQ(found.can_copy, implemented(file_system->CopyFile("/a", "/b")))
        << missing.name;
    EXPECT_EQ(found.Has(Op::kFilesystem_is_directory),
              implemented(file_system->IsDirectory("/a").status()))
        << missing.name;
    EXPECT_EQ(found.Has(Op::kFilesystem_recursively_create_dir),
              implemented(file_system->RecursivelyCreateDir("/folder/x/y")))
        << missing.name;
    EXPECT_EQ(found.has_transactions,
              implemented(file_system->StartTransaction().status()))
        << missing.name;
  }
}

struct Missing {
  Op op;
  bool Capabilities::*lost;
};

TEST(CapabilitiesTest, LosesWhatAMissingOperationIsNeededFor) {
  constexpr Missing kMissing[] = {
      {Op::kRandomAccessFile_read, &Capabilities::can_read},
      {Op::kFilesystem_new_random_access_file, &Capabilities::can_copy},
      {Op::kWritableFile_close, &Capabilities::can_write},
      {Op::kFilesystem_new_appendable_file, &Capabilities::can_append},
      {Op::kReadOnlyMemoryRegion_data, &Capabilities::can_map},
      {Op::kFilesystem_get_children, &Capabilities::can_list},
      {Op::kFilesystem_delete_file, &Capabilities::can_rename},
      {Op::kFilesystem_delete_file, &Capabilities::can_delete},
  };
  for (const Missing& each : kMissing) {
    ScriptedPlugin plugin;
    EXPECT_TRUE(CapabilitiesOf(*plugin.Create()).*each.lost) << Name(each.op);
    plugin.Remove(each.op);
    EXPECT_FALSE(CapabilitiesOf(*plugin.Create()).*each.lost) << Name(each.op);
  }
}

TEST(CapabilitiesTest, TakesTraitsFromWhatIsKnownOfThePlugin) {
  ScriptedPlugin plugin;
  EXPECT_FALSE(CapabilitiesOf(*plugin.Create()).replaces_atomically);
  plugin.tables.traits.replaces_atomically = true;
  EXPECT_TRUE(CapabilitiesOf(*plugin.Create()).replaces_atomically);
}

TEST(CapabilitiesTest, CallsAndAllocatesNothing) {
  ScriptedPlugin plugin;
  const FileSystemPtr file_system = plugin.Create();
  const size_t before = AllocationsOfThisThread();
  const Capabilities found = CapabilitiesOf(*file_system);
  EXPECT_EQ(AllocationsOfThisThread(), before);
  EXPECT_TRUE(found.can_read);
  EXPECT_TRUE(plugin.TakeCalls().empty());
}

}  // namespace
}  // namespace fsload
