// From a URI that does not work to the cause.
#ifndef FSLOAD_TOOLS_DOCTOR_DIAGNOSIS_H_
#define FSLOAD_TOOLS_DOCTOR_DIAGNOSIS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/load_report.h"
#include "fsload/plugin_loader.h"
#include "loader/discovery/plugin_catalog.h"

namespace fsload {

enum class StepVerdict : uint8_t {
  kOk,
  kNote,  // may be the cause, and is none for most
  kProblem,
};

// One thing that was looked at.
struct DiagnosisStep {
  StepVerdict verdict;
  std::string what;    // "plugin", "variable", "load", "stat" and so on
  std::string found;   // what came of it
  std::string repair;  // what to do; "" where nothing is to be done
};

// The plugin that the caller wants, instead of one that is looked for.
struct WantedPlugin {
  std::string name;  // in messages
  std::string path;  // "": it is no file
  std::function<LoadReport(const LoadOptions&)> load;
};

struct DiagnosisOptions {
  std::vector<WantedPlugin> plugins;  // none: the catalog's for the scheme
  LoadOptions load;                   // how plugins are loaded
  absl::Duration deadline = absl::Seconds(30);  // for all that is asked
};

// Looks for the plugin of the scheme of `uri` in `catalog`, or takes those of
// `options`, at the variables that it reads, and at what it needs; loads it in
// a child and asks it about `uri` (tools/doctor/uri_probe.h). In that order,
// and as far as that makes sense. Values of variables, which may be secrets,
// are not told. For a process with one thread.
std::vector<DiagnosisStep> Diagnose(const std::string& uri,
                                    PluginCatalog& catalog,
                                    const DiagnosisOptions& options);

// Whether no step is a problem.
bool AllIsWell(const std::vector<DiagnosisStep>& steps);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_DOCTOR_DIAGNOSIS_H_
