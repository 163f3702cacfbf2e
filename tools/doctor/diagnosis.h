// Finds out why a URI does not work.
#pragma once

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
  kNote,  // a possible cause, but rarely the cause
  kProblem,
};

// One thing that was examined.
struct DiagnosisStep {
  StepVerdict verdict;
  std::string what;    // "plugin", "variable", "load", "stat" and so on
  std::string found;   // the result
  std::string repair;  // what to do; "" if nothing
  std::vector<std::string> names = {};  // all that `found` only counts
};

// A plugin that the caller names, instead of one from the catalog.
struct WantedPlugin {
  std::string name;  // for messages
  std::string path;  // "": not a file
  std::function<LoadReport(const LoadOptions&)> load;
};

struct DiagnosisOptions {
  std::vector<WantedPlugin> plugins;            // empty: from the catalog
  LoadOptions load;                             // how plugins are loaded
  absl::Duration deadline = absl::Seconds(30);  // for all questions together
};

// Finds the plugin for the scheme of `uri` in `catalog`, or takes those of
// `options`; examines the variables it reads and what it needs; loads it in a
// child process and asks it about `uri` (tools/doctor/uri_probe.h). Stops where
// going on makes no sense. At last, whether TensorFlow could load it. Never
// shows the values of variables, which may be secrets. The process must have
// one thread.
std::vector<DiagnosisStep> Diagnose(const std::string& uri,
                                    PluginCatalog& catalog,
                                    const DiagnosisOptions& options);

// Returns the step for undefined functions; `names` is not empty.
DiagnosisStep UndefinedFunctionsStep(const std::vector<std::string>& names);

// Returns whether no step found a problem.
bool AllIsWell(const std::vector<DiagnosisStep>& steps);

}  // namespace fsload
