// A plugin that attacks the host's copy of its tables, each attack in a child.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

struct Attack {
  const char* name;
  const char* answer;  // a regular expression
};

// Runs the attack and ends the process: with 0 if the tables are then unchanged
// and work.
[[noreturn]] void AttackAndLeave(const std::string& name) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin("testdata/hostile_tables.so", options);
  if (!report.sealing.has_value()) _exit(2);
  const auto file_system = registry.Find("hostile");
  if (!file_system.ok()) _exit(3);
  auto before = std::make_unique<SchemeTables>();
  std::memcpy(before.get(), &TablesOf(**file_system), sizeof(SchemeTables));
  const absl::Status answer = (*file_system)->CreateDir("hostile://x/" + name);
  std::fputs(answer.ToString().c_str(), stderr);
  if (std::memcmp(before.get(), &TablesOf(**file_system),
                  sizeof(SchemeTables)) != 0) {
    _exit(4);
  }
  _exit((*file_system)->FileExists("hostile://x").ok() ? 0 : 5);
}

class AttackOnTables : public testing::TestWithParam<Attack> {};

TEST_P(AttackOnTables, LeavesThemAsTheyWere) {
  EXPECT_EXIT(AttackAndLeave(GetParam().name), testing::ExitedWithCode(0),
              GetParam().answer);
}

#define REFUSED(name, reason)                                     \
  "^FAILED_PRECONDITION: hostile://x/" name ": " name ": " reason \
  " \\(create_dir\\)$"

constexpr Attack kAttacks[] = {
    {"mprotect", REFUSED("mprotect",
                         "(Permission denied|Operation not "
                         "permitted)")},
    {"mremap", REFUSED("mremap", "Operation not permitted")},
    {"munmap", REFUSED("munmap", "Operation not permitted")},
    {"map_fixed", REFUSED("map_fixed", "Operation not permitted")},
    // Drops pages that the file restores, or is refused.
    {"madvise", "^OK$|Operation not permitted \\(create_dir\\)$"},
    {"madvise_remove",
     REFUSED("madvise_remove", "(Permission denied|Operation not permitted)")},
    {"ftruncate", "^FAILED_PRECONDITION: .*ftruncate: "},
    {"fallocate", "^FAILED_PRECONDITION: .*fallocate: "},
    {"proc_mem", REFUSED("proc_mem", "Input/output error")},
};

// Those that this kernel withstands: unmapping needs mseal
// (core/system/sealed_region.h).
std::vector<Attack> AttacksToWithstand() {
  const auto region = SealedRegion::Create("x", 1);
  const bool mapping_sealed =
      region.ok() && (*region)->tier() == SealingTier::kSealedMapping;
  std::vector<Attack> attacks;
  for (const Attack& attack : kAttacks) {
    const std::string name = attack.name;
    const bool unmaps =
        name == "mremap" || name == "munmap" || name == "map_fixed";
    if (mapping_sealed || !unmaps) attacks.push_back(attack);
  }
  return attacks;
}

INSTANTIATE_TEST_SUITE_P(HostileTables, AttackOnTables,
                         testing::ValuesIn(AttacksToWithstand()),
                         [](const testing::TestParamInfo<Attack>& info) {
                           return info.param.name;
                         });

TEST(HostileTables, StoreIntoThemEndsTheProcess) {
  const auto attack = [] {
    // A sanitizer's handler would report and exit.
    std::signal(SIGSEGV, SIG_DFL);
    AttackAndLeave("write");
  };
  EXPECT_EXIT(attack(), testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace fsload
