// What the SDK does when memory runs out at any point, and that it leaks none.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "compat/plugin_sdk/all_operations.h"

namespace {

// How many allocations from now on succeed; negative: all.
thread_local int left = -1;
thread_local bool has_refused = false;
thread_local int live = 0;

void* Get(std::size_t size) noexcept {
  if (left == 0) {
    has_refused = true;
    return nullptr;
  }
  if (left > 0) --left;
  void* const memory = std::malloc(size);
  if (memory != nullptr) ++live;
  return memory;
}

void Release(void* memory) noexcept {
  if (memory != nullptr) --live;
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = Get(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return Get(size);
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t) noexcept { Release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  Release(memory);
}

namespace fsload::plugin {
namespace {

// More than any operation allocates.
constexpr int kMax = 200;

CallWrapper WithAllocations(int allowed) {
  return [allowed](const auto& operation) {
    has_refused = false;
    left = allowed;
    operation();
    left = -1;
  };
}

TEST(Allocations, AreReportedWhereverTheyFail) {
  int refused = 0;
  for (const OperationCall& each : AllOperations()) {
    for (int allowed = 0;; ++allowed) {
      SCOPED_TRACE(std::string(each.name) + " after " +
                   std::to_string(allowed));
      ASSERT_LT(allowed, kMax);
      AllHosts host;
      const Outcome said = each.call(host, WithAllocations(allowed));
      if (!has_refused) {
        EXPECT_EQ(said, Outcome::kDone);
        break;
      }
      ++refused;
      if (!each.has_status) continue;
      EXPECT_EQ(said, Outcome::kFailed);
      EXPECT_EQ(host.code(), TF_RESOURCE_EXHAUSTED);
      EXPECT_EQ(host.message(), "out of memory");
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(Allocations, AreAllFreedWhereverOneFails) {
  for (const OperationCall& each : AllOperations()) {
    has_refused = true;
    for (int allowed = 0; has_refused; ++allowed) {
      SCOPED_TRACE(std::string(each.name) + " after " +
                   std::to_string(allowed));
      const CallWrapper around = WithAllocations(allowed);
      const int before = live;
      {
        AllHosts host;
        each.call(host, around);
      }
      EXPECT_EQ(live, before);
    }
  }
}

TEST(Allocations, OfTablesThatFailLeaveNoSchemes) {
  has_refused = true;
  int allowed = 0;
  for (; has_refused; ++allowed) {
    SCOPED_TRACE(allowed);
    const int before = live;
    {
      has_refused = false;
      left = allowed;
      const HandedOver given(
          {Scheme<AllMethods>("one"),
           Scheme<AllMethods>("a.name.too.long.for.a.string.on.its.own")});
      left = -1;
      EXPECT_EQ(given.info.num_schemes, has_refused ? 0u : 2u);
      EXPECT_EQ(given.info.ops == nullptr, has_refused);
      // L1116: also then the hooks are the plugin's.
      EXPECT_NE(given.info.plugin_memory_allocate, nullptr);
      EXPECT_NE(given.info.plugin_memory_free, nullptr);
    }
    EXPECT_EQ(live, before);
  }
  EXPECT_GT(allowed, 10);
}

}  // namespace
}  // namespace fsload::plugin
