#include "loader/confinement/process_tree.h"

#include <dirent.h>
#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "core/system/descriptor.h"
#include "core/system/proc_fields.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Reads the fields of the file of this name that the kernel has for `process`.
ProcFields FieldsOf(pid_t process, const char* name) {
  return ProcFields(Format("/proc/{}/{}", process, name).c_str());
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
  const ProcFields status = FieldsOf(process, "status");
  ProcessUsage usage;
  if (status.Text("Pid").empty()) return usage;
  usage.parent = static_cast<pid_t>(status.Number("PPid"));
  usage.group = static_cast<pid_t>(status.Number("Tgid"));
  usage.tasks = static_cast<int>(status.Number("Threads"));
  usage.ended = status.Text("State").substr(0, 1) == "Z";
  usage.private_bytes = status.Bytes("RssAnon") + status.Bytes("VmSwap");
  usage.shared_bytes = status.Bytes("RssShmem");
  return usage;
}

std::optional<uint64_t> ProportionalBytesOf(pid_t process) {
  const ProcFields sums = FieldsOf(process, "smaps_rollup");
  if (sums.Text("Pss_Anon").empty()) return std::nullopt;
  return sums.Bytes("Pss_Anon") + sums.Bytes("Pss_Shmem") +
         sums.Bytes("SwapPss");
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
