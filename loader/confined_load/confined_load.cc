#include "loader/confined_load/confined_load.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "loader/confined_load/confined_child.h"
#include "loader/confined_load/make_confined_report.h"
#include "loader/confinement/confinement.h"

namespace fsload {
namespace {

// 4 GiB, or half of a smaller machine's memory: no plugin needs that much to
// load, and no plugin should bring a machine down.
uint64_t MemoryBytes() {
  constexpr uint64_t kMax = uint64_t{4} << 30;
  constexpr uint64_t kMin = uint64_t{1} << 30;
  struct sysinfo machine = {};
  if (sysinfo(&machine) != 0) return kMax;
  return std::clamp(uint64_t{machine.totalram} * machine.mem_unit / 2, kMin,
                    kMax);
}

// Enough for many threads and for memory that is reserved but never used; stops
// endless allocation.
constexpr uint64_t kAddressSpaceBytes = uint64_t{64} << 30;

// How many loads this process has descriptors for.
size_t MaxAtOnce() {
  constexpr rlim_t kOthers = 32;
  constexpr rlim_t kPerLoad = 6;
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  const rlim_t free = std::max(limit.rlim_cur, kOthers) - kOthers;
  return std::max<size_t>(1, free / kPerLoad);
}

// The size of the file that a plugin's name may be, of which the load makes a
// copy.
uint64_t BytesOfFile(const std::string& name) {
  std::error_code error;
  const uintmax_t bytes = std::filesystem::file_size(name, error);
  return error ? 0 : bytes;
}

}  // namespace

bool HasOneThread() {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return !error && std::distance(begin(tasks), end(tasks)) == 1;
}

std::unique_ptr<ConfinedLoad> ConfinedLoad::Start(std::string name,
                                                  const Loader& loader,
                                                  absl::Duration deadline,
                                                  ConfinedWork work,
                                                  bool network) {
  auto load = std::unique_ptr<ConfinedLoad>(
      new ConfinedLoad(std::move(name), deadline, work));
  ConfinementOptions confinement;
  // Only for a child that nobody watches any more: a plugin may use all
  // processors until the deadline.
  confinement.cpu_seconds = static_cast<unsigned>(
      (absl::ToInt64Seconds(deadline) + 1) * std::max(1, get_nprocs()));
  confinement.network = network;
  confinement.file_bytes += BytesOfFile(load->name_);
  confinement.address_space_bytes = kWithSanitizer ? 0 : kAddressSpaceBytes;
  ChildOptions options;
  options.deadline = deadline;
  options.decide_calls = true;
  options.max_memory_bytes = kWithSanitizer ? 0 : MemoryBytes();
  confinement.memory_bytes = options.max_memory_bytes;
  load->child_ = SupervisedChild::Start(
      [&](SharedMessages& messages, const ChildContext& context) {
        if (!context.scratch_folder.empty()) {
          confinement.writable_folders = {context.scratch_folder};
        }
        confinement.supervisor = context.supervisor;
        LoadAndCleanUp(messages, loader, confinement);
      },
      options);
  return load;
}

size_t ConfinedLoad::WaitForAny(
    absl::Span<const std::unique_ptr<ConfinedLoad>> loads,
    const std::function<bool()>& stop) {
  std::vector<SupervisedChild*> children;
  for (size_t i = 0; i < loads.size(); ++i) {
    if (!loads[i]->child_.ok()) return i;
    children.push_back(loads[i]->child_->get());
  }
  return SupervisedChild::WaitForAny(children, stop);
}

ConfinedReport ConfinedLoad::Finish() {
  const absl::StatusOr<ChildOutcome> outcome =
      child_.ok() ? (*child_)->Finish() : child_.status();
  ConfinedReport report;
  if (outcome.ok()) {
    report = MakeConfinedReport(name_, *outcome, deadline_, work_);
  } else {
    report.load.status = outcome.status();
    report.load.plugin = name_;
  }
  return report;
}

ConfinedReport LoadConfined(std::string name,
                            const ConfinedLoad::Loader& loader,
                            absl::Duration deadline) {
  return ConfinedLoad::Start(std::move(name), loader, deadline)->Finish();
}

void LoadAllConfined(
    absl::Span<const NamedLoader> plugins, size_t at_once,
    absl::Duration deadline,
    const std::function<void(const ConfinedReport&)>& report_to,
    const std::function<bool()>& stop) {
  at_once = std::min(at_once, MaxAtOnce());
  std::vector<std::unique_ptr<ConfinedLoad>> loads;
  std::vector<size_t> indices;  // of the loads, in `plugins`
  std::map<size_t, ConfinedReport> unreported;
  size_t started = 0;
  for (size_t reported = 0; reported < plugins.size();) {
    if (stop != nullptr && stop()) return;
    for (; started < plugins.size() && loads.size() < at_once; ++started) {
      const NamedLoader& plugin = plugins[started];
      loads.push_back(ConfinedLoad::Start(plugin.name, plugin.loader, deadline,
                                          plugin.work, plugin.network));
      indices.push_back(started);
    }
    const size_t ended = ConfinedLoad::WaitForAny(loads, stop);
    if (ended == loads.size()) return;
    unreported[indices[ended]] = loads[ended]->Finish();
    loads.erase(loads.begin() + ended);
    indices.erase(indices.begin() + ended);
    for (; unreported.count(reported) != 0; ++reported) {
      report_to(unreported[reported]);
      unreported.erase(reported);
    }
  }
}

}  // namespace fsload
