#include "loader/confinement/confinement.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/system/descriptor.h"
#include "loader/confinement/call_filter.h"
#include "loader/confinement/call_rules.h"
#include "loader/confinement/syscall_broker.h"
#include "third_party/fmt/format.h"

#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)  // kernel 6.2
#endif

namespace fsload {
namespace {

std::string NotAvailable(std::string_view means, std::string_view why) {
  return Format("{}{} ({})", kNotAvailable, means, why);
}

std::string NotAvailable(std::string_view means, int error) {
  return NotAvailable(means, strerror(error));
}

std::string Limit(std::string means, int resource, uint64_t value) {
  const rlimit limit = {value, value};
  if (setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) {
    return NotAvailable(means, errno);
  }
  return means;
}

constexpr int kLandlockWithTruncation = 3;  // kernel 6.2

constexpr uint64_t kDevices =
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK;

int Landlock(long call, const void* first, size_t second, unsigned third) {
  return static_cast<int>(syscall(call, first, second, third));
}

// Allows writing below `path` in `ruleset`.
bool AllowWriting(int ruleset, const std::string& path, uint64_t access) {
  const Descriptor folder(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!folder.ok()) return false;
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = access;
  rule.parent_fd = folder.get();
  return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
                 &rule, 0) == 0;
}

// The version of Landlock here, at most that of `options`; 0 if there is none.
int LandlockVersion(const ConfinementOptions& options) {
  const int version = Landlock(SYS_landlock_create_ruleset, nullptr, 0,
                               LANDLOCK_CREATE_RULESET_VERSION);
  return std::clamp(version, 0, options.max_landlock);
}

std::string RestrictWriting(const std::vector<std::string>& folders,
                            int version) {
  const std::string means =
      folders.empty() ? "writes nowhere"
      : folders.size() == 1
          ? "writes to a scratch directory only"
          : Format("writes to {} directories only", folders.size());
  if (version < 1) return NotAvailable(means, EOPNOTSUPP);
  uint64_t access =
      LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
      LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
      LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (version >= 2) access |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= kLandlockWithTruncation) access |= LANDLOCK_ACCESS_FS_TRUNCATE;
  landlock_ruleset_attr attributes = {};
  attributes.handled_access_fs = access;
  const Descriptor ruleset(Landlock(SYS_landlock_create_ruleset, &attributes,
                                    sizeof(attributes), 0));
  if (!ruleset.ok()) return NotAvailable(means, errno);
  const bool restricted =
      std::all_of(folders.begin(), folders.end(),
                  [&](const std::string& folder) {
                    return AllowWriting(ruleset.get(), folder,
                                        access & ~kDevices);
                  }) &&
      AllowWriting(ruleset.get(), "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE) &&
      syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
  return restricted ? Format("{} (Landlock ABI {})", means, version)
                    : NotAvailable(means, errno);
}

constexpr int kLastCapability = 63;  // more than any kernel has

// Keeps root's rights to read all files, because a plugin may be anywhere, and
// to change user, which must not happen unnoticed. Drops all others: to make
// devices, to raise limits, to change the machine.
std::string DropCapabilities() {
  constexpr std::string_view kMeans =
      "no capabilities except to read files and to change users";
  constexpr uint64_t kKept = uint64_t{1} << CAP_DAC_READ_SEARCH |
                             uint64_t{1} << CAP_SETUID |
                             uint64_t{1} << CAP_SETGID;
  constexpr int kHalf = 32;
  for (int i = 0; i <= kLastCapability; ++i) {
    // Without the right to drop these, they could not be gained through them
    // either.
    if ((kKept >> i & 1) == 0) prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
  }
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2] = {};
  if (syscall(SYS_capget, &header, sets) != 0) {
    return NotAvailable(kMeans, errno);
  }
  for (int i = 0; i < 2; ++i) {
    const auto kept = static_cast<uint32_t>(kKept >> (i * kHalf));
    sets[i].effective &= kept;
    sets[i].permitted &= kept;
    sets[i].inheritable = 0;
  }
  if (syscall(SYS_capset, &header, sets) != 0) {
    return NotAvailable(kMeans, errno);
  }
  return std::string(kMeans);
}

