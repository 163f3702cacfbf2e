#include "loader/loading/plugin_check.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/calls/plugin_call.h"
#include "core/tables/operations.h"
#include "fsload/load_phase.h"
#include "loader/known_plugins/disabled_ops.h"
#include "loader/report/debug.h"
#include "loader/tables/code_map.h"
#include "loader/tables/plugin_tables.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// The hooks in the TF_FilesystemPluginInfo that a plugin gets.
void* HostAllocate(size_t bytes) { return std::calloc(1, bytes); }
void HostFree(void* memory) { std::free(memory); }

// Calls TF_InitPlugin; false, with a finding, if it throws.
bool Initialize(InitFunction init, TF_FilesystemPluginInfo& info,
                Findings& findings) {
  const StatusProvider own;
  CallStatus status(own);
  CallPlugin(status, [&] { init(&info); });
  if (status.ok()) return true;
  findings.Add(
      RuleId::kEntryReturns,
      Format("TF_InitPlugin failed: {}; the plugin's schemes are unknown",
             TF_Message(status.get())));
  return false;
}

// The executable code in this process; none, with a finding, if it cannot be
// read.
std::optional<CodeMap> ReadCodeMap(Findings& findings) {
  errno = 0;
  std::optional<CodeMap> code = CodeMap::Read();
  if (code.has_value()) return code;
  const int error = errno;
  if (error == EMFILE) {
    findings.Add(RuleId::kLeavesDescriptors,
                 Format("/proc/self/maps cannot be opened: {}; close unused "
                        "files, or raise the limit (ulimit -n)",
                        strerror(error)));
  } else {
    findings.AddRefusal(
        RuleId::kMappingsKnown, error,
        Format("cannot read /proc/self/maps: {}; code cannot be "
               "distinguished from data",
               error == 0 ? "it is empty" : strerror(error)));
  }
  return std::nullopt;
}

// Adds all schemes to `checked`, the valid ones with sealed tables.
void Seal(const std::vector<CopiedScheme>& copies, const std::string& name,
          OpObserver* observer, CheckedPlugin& checked) {
  std::vector<SchemeTables> tables;
  std::vector<size_t> right;  // their indices in checked.schemes
  for (const CopiedScheme& copy : copies) {
    checked.schemes.push_back({copy.report, std::nullopt});
    if (checked.findings.SchemeRefused(copy.scheme)) continue;
    tables.push_back(copy.tables);
    tables.back().observer = observer;
    right.push_back(checked.schemes.size() - 1);
  }
  LogLoadStep(name, Format("{} of {} schemes have valid tables", tables.size(),
                           copies.size()));
  if (tables.empty()) return;
  const absl::StatusOr<std::vector<OpTables>> sealed = OpTables::Seal(tables);
  if (!sealed.ok()) {
    checked.findings.Add(
        RuleId::kSealed,
        Format("cannot seal the tables: {}; they are not used unsealed",
               std::string(sealed.status().message())));
    return;
  }
  for (size_t i = 0; i < right.size(); ++i) {
    checked.schemes[right[i]].tables = (*sealed)[i];
  }
}

}  // namespace

void LogLoadStep(std::string_view plugin, std::string_view step) {
  if (!IsDebugged(DebugTopic::kLoader)) return;
  LogDebug(DebugTopic::kLoader, Format("{}: {}", plugin, step));
}

std::optional<CheckedPlugin> CheckPlugin(
    const std::string& name, std::string_view known_as, InitFunction init,
    const StatusProvider& status, const LoadOptions& options,
    OpObserver* observer, Findings& findings) {
  const auto enter = [&options](LoadPhase phase) {
    if (options.on_phase != nullptr) options.on_phase(phase, "");
  };
  const MemoryHooks host = {&HostAllocate, &HostFree};
  TF_FilesystemPluginInfo info = {0, nullptr, host.allocate, host.free};
  enter(LoadPhase::kEntry);
  if (options.on_entry != nullptr) options.on_entry(&info);
  if (!Initialize(init, info, findings)) return std::nullopt;
  enter(LoadPhase::kCopyingTables);
  const std::optional<CodeMap> code = ReadCodeMap(findings);
  if (!code.has_value()) return std::nullopt;
  LogLoadStep(name,
              Format("TF_InitPlugin returned {} schemes", info.num_schemes));
  CheckedPlugin checked;
  bool hooks = CheckHooks(info, host, *code, checked.findings);
  const std::vector<TF_FilesystemPluginOps> schemes =
      CopySchemes(info, checked.findings);
  std::vector<CopiedScheme> copies =
      CopyAndCheckTables(info, schemes, status, *code, checked.findings);
  if (!options.allow_damaging_operations) {
    for (CopiedScheme& copy : copies) {
      DisableKnown(known_as, options.trust_untested, copy);
    }
  }
  if (hooks && options.try_hooks) {
    enter(LoadPhase::kHooks);
    hooks = TryHooks(info, checked.findings);
  }
  if (hooks && !schemes.empty()) {
    enter(LoadPhase::kFreeing);
    FreeHandedOver(info, schemes, checked.findings);
  }
  Seal(copies, name, observer, checked);
  return checked;
}

}  // namespace fsload
