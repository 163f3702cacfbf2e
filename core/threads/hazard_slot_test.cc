#include "core/threads/hazard_slot.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "core/testing/allocation_count.h"
#include "core/testing/refused_calls.h"

namespace fsload {
namespace {

constexpr int kObjects[128] = {};

TEST(HazardSlotTest, ShowsWhatItProtectsUntilItIsCleared) {
  const std::atomic<const int*> source{&kObjects[0]};
  HazardSlot slot;
  EXPECT_FALSE(HazardSlot::IsHeld(&kObjects[0]));
  EXPECT_EQ(slot.Protect(source), &kObjects[0]);
  EXPECT_TRUE(HazardSlot::IsHeld(&kObjects[0]));
  EXPECT_TRUE(HazardSlot::IsHeldByThisThread(&kObjects[0]));
  slot.Clear();
  EXPECT_FALSE(HazardSlot::IsHeld(&kObjects[0]));
  EXPECT_FALSE(HazardSlot::IsHeldByThisThread(&kObjects[0]));
}

TEST(HazardSlotTest, HoldsOneObjectAtATime) {
  HazardSlot slot;
  slot.Hold(&kObjects[0]);
  slot.Hold(&kObjects[1]);
  EXPECT_FALSE(HazardSlot::IsHeld(&kObjects[0]));
  EXPECT_TRUE(HazardSlot::IsHeld(&kObjects[1]));
}

TEST(HazardSlotTest, HoldsNothingWhenItIsGone) {
  {
    HazardSlot slot;
    slot.Hold(&kObjects[0]);
  }
  EXPECT_FALSE(HazardSlot::IsHeld(&kObjects[0]));
}

TEST(HazardSlotTest, NestsToAnyDepth) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<HazardSlot>> slots;
    for (const int& object : kObjects) {
      slots.push_back(std::make_unique<HazardSlot>());
      slots.back()->Hold(&object);
    }
    for (const int& object : kObjects) {
      EXPECT_TRUE(HazardSlot::IsHeldByThisThread(&object));
    }
    while (!slots.empty()) {
      slots.pop_back();
      EXPECT_FALSE(HazardSlot::IsHeld(&kObjects[slots.size()]));
      EXPECT_TRUE(slots.empty() ||
                  HazardSlot::IsHeld(&kObjects[slots.size() - 1]));
    }
  }
}

TEST(HazardSlotTest, IsSeenByOtherThreadsButIsNotTheirs) {
  HazardSlot slot;
  slot.Hold(&kObjects[0]);
  std::thread([] {
    HazardSlot other;
    other.Hold(&kObjects[1]);
    EXPECT_TRUE(HazardSlot::IsHeld(&kObjects[0]));
    EXPECT_FALSE(HazardSlot::IsHeldByThisThread(&kObjects[0]));
    EXPECT_TRUE(HazardSlot::IsHeldByThisThread(&kObjects[1]));
  }).join();
  EXPECT_FALSE(HazardSlot::IsHeld(&kObjects[1]));
}

TEST(HazardSlotTest, CostsNoAllocationAfterTheFirstOfItsThread) {
  { const HazardSlot first; }
  const size_t before = AllocationsOfThisThread();
  for (int i = 0; i < 100; ++i) {
    HazardSlot slots[HazardRecord::kSlots];
    for (HazardSlot& slot : slots) slot.Hold(&kObjects[0]);
  }
  EXPECT_EQ(AllocationsOfThisThread() - before, 0u);
}

TEST(HazardSlotTest, IsTakenOverFromThreadsThatEnded) {
  // More than a record has, so that each thread needs three records.
  using Slots = std::array<HazardSlot, 2 * HazardRecord::kSlots + 1>;
  std::thread([] { const Slots first; }).join();
  for (int i = 0; i < 1000; ++i) {
    size_t allocations = 0;
    std::thread([&] {
      const size_t before = AllocationsOfThisThread();
      {
        Slots slots;
        for (HazardSlot& slot : slots) slot.Hold(&kObjects[0]);
      }
      allocations = AllocationsOfThisThread() - before;
    }).join();
    ASSERT_EQ(allocations, 0u) << "thread " << i;
    ASSERT_FALSE(HazardSlot::IsHeld(&kObjects[0]));
  }
}

// Reads through slots while another thread replaces the object and frees it
// once no slot holds it: a slot that fails is a use after free.
TEST(HazardSlotTest, KeepsWhatIsReadFromBeingFreed) {
  constexpr int kRounds = 3000;
  std::atomic<const std::atomic<int>*> source{new std::atomic<int>(0)};
  std::vector<std::thread> readers;
  std::atomic<bool> done{false};
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      int last = 0;
      while (!done) {
        HazardSlot slot;
        const int found = slot.Protect(source)->load();
        ASSERT_GE(found, last);
        last = found;
      }
    });
  }
  for (int round = 1; round <= kRounds; ++round) {
    const auto* const old = source.exchange(new std::atomic<int>(round));
    HazardSlot::Fence();
    while (HazardSlot::IsHeld(old)) std::this_thread::yield();
    const_cast<std::atomic<int>*>(old)->store(-1);
    delete old;
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(*source, kRounds);
  delete source.load();
}

