#include "fsload/internal/ref_counted.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace fsload {
namespace {

class Owned final : public RefCounted {
 public:
  explicit Owned(int* deaths) : deaths_(deaths) {}

 private:
  ~Owned() override { ++*deaths_; }

  int* const deaths_;
};

using Owner = RefPtr<const Owned>;

TEST(RefCountedTest, IsDeletedByItsLastOwner) {
  int deaths = 0;
  Owner first(new Owned(&deaths));
  Owner second = first;
  Owner third(first.get());
  EXPECT_EQ(second, third);
  first = nullptr;
  third = std::move(second);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(deaths, 0);
  third = nullptr;
  EXPECT_EQ(deaths, 1);
}

TEST(RefCountedTest, CountsOwnersOfAllThreads) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 10'000;
  int deaths = 0;
  Owner first(new Owned(&deaths));
  std::vector<Owner> owners;
  for (int i = 0; i < kThreads; ++i) owners.push_back(first);
  std::vector<std::thread> threads;
  for (Owner& owner : owners) {
    threads.emplace_back([own = std::move(owner)]() mutable {
      for (int i = 0; i < kRounds; ++i) const Owner copy = own;
      own = nullptr;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(deaths, 0);
  first = nullptr;
  EXPECT_EQ(deaths, 1);
}

}  // namespace
}  // namespace fsload
