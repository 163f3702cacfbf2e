#include "tools/self_test_trials.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "tools/bundled_plugin.h"
#include "tools/forked_load.h"

namespace fsload {
namespace {

absl::Status SystemError(const char* call, const std::string& path) {
  return absl::InternalError(
      fmt::format("wanted a file at '{}': {}: {}; the rule was not tried", path,
                  call, strerror(errno)));
}

absl::Status Write(const std::string& path, std::string_view contents) {
  std::ofstream file(path, std::ios::binary);
  file << contents;
  file.close();
  return file.good() ? absl::OkStatus() : SystemError("write", path);
}

std::string_view Bundled() {
  return {BundledPlugin().data(), BundledPlugin().size()};
}

// --- What is made on the spot, from the bundled plugin where it is one ---

absl::Status Nothing(const std::string&) { return absl::OkStatus(); }

absl::Status Directory(const std::string& path) {
  constexpr mode_t kOwners = 0700;
  return mkdir(path.c_str(), kOwners) == 0 ? absl::OkStatus()
                                           : SystemError("mkdir", path);
}

// All of it a hole.
absl::Status TooLarge(const std::string& path) {
  constexpr int64_t kMostBytes = int64_t{1} << 31;
  const absl::Status status = Write(path, "");
  if (!status.ok() || truncate(path.c_str(), kMostBytes + 1) == 0) {
    return status;
  }
  return SystemError("truncate", path);
}

absl::Status Script(const std::string& path) {
  return Write(path, "#!/bin/sh\nexit 0\n");
}

absl::Status FirstHalf(const std::string& path) {
  return Write(path, Bundled().substr(0, Bundled().size() / 2));
}

// The bundled plugin with another byte at kOffset.
template <size_t kOffset, char kByte>
absl::Status Changed(const std::string& path) {
  std::string contents(Bundled());
  contents.at(kOffset) = kByte;
  return Write(path, contents);
}

constexpr size_t kType = offsetof(Elf64_Ehdr, e_type);
constexpr size_t kMachine = offsetof(Elf64_Ehdr, e_machine);

constexpr Trial kTrials[] = {
    {RuleId::kReadable, "a path without a file", &Nothing},
    {RuleId::kRegularFile, "a directory", &Directory},
    {RuleId::kFileSize, "a file of 2 GiB and a byte", &TooLarge},
    {RuleId::kElf, "a script", &Script},
    {RuleId::kWellFormed, "the first half of a plugin", &FirstHalf},
    {RuleId::kElfClass, "a plugin for 32 bits", &Changed<EI_CLASS, ELFCLASS32>},
    {RuleId::kElfClass, "a plugin for big-endian machines",
     &Changed<EI_DATA, ELFDATA2MSB>},
    {RuleId::kMachine, "a plugin for SPARC", &Changed<kMachine, EM_SPARC>},
    {RuleId::kSharedObject, "an executable", &Changed<kType, ET_EXEC>},
    {RuleId::kEntryPoint, "broken_no_entry.so"},
    {RuleId::kEntryGeneration, "broken_old_entry_2_1.so"},
    {RuleId::kFrameworkVersions, "versioned.so"},
    {RuleId::kRoomForImports, "no_room.so"},
    {RuleId::kDynamicLinking, "undefined_symbol.so"},
    {RuleId::kStatusProvider, "incomplete_status.so"},
    {RuleId::kEntryReturns, "broken_throws_in_init_plugin.so"},
    {RuleId::kHasSchemes, "broken_no_schemes.so"},
    {RuleId::kFewSchemes, "broken_too_many_schemes.so"},
    {RuleId::kOpsArray, "broken_null_ops_array.so"},
    {RuleId::kSchemeString, "broken_null_scheme.so"},
    {RuleId::kSchemeString, "broken_unreadable_scheme.so"},
    {RuleId::kSchemeGrammar, "broken_bad_scheme.so"},
    {RuleId::kSchemeOnce, "broken_repeated_scheme.so"},
    {RuleId::kSchemeFree, "broken_taken.so"},
    {RuleId::kFilesystemTable, "broken_null_filesystem_ops.so"},
    {RuleId::kTableReadable, "broken_unreadable_table.so"},
    {RuleId::kTableHoldsRequired, "broken_size_too_small.so"},
    {RuleId::kTableOfPointers, "broken_size_not_multiple.so"},
    {RuleId::kTableKnown, "broken_larger_size.so"},
    {RuleId::kTableHasSize, "broken_table_without_size.so"},
    {RuleId::kAbi, "broken_wrong_abi.so"},
    {RuleId::kApi, "broken_newer_api.so"},
    {RuleId::kOpIsCode, "broken_op_not_code.so"},
    {RuleId::kRequiredOp, "broken_missing_init.so"},
    {RuleId::kRequiredOp, "broken_missing_cleanup.so"},
    {RuleId::kRequiredOp, "broken_missing_raf_cleanup.so"},
    {RuleId::kRequiredOp, "broken_missing_region_length.so"},
    {RuleId::kConditionalTable, "broken_missing_raf_table.so"},
    {RuleId::kConditionalTable, "broken_missing_writable_table.so"},
    {RuleId::kConditionalTable, "broken_missing_region_table.so"},
    {RuleId::kHooksSet, "broken_null_hooks.so"},
    {RuleId::kHooksTogether, "broken_one_hook.so"},
    {RuleId::kHooksAreCode, "broken_hook_not_code.so"},
    {RuleId::kHooksReplaced, "broken_hooks_left.so"},
    {RuleId::kMemoryAllocated, "broken_static_tables.so"},
    {RuleId::kInitSucceeds, "broken_init_fails.so"},
    {RuleId::kInitSucceeds, "broken_init_throws.so"},
    {RuleId::kInitSucceeds, "broken_second_init_fails.so"},
};

constexpr Untried kUntried[] = {
    {RuleId::kPrivateCopy, "only a system that refuses memfd_create breaks it"},
    {RuleId::kMappingsKnown, "only a system without /proc breaks it"},
    {RuleId::kSealed, "only a system that refuses mmap or mprotect breaks it"},
};

absl::Status Make(const Trial& trial,
                  const std::map<std::string, std::string>& fixtures,
                  const std::string& path) {
  if (trial.make != nullptr) return trial.make(path);
  const auto found = fixtures.find(std::string(trial.fixture));
  if (found != fixtures.end()) return Write(path, found->second);
  return absl::InternalError(
      "wanted it inside this executable, found it missing; the rule was not "
      "tried");
}

std::string Names(const std::set<RuleId>& rules) {
  if (rules.empty()) return "none";
  return absl::StrJoin(
      rules, ", ", [](std::string* text, RuleId rule) { *text += Name(rule); });
}

}  // namespace

absl::Span<const Trial> AllTrials() { return kTrials; }

absl::Span<const Untried> AllUntried() { return kUntried; }

absl::Status Try(const Trial& trial,
                 const std::map<std::string, std::string>& fixtures,
                 const std::string& path) {
  constexpr absl::Duration kDeadline = absl::Seconds(10);
  const absl::Status made = Make(trial, fixtures, path);
  if (!made.ok()) return made;
  const absl::StatusOr<std::set<RuleId>> broken =
      RulesBrokenBy(path, kDeadline);
  if (!broken.ok()) return broken.status();
  if (*broken == std::set<RuleId>{trial.rule}) return absl::OkStatus();
  return absl::InternalError(
      fmt::format("wanted {} alone to fire, found {}; this fsload's verdicts "
                  "cannot be trusted",
                  Name(trial.rule), Names(*broken)));
}

}  // namespace fsload
