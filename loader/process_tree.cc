#include "loader/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

namespace fsload {
namespace {

// The number behind `name`, which begins a line of `text`; 0 where there is
// none. The first line, the process's name, cannot pretend to be another: line
// ends in it are escaped.
uint64_t Field(const std::string& text, const std::string& name) {
  const size_t at = text.find("\n" + name + ":");
  if (at == std::string::npos) return 0;
  return std::strtoull(text.c_str() + at + name.size() + 2, nullptr, 10);
}

std::string ReadStatus(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process) + "/status";
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return "";
  char text[8192];
  const ssize_t bytes = read(fd, text, sizeof(text));
  close(fd);
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

// Of the files of memfd_create that `process` has open.
uint64_t MemoryFileBytes(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process) + "/fd";
  DIR* const files = opendir(folder.c_str());
  if (files == nullptr) return 0;
  constexpr uint64_t kBlock = 512;
  constexpr std::string_view kName = "/memfd:";
  std::map<ino_t, uint64_t> bytes;
  while (const dirent* const entry = readdir(files)) {
    char target[32];
    struct stat status = {};
    const ssize_t length =
        readlinkat(dirfd(files), entry->d_name, target, sizeof(target));
    if (length >= static_cast<ssize_t>(kName.size()) &&
        std::string_view(target, kName.size()) == kName &&
        fstatat(dirfd(files), entry->d_name, &status, 0) == 0) {
      bytes[status.st_ino] = kBlock * status.st_blocks;
    }
  }
  closedir(files);
  uint64_t sum = 0;
  for (const auto& [file, size] : bytes) sum += size;
  return sum;
}

}  // namespace

ProcessUsage UsageOf(pid_t process) {
  const std::string status = ReadStatus(process);
  if (status.empty()) return {};
  constexpr uint64_t kUnit = 1024;
  ProcessUsage usage;
  usage.parent = static_cast<pid_t>(Field(status, "PPid"));
  usage.group = static_cast<pid_t>(Field(status, "Tgid"));
  usage.tasks = static_cast<int>(Field(status, "Threads"));
  usage.private_bytes =
      kUnit * (Field(status, "RssAnon") + Field(status, "VmSwap"));
  usage.shared_bytes = kUnit * Field(status, "RssShmem");
  return usage;
}

uint64_t MemoryOf(pid_t process) {
  const ProcessUsage usage = UsageOf(process);
  // What is mapped is mostly of such files.
  return usage.private_bytes +
         std::max(usage.shared_bytes, MemoryFileBytes(process));
}

TreeUsage UsageOfDescendants(pid_t root) {
  const std::map<pid_t, ProcessUsage> all = AllProcesses();
  TreeUsage sum;
  for (const auto& [process, usage] : all) {
    pid_t ancestor = process;
    // Processes come and go while they are listed, so parents may be missing,
    // and a number used again could close a circle.
    for (size_t steps = 0; steps < all.size() && ancestor != root; ++steps) {
      const auto found = all.find(ancestor);
      if (found == all.end()) break;
      ancestor = found->second.parent;
    }
    if (ancestor != root || process == root) continue;
    sum.tasks += usage.tasks;
    sum.memory_bytes += MemoryOf(process);
  }
  return sum;
}

bool DescendsFrom(pid_t process, pid_t root) {
  constexpr int kMostSteps = 4096;
  for (int steps = 0; steps < kMostSteps; ++steps) {
    const pid_t parent = UsageOf(process).parent;
    if (parent <= 0) return false;
    if (parent == root) return true;
    process = parent;
  }
  return false;
}

}  // namespace fsload
