#include "core/threads/hazard_pointer.h"

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

TEST(HazardPointerTest, ShowsWhatItProtectsUntilItIsCleared) {
  const std::atomic<const int*> source{&kObjects[0]};
  HazardPointer slot;
  EXPECT_FALSE(HazardPointer::IsHeld(&kObjects[0]));
  EXPECT_EQ(slot.Protect(source), &kObjects[0]);
  EXPECT_TRUE(HazardPointer::IsHeld(&kObjects[0]));
  EXPECT_TRUE(HazardPointer::IsHeldByThisThread(&kObjects[0]));
  slot.Clear();
  EXPECT_FALSE(HazardPointer::IsHeld(&kObjects[0]));
  EXPECT_FALSE(HazardPointer::IsHeldByThisThread(&kObjects[0]));
}

TEST(HazardPointerTest, HoldsOneObjectAtATime) {
  HazardPointer slot;
  slot.Hold(&kObjects[0]);
  slot.Hold(&kObjects[1]);
  EXPECT_FALSE(HazardPointer::IsHeld(&kObjects[0]));
  EXPECT_TRUE(HazardPointer::IsHeld(&kObjects[1]));
}

TEST(HazardPointerTest, HoldsNothingWhenItIsGone) {
  {
    HazardPointer slot;
    slot.Hold(&kObjects[0]);
  }
  EXPECT_FALSE(HazardPointer::IsHeld(&kObjects[0]));
}

TEST(HazardPointerTest, NestsToAnyDepth) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<HazardPointer>> slots;
    for (const int& object : kObjects) {
      slots.push_back(std::make_unique<HazardPointer>());
      slots.back()->Hold(&object);
    }
    for (const int& object : kObjects) {
      EXPECT_TRUE(HazardPointer::IsHeldByThisThread(&object));
    }
    while (!slots.empty()) {
      slots.pop_back();
      EXPECT_FALSE(HazardPointer::IsHeld(&kObjects[slots.size()]));
      EXPECT_TRUE(slots.empty() ||
                  HazardPointer::IsHeld(&kObjects[slots.size() - 1]));
    }
  }
}

TEST(HazardPointerTest, IsSeenByOtherThreadsButIsNotTheirs) {
  HazardPointer slot;
  slot.Hold(&kObjects[0]);
  std::thread([] {
    HazardPointer other;
    other.Hold(&kObjects[1]);
    EXPECT_TRUE(HazardPointer::IsHeld(&kObjects[0]));
    EXPECT_FALSE(HazardPointer::IsHeldByThisThread(&kObjects[0]));
    EXPECT_TRUE(HazardPointer::IsHeldByThisThread(&kObjects[1]));
  }).join();
  EXPECT_FALSE(HazardPointer::IsHeld(&kObjects[1]));
}

TEST(HazardPointerTest, CostsNoAllocationAfterTheFirstOfItsThread) {
  { const HazardPointer first; }
  const size_t before = AllocationsOfThisThread();
  for (int i = 0; i < 100; ++i) {
    HazardPointer slots[HazardRecord::kSlots];
    for (HazardPointer& slot : slots) slot.Hold(&kObjects[0]);
  }
  EXPECT_EQ(AllocationsOfThisThread() - before, 0u);
}

TEST(HazardPointerTest, IsTakenOverFromThreadsThatEnded) {
  // More than a record has, so that each thread needs three records.
  using Slots = std::array<HazardPointer, 2 * HazardRecord::kSlots + 1>;
  std::thread([] { const Slots first; }).join();
  for (int i = 0; i < 1000; ++i) {
    size_t allocations = 0;
    std::thread([&] {
      const size_t before = AllocationsOfThisThread();
      {
        Slots slots;
        for (HazardPointer& slot : slots) slot.Hold(&kObjects[0]);
      }
      allocations = AllocationsOfThisThread() - before;
    }).join();
    ASSERT_EQ(allocations, 0u) << "thread " << i;
    ASSERT_FALSE(HazardPointer::IsHeld(&kObjects[0]));
  }
}