// Runs `body` in a forked child; returns whether it returned true.
bool TrueInChild(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // in case it waits for a thread that is not there
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

TEST(HazardSlotTest, BelongsToTheForkingThreadAloneInAChild) {
  HazardSlot::WriterMutex();
  HazardSlot mine;
  mine.Hold(&kObjects[0]);
  std::promise<void> held;
  std::promise<void> forked;
  std::thread other([&] {
    HazardSlot slot;
    slot.Hold(&kObjects[1]);
    held.set_value();
    forked.get_future().wait();
  });
  held.get_future().wait();
  EXPECT_TRUE(TrueInChild([] {
    HazardSlot::Fence();
    return HazardSlot::IsHeldByThisThread(&kObjects[0]) &&
           !HazardSlot::IsHeld(&kObjects[1]);
  }));
  EXPECT_TRUE(HazardSlot::IsHeld(&kObjects[1]));
  forked.set_value();
  other.join();
}

TEST(HazardSlotTest, LeavesTheWriterMutexFreeInAChild) {
  Mutex& mutex = HazardSlot::WriterMutex();
  std::atomic<bool> done{false};
  std::thread writer([&] {
    while (!done) const MutexLock lock(mutex);
  });
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(TrueInChild([&] {
      const MutexLock lock(mutex);
      return true;
    }));
  }
  done = true;
  writer.join();
}

// Written and read by two threads without other synchronization.
template <typename T>
struct alignas(128) Apart {
  std::atomic<T> value{};
};

// Lets one thread protect an object just when another removes it, fences and
// checks whether it is held. At least one must see the other; returns whether
// it did.
bool OneOfTwoSeesTheOther(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  Apart<const int*> source;
  Apart<int> ready, begun, done;
  std::atomic<bool> stop{false};
  bool reader_has_it = false;
  const auto wait_for = [&](const std::atomic<int>& value, int wanted) {
    while (value.load() != wanted && !stop) {
    }
    return !stop;
  };
  std::thread reader([&] {
    for (int round = 1;; ++round) {
      ready.value = round;
      if (!wait_for(begun.value, round)) return;
      HazardSlot slot;
      reader_has_it = slot.Protect(source.value) != nullptr;
      done.value = round;
      if (!wait_for(done.value, 0)) return;
    }
  });
  bool never = true;
  int delay = 300;  // so that the reader has it about every second time
  for (int round = 1; never && std::chrono::steady_clock::now() < end;
       ++round) {
    wait_for(ready.value, round);
    source.value = &kObjects[0];
    HazardSlot::IsHeld(&kObjects[1]);  // the reader's next store takes longer
    begun.value = round;
    for (int i = 0; i < delay + round % 40; ++i) {
      asm volatile("");
    }
    source.value.exchange(nullptr);
    HazardSlot::Fence();
    const bool is_held = HazardSlot::IsHeld(&kObjects[0]);
    wait_for(done.value, round);
    never = is_held || !reader_has_it;
    delay = std::max(0, delay + (is_held ? -3 : 3));
    done.value = 0;
  }
  stop = true;
  reader.join();
  return never;
}

TEST(HazardSlotTest, IsSeenByWhoeverFencesOrSeesThatInTime) {
  EXPECT_TRUE(OneOfTwoSeesTheOther(std::chrono::milliseconds(300)));
}

// A program may restrict its own system calls after it has started. What two
// processors see of each other is a matter of luck; that a store gets the time
// to be seen is not.
TEST(HazardSlotTest, IsGivenTimeWhereMembarrierFailsLater) {
  EXPECT_TRUE(TrueInChild([] {
    if (!RefuseCalls({{SYS_membarrier, EPERM}})) return false;
    for (int i = 0; i < 2; ++i) {
      const auto start = std::chrono::steady_clock::now();
      HazardSlot::Fence();
      const auto taken = std::chrono::steady_clock::now() - start;
      if (taken < std::chrono::milliseconds(10)) return false;
    }
    return true;
  }));
}

TEST(HazardSlotTest, IsSeenWhereMembarrierFailsLater) {
  EXPECT_TRUE(TrueInChild([] {
    return RefuseCalls({{SYS_membarrier, EPERM}}) &&
           OneOfTwoSeesTheOther(std::chrono::seconds(5));
  }));
}

// membarrier is registered before main: this test program runs once more, in a
// process where it is refused.
TEST(HazardSlotTest, DoesWithoutMembarrier) {
  EXPECT_TRUE(TrueInChild([] {
    unsetenv("XML_OUTPUT_FILE");
    unsetenv("TEST_PREMATURE_EXIT_FILE");
    return RefuseCalls({{SYS_membarrier, ENOSYS}}) &&
           execl("/proc/self/exe", "hazard_slot_test",
                 "--gtest_filter=-*Membarrier*", "--gtest_brief=1",
                 "--gtest_output=", static_cast<char*>(nullptr)) == 0;
  }));
}

}  // namespace
}  // namespace fsload
