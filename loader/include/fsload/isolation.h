// Plugins in processes of their own.
#ifndef FSLOAD_ISOLATION_H_
#define FSLOAD_ISOLATION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "fsload/export.h"
#include "fsload/stop_token.h"

namespace FSLOAD_API fsload {

// How a plugin is loaded into a process of its own, the worker
// (LoadOptions::isolation, docs/isolation.md). If the worker ends, the calls
// that it was making and the files that it had open fail with UNAVAILABLE; the
// next call starts a new worker, which is configured as the last one was.
struct Isolation {
  // How long the plugin may take for a call, or for the load; a longer one is
  // DEADLINE_EXCEEDED, and the worker is ended. Not counted is what a call
  // waits for before: a new worker and its load and, where 64 calls run, the
  // end of one of them; if that takes as long, it is DEADLINE_EXCEEDED, too,
  // but the worker goes on (docs/isolation.md). INVALID_ARGUMENT unless it is
  // longer than 0.
  absl::Duration call_timeout = absl::InfiniteDuration();

  // Ends the worker when a stop is requested: calls in progress are CANCELLED,
  // and so are those that follow.
  StopToken stop;

  // The most new workers that are started within any minute, after growing
  // pauses; 0 or less: none. Beyond that, calls are UNAVAILABLE and say why the
  // last worker ended.
  int restarts = 3;

  // Limits the worker's address space, in bytes; allocations beyond it fail. An
  // SDK may reserve far more than it uses. 0: no limit.
  uint64_t memory_limit = 0;

  // Forbids the worker to execute programs, to open Unix-domain sockets, to
  // start, trace or signal processes, to change the modes of files, and to
  // write to files outside `writable_folders` and a directory of its own, which
  // it finds in TMPDIR and which is removed at its end. It may use the network.
  // What the system cannot enforce is a warning in the log (docs/isolation.md).
  bool confined = false;

  // Paths of directories that a confined worker may write to, with all that is
  // in them. Each must exist whenever a worker is started. INVALID_ARGUMENT
  // unless `confined` is true.
  std::vector<std::string> writable_folders;

  // The environment of each worker is that of this process when it loads the
  // plugin, with these variables set, or, where there is no value, without
  // them.
  std::map<std::string, std::optional<std::string>> environment;

  // The path of the program fsload-worker; "": LIBDIR/fsload/fsload-worker of
  // fsload's installation. It must be of this version, and not be
  // world-writable.
  std::string worker;
};

}  // namespace fsload

#endif  // FSLOAD_ISOLATION_H_
