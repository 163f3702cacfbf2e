// Loads a plugin where it can do no harm: in an unprivileged child process.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "fsload/load_report.h"
#include "fsload/plugin_loader.h"
#include "loader/supervision/supervised_child.h"

namespace fsload {

// How many seconds a plugin may take: by default (a machine may be slow or
// emulated), at least, and at most.
inline constexpr double kUsualDeadline = 10;
inline constexpr double kShortestDeadline = 0.1;
inline constexpr double kLongestDeadline = 86400;

struct ConfinedReport {
  // Nothing is registered in this process. INTERNAL, without findings, if the
  // plugin could not be tried at all.
  LoadReport load;
  std::vector<std::string> confinement;  // see loader/confinement/confinement.h
  std::string output;                    // what the plugin printed
  bool output_cut = false;               // output was truncated
};

// What a confined process does with a plugin.
enum class ConfinedWork {
  kLoad,  // loads it: success means that it has schemes
  kLook,  // runs none of its code: success means no findings
};

// Returns whether this process has only one thread, as whoever starts loads
// must: other threads may hold a lock that a forked child would wait for
// forever. False if that cannot be found out.
bool HasOneThread();

// A load in progress, in a forked child that is confined
// (loader/confinement/confinement.h) and supervised
// (loader/supervision/supervised_child.h). The child loads the plugin, cleans
// up its schemes and runs the exit handlers. If the plugin does not get
// through, that is a finding that names the phase: a crash by a signal, with
// address and nearest symbol, an exit, or a hang; so is every change it makes
// to its host. Processes that it leaves behind are killed. One thread at a
// time; only a single-threaded process may start loads.
class ConfinedLoad final {
 public:
  // Loads a plugin with the given options.
  using Loader = std::function<LoadReport(const LoadOptions&)>;

  // Starts the load. `name` is the plugin's in messages, `deadline` its time
  // limit. With `network` it may use internet sockets.
  static std::unique_ptr<ConfinedLoad> Start(
      std::string name, const Loader& loader, absl::Duration deadline,
      ConfinedWork work = ConfinedWork::kLoad, bool network = false);

  // Waits until one of the `loads`, which must not be empty, is over, and
  // returns its index; or their number once `stop` returns true. Null: it never
  // does.
  static size_t WaitForAny(
      absl::Span<const std::unique_ptr<ConfinedLoad>> loads,
      const std::function<bool()>& stop = nullptr);

  // Waits until it is over. Call once.
  ConfinedReport Finish();

 private:
  ConfinedLoad(std::string name, absl::Duration deadline, ConfinedWork work)
      : name_(std::move(name)), deadline_(deadline), work_(work) {}

  const std::string name_;
  const absl::Duration deadline_;
  const ConfinedWork work_;
  absl::StatusOr<std::unique_ptr<SupervisedChild>> child_;
};

// Calls Start and Finish.
ConfinedReport LoadConfined(std::string name,
                            const ConfinedLoad::Loader& loader,
                            absl::Duration deadline);

// A plugin to load, and how.
struct NamedLoader {
  std::string name;
  ConfinedLoad::Loader loader;
  ConfinedWork work = ConfinedWork::kLoad;
  bool network = false;
};

// Loads all of `plugins`, at most `at_once` (1 or more) at a time, fewer if
// this process may not open that many files, each with this deadline. Reports
// them in order, as soon as possible. Once `stop`, if not null, returns true,
// kills the others and returns.
void LoadAllConfined(
    absl::Span<const NamedLoader> plugins, size_t at_once,
    absl::Duration deadline,
    const std::function<void(const ConfinedReport&)>& report_to,
    const std::function<bool()>& stop = nullptr);

}  // namespace fsload
