// Loads a plugin where it can do no harm: in a child process without rights.
#ifndef FSLOAD_LOADER_CONFINED_LOAD_CONFINED_LOAD_H_
#define FSLOAD_LOADER_CONFINED_LOAD_CONFINED_LOAD_H_

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

struct ConfinedReport {
  // Nothing of it is registered here. INTERNAL, without findings, where the
  // plugin could not be tried at all.
  LoadReport load;
  std::vector<std::string>
      confinement;          // loader/confinement/confinement.h has the words
  std::string output;       // what the plugin printed
  bool output_cut = false;  // it printed more
};

// What a confined process does with a plugin.
enum class ConfinedWork {
  kLoad,  // loads it: a success has schemes
  kLook,  // runs none of its code: a success is to have found nothing
};

// A load in progress, in a forked child that is confined
// (loader/confinement/confinement.h) and supervised
// (loader/supervision/supervised_child.h). The child loads the plugin, cleans
// its schemes up and runs the exit handlers. What the plugin does instead of
// coming to an end is a finding that names the phase: a death by a signal, with
// address and nearest symbol, an exit, a hang; and so is what it changes of its
// host. Processes that it leaves behind are killed. One thread at a time; only
// a process with one thread may start loads.
class ConfinedLoad final {
 public:
  // Loads a plugin with the options that it is given.
  using Loader = std::function<LoadReport(const LoadOptions&)>;

  // `name` is the plugin's in messages, `deadline` the time it has. With
  // `network` it keeps the internet's sockets.
  static std::unique_ptr<ConfinedLoad> Start(
      std::string name, const Loader& loader, absl::Duration deadline,
      ConfinedWork work = ConfinedWork::kLoad, bool network = false);

  // Waits until one of `loads`, which are not empty, is over; its place.
  static size_t WaitForAny(
      absl::Span<const std::unique_ptr<ConfinedLoad>> loads);

  // Waits until it is over. Once.
  ConfinedReport Finish();

 private:
  ConfinedLoad(std::string name, absl::Duration deadline, ConfinedWork work)
      : name_(std::move(name)), deadline_(deadline), work_(work) {}

  const std::string name_;
  const absl::Duration deadline_;
  const ConfinedWork work_;
  absl::StatusOr<std::unique_ptr<SupervisedChild>> child_;
};

// Start and Finish.
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

// Loads all of `plugins`, at most `at_once` (1 or more) at a time, fewer where
// this process may not open that many files, each with this deadline. Tells of
// them in their order, as soon as it can.
void LoadAllConfined(absl::Span<const NamedLoader> plugins, size_t at_once,
                     absl::Duration deadline,
                     const std::function<void(const ConfinedReport&)>& tell);

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINED_LOAD_CONFINED_LOAD_H_