// Reads through slots while another thread replaces the object and frees it
// once no slot holds it: a slot that fails is a use after free.
TEST(HazardPointerTest, KeepsWhatIsReadFromBeingFreed) {
  constexpr int kRounds = 3000;
  std::atomic<const std::atomic<int>*> source{new std::atomic<int>(0)};
  std::vector<std::thread> readers;
  std::atomic<bool> done{false};
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      int last = 0;
      while (!done) {
        HazardPointer slot;
        const int found = slot.Protect(source)->load();
        ASSERT_GE(found, last);
        last = found;
      }
    });
  }
  for (int round = 1; round <= kRounds; ++round) {
    const auto* const old = source.exchange(new std::atomic<int>(round));
    HazardPointer::Fence();
    while (HazardPointer::IsHeld(old)) std::this_thread::yield();
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

TEST(HazardPointerTest, BelongsToTheForkingThreadAloneInAChild) {
  HazardPointer::WriterMutex();
  HazardPointer mine;
  mine.Hold(&kObjects[0]);
  std::promise<void> held;
  std::promise<void> forked;
  std::thread other([&] {
    HazardPointer slot;
    slot.Hold(&kObjects[1]);
    held.set_value();
    forked.get_future().wait();
  });
  held.get_future().wait();
  EXPECT_TRUE(TrueInChild([] {
    HazardPointer::Fence();
    return HazardPointer::IsHeldByThisThread(&kObjects[0]) &&
           !HazardPointer::IsHeld(&kObjects[1]);
  }));
  EXPECT_TRUE(HazardPointer::IsHeld(&kObjects[1]));
  forked.set_value();
  other.join();
}

TEST(HazardPointerTest, LeavesTheWriterMutexFreeInAChild) {
  Mutex& mutex = HazardPointer::WriterMutex();
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
      HazardPointer slot;
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
    HazardPointer::IsHeld(
        &kObjects[1]);  // the reader's next store takes longer
    begun.value = round;
    for (int i = 0; i < delay + round % 40; ++i) {
      asm volatile("");
    }
    source.value.exchange(nullptr);
    HazardPointer::Fence();
    const bool is_held = HazardPointer::IsHeld(&kObjects[0]);
    wait_for(done.value, round);
    never = is_held || !reader_has_it;
    delay = std::max(0, delay + (is_held ? -3 : 3));
    done.value = 0;
  }
  stop = true;
  reader.join();
  return never;
}

TEST(HazardPointerTest, IsSeenByWhoeverFencesOrSeesThatInTime) {
  EXPECT_TRUE(OneOfTwoSeesTheOther(std::chrono::milliseconds(300)));
}

// A program may restrict its own system calls after it has started. What two
// processors see of each other is a matter of luck; that a store gets the time
// to be seen is not.
TEST(HazardPointerTest, IsGivenTimeWhereMembarrierFailsLater) {
  EXPECT_TRUE(TrueInChild([] {
    if (!RefuseCalls({{SYS_membarrier, EPERM}})) return false;
    for (int i = 0; i < 2; ++i) {
      const auto start = std::chrono::steady_clock::now();
      HazardPointer::Fence();
      const auto taken = std::chrono::steady_clock::now() - start;
      if (taken < std::chrono::milliseconds(10)) return false;
    }
    return true;
  }));
}

TEST(HazardPointerTest, IsSeenWhereMembarrierFailsLater) {
  EXPECT_TRUE(TrueInChild([] {
    return RefuseCalls({{SYS_membarrier, EPERM}}) &&
           OneOfTwoSeesTheOther(std::chrono::seconds(5));
  }));
}

// membarrier is registered before main: this test program runs once more, in a
// process where it is refused.
TEST(HazardPointerTest, DoesWithoutMembarrier) {
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
