// Finds out what a plugin does with a URI, in a process that may crash or hang.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/load_report.h"
#include "fsload/plugin_loader.h"

namespace fsload {

// The question whether the plugin's server can be reached.
inline constexpr char kServer[] = "server";

// The result of one question.
struct ProbeAnswer {
  // "load", "uri", kServer, or an operation of the facade: "get_children"
  std::string what;
  absl::Status status;
  std::string found;  // if the status is OK: "a file of 3 bytes"
};

struct ProbeReport {
  // Answered questions, in the order in which they were asked.
  std::vector<ProbeAnswer> answers;

  // Functions that it calls and nobody provides (LoadReport::stubs).
  std::vector<std::string> stubs;

  // "" if the process finished; else how it died, as in
  // "path_exists crashed with SIGSEGV (segmentation fault) at address 0x8, in
  // x::Connect()+0x9".
  std::string crash;
  bool hung = false;  // past the deadline, which `crash` says too

  std::string output;  // what the plugin printed
};

struct ProbeOptions {
  // Loads the plugin with the given options.
  std::function<LoadReport(const LoadOptions&)> load;

  // A library that the plugin opens by itself, which is opened too, and the
  // folder where the plugin looks first ("": none). "": no library.
  std::string library;
  std::string library_folder;

  absl::Duration deadline = absl::Seconds(30);
};

// Loads a plugin in a supervised child (loader/supervision/supervised_child.h)
// with all rights of this process, as it must reach its server, and asks it
// about `uri`: whether its server can be reached, path_exists, stat, then a
// read or a listing, until a question gets no answer or nothing is there.
// Writes nothing. The process must have one thread. INTERNAL if no child can be
// started.
absl::StatusOr<ProbeReport> ProbeUri(const std::string& uri,
                                     const ProbeOptions& options);

}  // namespace fsload
