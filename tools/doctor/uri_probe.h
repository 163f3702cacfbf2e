// What a plugin makes of a URI, found out where it may crash or hang.
#ifndef FSLOAD_TOOLS_DOCTOR_URI_PROBE_H_
#define FSLOAD_TOOLS_DOCTOR_URI_PROBE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/load_report.h"
#include "fsload/plugin_loader.h"

namespace fsload {

// What came of one thing that was asked for.
struct ProbeAnswer {
  std::string what;  // "load", or a facade's operation: "get_children"
  absl::Status status;
  std::string found;  // where the status is OK: "a file of 3 bytes"
};

struct ProbeReport {
  // In the order in which they were asked: those that were answered.
  std::vector<ProbeAnswer> answers;

  // Functions that it calls and that nobody has (LoadReport::stand_ins).
  std::vector<std::string> stand_ins;

  // "" where it came to its end; else how it died, as in "path_exists died of
  // signal 11 (Segmentation fault) at address 0x8, in x::Connect()+0x9".
  std::string death;
  bool hung = false;  // the deadline passed, which `death` says as well

  std::string output;  // what the plugin printed
};

struct ProbeOptions {
  // Loads the plugin with the options that it is given.
  std::function<LoadReport(const LoadOptions&)> load;

  // A library that the plugin opens by itself, and in which folder it looks
  // first ("": in none): it is opened as well. "": there is none.
  std::string library;
  std::string library_folder;

  absl::Duration deadline = absl::Seconds(30);
};

// Loads a plugin in a supervised child (loader/supervision/supervised_child.h)
// with all rights of this process, for it is to reach its server, and asks it
// about `uri`: path_exists, stat, and what can be read of it, as long as
// answers come. Writes nothing. For a process with one thread. INTERNAL when
// there is no child to be had.
absl::StatusOr<ProbeReport> ProbeUri(const std::string& uri,
                                     const ProbeOptions& options);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_DOCTOR_URI_PROBE_H_
