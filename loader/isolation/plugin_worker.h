// A plugin in processes of its own, one after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/system/of_process.h"
#include "fsload/isolation.h"
#include "loader/isolation/load_request.h"
#include "loader/isolation/worker_environment.h"
#include "loader/isolation/worker_process.h"

namespace fsload {

// Starts processes, and loads the same plugin into each. Thread-safe, also in a
// forked child, which starts its own.
class PluginWorker final {
 public:
  // Starts the first process, and fills `answer` with what its load found:
  // without file systems if the plugin was refused. `bytes` are the contents of
  // a plugin that never was a file, `environment` is this process's. Fails like
  // WorkerProcess::Start and Call, and FAILED_PRECONDITION if the program, or a
  // directory for it, is missing.
  static absl::StatusOr<std::shared_ptr<PluginWorker>> Start(
      const LoadRequest& request, std::string bytes, const Isolation& isolation,
      Environment environment, LoadAnswer& answer);

  ~PluginWorker();
  PluginWorker(const PluginWorker&) = delete;
  PluginWorker& operator=(const PluginWorker&) = delete;

  // Returns the process, a new one if the last has ended. UNAVAILABLE if too
  // many have, or if none can be started that loads what the first one loaded;
  // RESOURCE_EXHAUSTED without memory or threads for it; CANCELLED once a stop
  // is requested.
  absl::StatusOr<std::shared_ptr<WorkerProcess>> Process();

  // Returns the process if it runs; otherwise null.
  std::shared_ptr<WorkerProcess> Current();

  // Keeps a call that has configured `process`: the next one is configured the
  // same way, also that of a forked child. `options` are the names of what it
  // set; an earlier call of the same is dropped. UNAVAILABLE if the process has
  // ended.
  absl::Status KeepConfiguration(const WorkerProcess& process,
                                 const WorkerCall& call, std::string options);

  // Forgets what has configured a scheme: it was retired.
  void ForgetConfiguration(uint32_t scheme);

 private:
  struct Running;
  class Starting;
  // A call that has configured a process.
  struct Configuring {
    uint32_t op;
    uint32_t scheme;
    bool has_status;
    std::string options;  // names
    std::string fields;
  };

  PluginWorker(LoadRequest request, std::string bytes, Isolation isolation,
               Environment environment);

  absl::StatusOr<std::shared_ptr<WorkerProcess>> StartProcess(
      LoadAnswer& answer) const;
  absl::StatusOr<std::shared_ptr<WorkerProcess>> Restart() const;
  absl::Status Configure(WorkerProcess& process) const;

  const std::string name_;  // of the plugin, for its log lines
  LoadRequest request_;
  const std::string bytes_;
  Isolation isolation_;
  const Environment environment_;  // of the program when it loaded the plugin
  std::vector<std::string> schemes_;  // by their index
  OfProcess<Running, int> running_;
  // In order. Replaced as a whole, with the mutex of `running_`, while no
  // process is started; read by the one thread that starts one. Release and
  // acquire, as a forked child has another mutex. It has what its parent had.
  std::atomic<const std::vector<Configuring>*> configuration_{nullptr};
};

}  // namespace fsload
