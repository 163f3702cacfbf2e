#include "loader/confinement/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/descriptor.h"

namespace fsload {
namespace {

constexpr uint64_t kUnit = 1024;  // of the kernel's numbers

// The number after `name`, which begins a line of `text`; 0 if there is none.
// The first line, the process's name, cannot forge another: newlines in it are
// escaped.
uint64_t Field(const std::string& text, const std::string& name) {
  const size_t at = text.find("\n" + name + ":");
  if (at == std::string::npos) return 0;
  return std::strtoull(text.c_str() + at + name.size() + 2, nullptr, 10);
}

// Reads the file of this name that the kernel has for `process`.
std::string ReadFileOf(pid_t process, const char* name) {
  const std::string path = "/proc/" + std::to_string(process) + "/" + name;
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[8192];
  const ssize_t bytes = file.ok() ? read(file.get(), text, sizeof(text)) : 0;
  return {text, bytes > 0 ? static_cast<size_t>(bytes) : 0};
}

std::map<pid_t, ProcessUsage> AllProcesses() {
  std::map<pid_t, ProcessUsage> all;
  DIR* const processes = opendir("/proc");
  if (processes == nullptr) return all;
  while (const dirent* const entry = readdir(processes)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process > 0) all[process] = UsageOf(process);
  }
  closedir(processes);
  return all;
}

}  // namespace

ProcessUsage UsageOf(pid_t process) {
  const std::string status = ReadFileOf(process, "status");
  if (status.empty()) return {};
  constexpr std::string_view kState = "\nState:\t";
  ProcessUsage usage;
  usage.parent = static_cast<pid_t>(Field(status, "PPid"));
  usage.group = static_cast<pid_t>(Field(status, "Tgid"));
  usage.tasks = static_cast<int>(Field(status, "Threads"));
  const size_t state = status.find(kState);
  usage.ended = state != std::string::npos &&
                state + kState.size() < status.size() &&
                status[state + kState.size()] == 'Z';
  usage.private_bytes =
      kUnit * (Field(status, "RssAnon") + Field(status, "VmSwap"));
  usage.shared_bytes = kUnit * Field(status, "RssShmem");
  return usage;
}

std::optional<uint64_t> ProportionalBytesOf(pid_t process) {
  const std::string sums = ReadFileOf(process, "smaps_rollup");
  if (sums.find("\nPss_Anon:") == std::string::npos) return std::nullopt;
  return kUnit * (Field(sums, "Pss_Anon") + Field(sums, "Pss_Shmem") +
                  Field(sums, "SwapPss"));
}

bool ShareMemory(pid_t a, pid_t b) {
  return syscall(SYS_kcmp, a, b, KCMP_VM, 0, 0) == 0;
}

std::map<pid_t, ProcessUsage> DescendantsOf(pid_t root) {
  std::map<pid_t, ProcessUsage> others = AllProcesses();
  std::multimap<pid_t, pid_t> children;
  for (const auto& [process, usage] : others) {
    children.emplace(usage.parent, process);
  }
  std::map<pid_t, ProcessUsage> found;
  others.erase(root);
  std::vector<pid_t> parents = {root};
  while (!parents.empty()) {
    const auto [begin, end] = children.equal_range(parents.back());
    parents.pop_back();
    for (auto child = begin; child != end; ++child) {
      // Processes come and go while they are listed, so a reused number could
      // form a cycle.
      const auto unseen = others.extract(child->second);
      if (unseen.empty()) continue;
      parents.push_back(child->second);
      found.emplace(unseen.key(), unseen.mapped());
    }
  }
  return found;
}

int TasksOfDescendants(pid_t root) {
  int tasks = 0;
  for (const auto& [process, usage] : DescendantsOf(root)) tasks += usage.tasks;
  return tasks;
}

int KillDescendants(pid_t root) {
  const std::map<pid_t, ProcessUsage> descendants = DescendantsOf(root);
  int running = 0;
  for (const auto& [process, usage] : descendants) {
    if (usage.ended) continue;
    ++running;
    // The handle keeps referring to this process even if its number is reused;
    // the number may already be another's.
    const Descriptor handle(
        static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
    if (!handle.ok() && errno != ENOSYS) continue;
    const pid_t parent = UsageOf(process).parent;
    if (parent == root || descendants.count(parent) != 0) {
      if (handle.ok()) {
        syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
      } else {
        kill(process, SIGKILL);
      }
    }
  }
  return running;
}

bool DescendsFrom(pid_t process, pid_t root) {
  constexpr int kMaxSteps = 4096;
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    const pid_t parent = UsageOf(process).parent;
    if (parent <= 0) return false;
    if (parent == root) return true;
    process = parent;
  }
  return false;
}

}  // namespace fsload
