// A plugin in processes of its own, one after the other.
#ifndef FSLOAD_LOADER_ISOLATION_PLUGIN_WORKER_H_
#define FSLOAD_LOADER_ISOLATION_PLUGIN_WORKER_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/isolation.h"
#include "loader/isolation/load_request.h"
#include "loader/isolation/worker_process.h"

namespace fsload {

// Starts processes, and loads the same plugin into each. Thread-safe, also in a
// forked child, which starts its own.
class PluginWorker final {
 public:
  // Starts the first process, and fills `answer` with what its load found:
  // without file systems if the plugin was refused. `bytes` are the contents of
  // a plugin that never was a file. Fails like WorkerProcess::Start and Call.
  static absl::StatusOr<std::shared_ptr<PluginWorker>> Start(
      const LoadRequest& request, std::string bytes, const Isolation& isolation,
      LoadAnswer& answer);

  ~PluginWorker();
  PluginWorker(const PluginWorker&) = delete;
  PluginWorker& operator=(const PluginWorker&) = delete;

  // Returns the process, a new one if the last has ended. UNAVAILABLE if too
  // many have, or if it does not load what the first one loaded.
  absl::StatusOr<std::shared_ptr<WorkerProcess>> Process();

  // Returns the process if it runs; otherwise null.
  std::shared_ptr<WorkerProcess> Current();

 private:
  struct Running;

  PluginWorker(LoadRequest request, std::string bytes, Isolation isolation);

  Running& running();
  absl::StatusOr<std::shared_ptr<WorkerProcess>> StartProcess(
      LoadAnswer& answer) const;
  absl::StatusOr<std::shared_ptr<WorkerProcess>> Restart(
      const absl::Status& ending, size_t restarts) const;

  LoadRequest request_;
  const std::string bytes_;
  const Isolation isolation_;
  std::vector<std::string> schemes_;  // by their index
  std::atomic<Running*> running_;     // of this process
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_ISOLATION_PLUGIN_WORKER_H_
