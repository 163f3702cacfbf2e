#include "tools/self_test/self_test_trials.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "loader/confined_load/confined_load.h"
#include "loader/trust/trust.h"
#include "third_party/fmt/format.h"
#include "tools/session/bundled_plugin.h"
#include "tools/session/session.h"

namespace fsload {
namespace {

absl::Status SystemError(const char* call, const std::string& path) {
  return absl::InternalError(
      Format("cannot create '{}': {}: {}; the rule was not tried", path, call,
             strerror(errno)));
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

// --- Made on the spot, from the bundled plugin if it is a plugin ---

absl::Status Nothing(const Fixtures&, const std::string&) {
  return absl::OkStatus();
}

absl::Status Directory(const Fixtures&, const std::string& path) {
  constexpr mode_t kOwners = 0700;
  return mkdir(path.c_str(), kOwners) == 0 ? absl::OkStatus()
                                           : SystemError("mkdir", path);
}

// All of it is a hole.
absl::Status TooLarge(const Fixtures&, const std::string& path) {
  constexpr int64_t kMaxBytes = int64_t{1} << 31;
  const absl::Status status = Write(path, "");
  if (!status.ok() || truncate(path.c_str(), kMaxBytes + 1) == 0) {
    return status;
  }
  return SystemError("truncate", path);
}

absl::Status Script(const Fixtures&, const std::string& path) {
  return Write(path, "#!/bin/sh\nexit 0\n");
}

absl::Status FirstHalf(const Fixtures&, const std::string& path) {
  return Write(path, Bundled().substr(0, Bundled().size() / 2));
}

// The bundled plugin with another byte at kOffset.
template <size_t kOffset, char kByte>
absl::Status Changed(const Fixtures&, const std::string& path) {
  std::string contents(Bundled());
  contents.at(kOffset) = kByte;
  return Write(path, contents);
}

absl::Status LinkToItself(const Fixtures&, const std::string& path) {
  return symlink(path.c_str(), path.c_str()) == 0
             ? absl::OkStatus()
             : SystemError("symlink", path);
}

std::string FolderOf(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// A plugin that is valid unless something else is wrong.
constexpr char kRight[] = "broken_shared_tables.so";

template <mode_t kFile, mode_t kFolder>
absl::Status WithModes(const Fixtures& fixtures, const std::string& path) {
  const absl::Status status = Write(path, fixtures.at(kRight));
  if (!status.ok() || (chmod(path.c_str(), kFile) == 0 &&
                       chmod(FolderOf(path).c_str(), kFolder) == 0)) {
    return status;
  }
  return SystemError("chmod", path);
}

constexpr char kVersioned[] = "libfsload_test_versions.so";

// The plugin that needs a version of its neighbour, beside this one.
template <const char* kNeighbour>
absl::Status WithNeighbour(const Fixtures& fixtures, const std::string& path) {
  const std::string beside = FolderOf(path) + "/beside";
  absl::Status status = Directory(fixtures, beside);
  status.Update(Write(path, fixtures.at("newer_neighbour.so")));
  status.Update(Write(beside + "/" + kVersioned, fixtures.at(kNeighbour)));
  return status;
}

constexpr char kOlder[] = "libfsload_test_versions_old.so";
constexpr char kUnversioned[] = "libfsload_test_versions_none.so";

absl::Status Right(const Fixtures& fixtures, const std::string& path) {
  return Write(path, fixtures.at(kRight));
}

constexpr size_t kType = offsetof(Elf64_Ehdr, e_type);
constexpr size_t kMachine = offsetof(Elf64_Ehdr, e_machine);
constexpr size_t kHeaderBytes = offsetof(Elf64_Ehdr, e_phentsize);

constexpr Trial kTrials[] = {
    {RuleId::kFileExists, "a path without a file", &Nothing},
    {RuleId::kRegularFile, "a directory", &Directory},
    {RuleId::kFileSize, "a file of 2 GiB and a byte", &TooLarge},
    {RuleId::kElf, "a script", &Script},
    {RuleId::kWellFormed, "a plugin with damaged headers",
     &Changed<kHeaderBytes, 1>},
    {RuleId::kElfClass, "a plugin for 32 bits", &Changed<EI_CLASS, ELFCLASS32>},
    {RuleId::kMachine, "a plugin for SPARC", &Changed<kMachine, EM_SPARC>},
    {RuleId::kSharedObject, "an executable", &Changed<kType, ET_EXEC>},
    {RuleId::kEntryPoint, "broken_no_entry.so"},
    {RuleId::kEntryGeneration, "broken_old_entry_2_1.so"},
    {RuleId::kFrameworkVersions, "versioned.so"},
    {RuleId::kRoomForImports, "no_room.so"},
    {RuleId::kDynamicLinking, "a plugin for a later ABI of this Unix",
     &Changed<EI_ABIVERSION, 9>},
    {RuleId::kStatusProvider, "incomplete_status.so"},
    {RuleId::kNeededLibraries, "missing_library.so"},
    {RuleId::kHostFunctions, "lacking_host_function.so"},
    {RuleId::kTensorFlowSymbols, "calls_tensorflow.so"},
    {RuleId::kOtherSymbols, "undefined_symbol.so"},
    {RuleId::kGlibcVersion, "newer_glibc.so"},
    {RuleId::kLibstdcxxVersion, "newer_libstdcxx.so"},
    {RuleId::kOtherVersions, "a plugin beside an older library",
     &WithNeighbour<kOlder>},
    {RuleId::kVersionsSomewhere, "a plugin beside a library without versions",
     &WithNeighbour<kUnversioned>},
    {RuleId::kCodeNotWritten, "text_relocation.so"},
    {RuleId::kStackNotExecutable, "executable_stack.so"},
    {RuleId::kTlsOnDemand, "static_tls.so"},
    {RuleId::kEntryUnmangled, "entry_mangled.so"},
    {RuleId::kEntryVisible, "entry_hidden.so"},
    {RuleId::kEntryVisible, "entry_local.so"},
    {RuleId::kEntryIsFunction, "entry_data.so"},
    {RuleId::kFileNotWorldWritable, "a world-writable file",
     &WithModes<0757, 0700>},
    {RuleId::kFolderNotWorldWritable, "a world-writable directory",
     &WithModes<0700, 0777>},
    {RuleId::kAllowed, "a plugin that is not on the list", &Right, ""},
    {RuleId::kAllowListReadable, "a malformed allow list", &Right, "no sum"},
    {RuleId::kReadable, "a link to itself", &LinkToItself},
    {RuleId::kWhole, "the first half of a plugin", &FirstHalf},
    {RuleId::kByteOrder, "a plugin for big-endian machines",
     &Changed<EI_DATA, ELFDATA2MSB>},
    {RuleId::kNoStubs, "missing_in_op.so", nullptr, nullptr,
     /*stub_missing_functions=*/true},
    {RuleId::kSystem, "a plugin for another kind of Unix",
     &Changed<EI_OSABI, ELFOSABI_AIX>},
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
    {RuleId::kTableSizeSane, "broken_size_huge.so"},
    {RuleId::kHooksWork, "broken_free_throws.so"},
    {RuleId::kHooksWork, "broken_hooks_swapped.so"},
    {RuleId::kInitSucceeds, "broken_init_fails.so"},
    {RuleId::kInitSucceeds, "broken_init_throws.so"},
    {RuleId::kInitSucceeds, "broken_second_init_fails.so"},
    {RuleId::kNoFatalSignal, "hostile_crashes_static.so"},
    {RuleId::kNoFatalSignal, "hostile_crashes_init.so"},
    {RuleId::kKeepsToItsStack, "hostile_overflows_stack_entry.so"},
    {RuleId::kLeavesProcessRunning, "hostile_exits_entry.so"},
    {RuleId::kLeavesThreadRunning, "hostile_pthread_exits_entry.so"},
    {RuleId::kComesToAnEnd, "hostile_hangs_cleanup.so"},
    {RuleId::kThrowsNothing, "hostile_throws_static.so"},
    {RuleId::kLeavesNoProcesses, "hostile_forks_and_hides_entry.so"},
    {RuleId::kKeepsDescriptors, "hostile_closes_descriptors_entry.so"},
    {RuleId::kKeepsSignalHandlers, "hostile_handles_signals_entry.so"},
    {RuleId::kPrintsLittle, "hostile_prints_megabytes_entry.so"},
    {RuleId::kNeedsNoRefusedCalls, "hostile_opens_socket_entry.so"},
    {RuleId::kKeepsWorkingDirectory, "hostile_changes_directory_entry.so"},
    {RuleId::kKeepsUmask, "hostile_changes_umask_entry.so"},
    {RuleId::kKeepsSignalMask, "hostile_blocks_signals_entry.so"},
    {RuleId::kKeepsEnvironment, "hostile_changes_environment_entry.so"},
    {RuleId::kKeepsFloatingPoint, "hostile_changes_rounding_entry.so"},
    {RuleId::kKeepsTimers, "hostile_starts_alarm_entry.so"},
    {RuleId::kKeepsTerminateHandler, "hostile_replaces_terminate_entry.so"},
    {RuleId::kLeavesDescriptors, "hostile_takes_descriptors_entry.so"},
    {RuleId::kCleanupThrowsNothing, "hostile_throws_cleanup.so"},
    {RuleId::kReportArrives, "hostile_damages_report_cleanup.so"},
};

constexpr Untried kUntried[] = {
    {RuleId::kCacheUsable, "needs a home directory that others can write to"},
    {RuleId::kWheelHasPlugin, "wheels are unpacked before anything is loaded"},
    {RuleId::kWheelWithinLimits,
     "wheels are unpacked before anything is loaded"},
    {RuleId::kWheelWellFormed, "wheels are unpacked before anything is loaded"},
    {RuleId::kWithinLimits, "needs a file built to exceed the limits"},
    {RuleId::kKeepsUser, "only root can become another user"},
    {RuleId::kTakesLittleMemory, "would use up the machine's memory"},
    {RuleId::kPrivateCopy, "only a system that refuses memfd_create breaks it"},
    {RuleId::kMappingsKnown, "only a system without /proc breaks it"},
    {RuleId::kSealed, "only a system that refuses mmap or mprotect breaks it"},
};

absl::Status Make(const Trial& trial, const Fixtures& fixtures,
                  const std::string& path) {
  try {
    if (trial.make != nullptr) return trial.make(fixtures, path);
    return Write(path, fixtures.at(std::string(trial.fixture)));
  } catch (const std::out_of_range&) {
    return absl::InternalError(
        "its broken plugin is missing from this executable; the rule was not "
        "tried");
  }
}

// The rules that the plugin at `path` breaks when loaded after the bundled one.
absl::StatusOr<std::set<RuleId>> RulesBrokenBy(const std::string& path,
                                               const Trust& trust,
                                               const Trial& trial) {
  // The deadline is what a hang waits for, and no fault of others on a busy
  // machine.
  const absl::Duration deadline = trial.rule == RuleId::kComesToAnEnd
                                      ? absl::Seconds(5)
                                      : absl::Seconds(60);
  const ConfinedReport report = LoadConfined(
      path,
      [&](const LoadOptions& options) {
        LoadOptions beside;
        beside.registry = options.registry;
        LoadNamed("", beside);
        LoadOptions trusting = options;
        trusting.trust = trust;
        trusting.stub_missing_functions = trial.stub_missing_functions;
        return LoadPlugin(path, trusting);
      },
      deadline);
  if (absl::IsInternal(report.load.status)) return report.load.status;
  std::set<RuleId> rules;
  for (const Finding& finding : report.load.findings) {
    rules.insert(finding.rule);
  }
  return rules;
}

std::string Names(const std::set<RuleId>& rules) {
  if (rules.empty()) return "none";
  return absl::StrJoin(
      rules, ", ", [](std::string* text, RuleId rule) { *text += Name(rule); });
}

}  // namespace

absl::Span<const Trial> AllTrials() { return kTrials; }

absl::Span<const Untried> AllUntried() { return kUntried; }

absl::Status Try(const Trial& trial, const Fixtures& fixtures,
                 const std::string& folder) {
  const std::string path = folder + "/plugin.so";
  absl::Status made = Directory(fixtures, folder);
  if (made.ok()) made = Make(trial, fixtures, path);
  Trust trust;
  if (made.ok() && trial.allow_list != nullptr) {
    trust.allow_list = folder + "/allow_list";
    made = Write(trust.allow_list, trial.allow_list);
  }
  if (!made.ok()) return made;
  absl::StatusOr<std::set<RuleId>> broken = RulesBrokenBy(path, trust, trial);
  if (!broken.ok()) return broken.status();
  if (trial.rule == RuleId::kStackNotExecutable) {
    broken->erase(RuleId::kDynamicLinking);  // glibc 2.41 refuses it, too
  }
  if (*broken == std::set<RuleId>{trial.rule}) return absl::OkStatus();
  return absl::InternalError(
      Format("only {} should fire, but {} did; this fsload's verdicts "
             "cannot be trusted",
             Name(trial.rule), Names(*broken)));
}

}  // namespace fsload
