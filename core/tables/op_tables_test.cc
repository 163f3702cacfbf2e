#include "core/tables/op_tables.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace fsload {
namespace {

// Tables in which every pointer is a different number.
SchemeTables Numbered(uintptr_t first) {
  SchemeTables tables;
  static_assert(sizeof(tables) % sizeof(uintptr_t) == 0);
  for (size_t at = 0; at < sizeof(tables); at += sizeof(uintptr_t)) {
    const uintptr_t number = first + at;
    std::memcpy(reinterpret_cast<char*>(&tables) + at, &number, sizeof(number));
  }
  tables.read = nullptr;  // Seal sets these
  tables.append = nullptr;
  tables.tell = nullptr;
  return tables;
}

bool Equal(const SchemeTables& a, const SchemeTables& b) {
  return std::memcmp(&a, &b, sizeof(SchemeTables)) == 0;
}

TEST(OpTablesTest, HasNoTablesOfNoSchemes) {
  const auto sealed = OpTables::Seal({});
  ASSERT_TRUE(sealed.ok()) << sealed.status();
  EXPECT_TRUE(sealed->empty());
}

TEST(OpTablesTest, GivesOneHandleForEachSchemeInTheirOrder) {
  std::vector<SchemeTables> tables;
  for (uintptr_t i = 0; i < 20; ++i) tables.push_back(Numbered(i << 32));
  const auto sealed = OpTables::Seal(tables);
  ASSERT_TRUE(sealed.ok()) << sealed.status();
  ASSERT_EQ(sealed->size(), tables.size());
  for (size_t i = 0; i < tables.size(); ++i) {
    EXPECT_TRUE(Equal(*(*sealed)[i], tables[i])) << i;
    EXPECT_EQ((*sealed)[i].tier(), sealed->front().tier()) << i;
  }
}

TEST(OpTablesTest, KeepsItsOwnCopy) {
  SchemeTables tables = Numbered(1000);
  const auto sealed = OpTables::Seal({&tables, 1});
  ASSERT_TRUE(sealed.ok()) << sealed.status();
  tables = Numbered(5000);
  EXPECT_TRUE(Equal(*sealed->front(), Numbered(1000)));
}

TEST(OpTablesTest, LetsFilesCallDirectlyWhereNobodyWatches) {
  SchemeTables tables;
  tables.random_access_file.read = [](const TF_RandomAccessFile*, uint64_t,
                                      size_t, char*,
                                      TF_Status*) -> int64_t { return 0; };
  const auto read_of = [](const SchemeTables& given) {
    return (*OpTables::Seal({&given, 1}))[0]->read;
  };
  EXPECT_EQ(read_of(tables), tables.random_access_file.read);
  SchemeTables watched = tables;
  watched.observer = reinterpret_cast<OpObserver*>(1);
  EXPECT_EQ(read_of(watched), nullptr);
  SchemeTables of_another = tables;
  of_another.status.new_status = []() -> TF_Status* { return nullptr; };
  EXPECT_EQ(read_of(of_another), nullptr);
}

TEST(OpTablesTest, KeepsTheTablesOfACopyWhenTheOthersAreGone) {
  std::optional<OpTables> copy;
  {
    const SchemeTables tables[] = {Numbered(1000), Numbered(5000)};
    const auto sealed = OpTables::Seal(tables);
    ASSERT_TRUE(sealed.ok()) << sealed.status();
    copy = sealed->back();
  }
  EXPECT_TRUE(Equal(**copy, Numbered(5000)));
}

TEST(OpTablesTest, SealsTheSameTablesOnce) {
  SchemeTables tables;
  tables.observer = reinterpret_cast<OpObserver*>(1);
  const auto first = OpTables::SealOnce(tables);
  const auto second = OpTables::SealOnce(tables);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(&**first, &**second);
}

TEST(OpTablesTest, UnmapsTablesWithAnObserverThatNobodyUses) {
  SchemeTables tables;
  tables.observer = reinterpret_cast<OpObserver*>(2);
  const void* memory = nullptr;
  {
    const auto sealed = OpTables::SealOnce(tables);
    ASSERT_TRUE(sealed.ok()) << sealed.status();
    if (sealed->tier() == SealingTier::kSealedMapping) {
      GTEST_SKIP() << "this kernel keeps sealed mappings";
    }
    memory = &**sealed;
  }
  EXPECT_NE(msync(const_cast<void*>(memory), 1, MS_ASYNC), 0);
}

TEST(StatusProviderTest, StandsForOurOwnWhenItIsEmpty) {
  StatusProvider provider;
  EXPECT_TRUE(provider.is_own());
  provider.new_status = []() -> TF_Status* { return nullptr; };
  EXPECT_FALSE(provider.is_own());
}

}  // namespace
}  // namespace fsload