// If memory runs out, the kernel kills this process first.
void OfferToEndFirst() {
  const Descriptor file(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (file.ok()) static_cast<void>(!write(file.get(), "1000", 4));
}

// Filters system calls by asking the supervisor.
absl::Status FilterByAsking(const std::vector<CallRule>& rules,
                            int supervisor) {
  const absl::StatusOr<int> listener = FilterCalls(rules, /*ask=*/true);
  if (!listener.ok()) return listener.status();
  // If this fails, the supervisor never answers, and the deadline passes.
  SendDescriptor(supervisor, *listener);
  close(*listener);
  return absl::OkStatus();
}

// Filters system calls, asking the supervisor if possible.
std::vector<std::string> RestrictCalls(const ConfinementOptions& options,
                                       int landlock) {
  const std::string means = Format(
      "no {}{}tracing or signals to other processes",
      options.network ? "" : "sockets, ", options.programs ? "" : "programs, ");
  const std::string counted =
      Format("at most {} threads and processes", kMaxTasks);
  CallPolicy policy;
  policy.network = options.network;
  policy.programs = options.programs;
  policy.truncation_confined = landlock >= kLandlockWithTruncation;
  policy.process = getpid();
  const std::vector<CallRule> rules = CallRules(policy);
  const std::string filters = Format("{} (seccomp)", means);
  std::vector<std::string> lines;
  if (options.supervisor >= 0) {
    const absl::Status asked = FilterByAsking(rules, options.supervisor);
    if (asked.ok()) return {counted, filters};
    lines.push_back(NotAvailable(counted, std::string(asked.message())));
  }
  const absl::Status filtered = FilterCalls(rules, /*ask=*/false).status();
  lines.push_back(filtered.ok()
                      ? filters
                      : NotAvailable(means, std::string(filtered.message())));
  return lines;
}

}  // namespace

std::vector<std::string> ConfineThisProcess(const ConfinementOptions& options) {
  constexpr std::string_view kNoNewPrivileges = "no new privileges";
  constexpr int kMebi = 20;
  const int kept = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  std::vector<std::string> lines;
  lines.push_back(kept == 0 ? std::string(kNoNewPrivileges)
                            : NotAvailable(kNoNewPrivileges, errno));
  lines.push_back(Limit("no core dumps", RLIMIT_CORE, 0));
  if (options.cpu_seconds != 0) {
    lines.push_back(Limit(Format("{} s of CPU time", options.cpu_seconds),
                          RLIMIT_CPU, options.cpu_seconds));
  }
  if (options.file_bytes != 0) {
    lines.push_back(
        Limit(Format("{} MiB per file", options.file_bytes >> kMebi),
              RLIMIT_FSIZE, options.file_bytes));
  }
  lines.push_back(
      options.address_space_bytes == 0
          ? "any address space (a sanitizer needs more than any limit)"
          : Limit(Format("{} MiB of address space",
                         options.address_space_bytes >> kMebi),
                  RLIMIT_AS, options.address_space_bytes));
  lines.push_back(
      options.memory_bytes == 0
          ? "any memory (a sanitizer needs more than any limit)"
          : Format("{} MiB of memory", options.memory_bytes >> kMebi));
  OfferToEndFirst();
  const int landlock = LandlockVersion(options);
  lines.push_back(RestrictWriting(options.writable_folders, landlock));
  lines.push_back(DropCapabilities());
  for (std::string& line : RestrictCalls(options, landlock)) {
    lines.push_back(std::move(line));
  }
  if (options.supervisor >= 0) close(options.supervisor);
  return lines;
}

std::vector<std::string> UnavailableConfinement() {
  std::vector<std::string> lines;
  if (LandlockVersion({}) == 0) {
    lines.push_back(
        Format("Landlock is not available ({}): `fsload check` "
               "cannot keep plugins from writing files",
               strerror(errno)));
  }
  const uint32_t action = SECCOMP_RET_ERRNO;
  if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0) {
    lines.push_back(
        Format("seccomp is not available ({}): `fsload check` "
               "cannot keep plugins from using the network",
               strerror(errno)));
  }
  return lines;
}

}  // namespace fsload
