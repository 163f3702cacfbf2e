// The process that an isolated plugin runs in.
#ifndef FSLOAD_LOADER_WORKER_WORKER_H_
#define FSLOAD_LOADER_WORKER_WORKER_H_

namespace fsload {

// Serves the process that started this one (loader/isolation/worker_watch.h):
// loads the plugin that it names and makes its calls, until it ends. Returns an
// exit code: 2, with a line of explanation, if nobody can be served. For a
// process with one thread.
int RunWorker();

}  // namespace fsload

#endif  // FSLOAD_LOADER_WORKER_WORKER_H_
