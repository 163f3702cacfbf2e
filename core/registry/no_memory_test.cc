// What happens when memory runs out while a scheme is retired.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include "absl/status/status.h"
#include "core/testing/allocation_count.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

TEST(NoMemoryTest, LeavesASchemeRegisteredOrCleansItUp) {
  bool is_retired = false;
  for (size_t room = 0; !is_retired; ++room) {
    ScriptedPlugin plugin;
    plugin.recording = false;
    SchemeRegistry registry;
    ASSERT_EQ(registry.Register({plugin.Create("scheme")}), absl::OkStatus());
    AllowAllocations(room);
    try {
      is_retired = registry.Retire("scheme").ok();
    } catch (const std::bad_alloc&) {
    }
    AllowAllocations(SIZE_MAX);
    EXPECT_EQ(registry.Schemes().empty(), is_retired) << room;
    EXPECT_EQ(plugin.Count(Op::kFilesystem_cleanup), is_retired ? 1 : 0);
  }
}

}  // namespace
}  // namespace fsload
