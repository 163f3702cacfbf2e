#include "tools/doctor/tensorflow_steps.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/tensorflow/fit.h"
#include "loader/tensorflow/installation.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr char kWhat[] = "tensorflow";
constexpr size_t kMaxShown = 3;

constexpr std::string_view kUseFsload =
    "fsload needs no TensorFlow; in TensorFlow, use fsload's adapter "
    "(docs/coming-from-tensorflow.md)";

std::string NameOf(const TensorFlowInstallation& tensorflow) {
  return Format("{}{}{} ({})", tensorflow.package,
                tensorflow.version.empty() ? "" : " ", tensorflow.version,
                tensorflow.folder);
}

// "'a', 'b', 'c' and 16 more".
std::string Shown(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMaxShown); ++i) {
    text += Format("{}'{}'", i > 0 ? ", " : "", names[i]);
  }
  if (names.size() > kMaxShown) {
    text += Format(" and {} more (--format=json lists them)",
                   names.size() - kMaxShown);
  }
  return text;
}

std::string RepairFor(const TensorFlowFit& fit) {
  if (fit.asks_for.empty()) return std::string(kUseFsload);
  return Format("{}, or install tensorflow{}", kUseFsload, fit.asks_for);
}

DiagnosisStep FitStep(const TensorFlowInstallation& tensorflow,
                      const TensorFlowFit& fit) {
  const std::string name = NameOf(tensorflow);
  if (!fit.problem.empty()) {
    return {StepVerdict::kNote, kWhat,
            Format("{}: unknown whether it can load the plugin: {}", name,
                   fit.problem),
            ""};
  }
  if (fit.missing.empty()) {
    return {StepVerdict::kOk, kWhat,
            name + " has all functions that the plugin calls", ""};
  }
  return {StepVerdict::kNote, kWhat,
          Format("{} cannot load the plugin, which needs what is not "
                 "there: {}",
                 name, Shown(fit.missing)),
          RepairFor(fit), fit.missing};
}

}  // namespace

std::vector<DiagnosisStep> TensorFlowSteps(const std::string& plugin) {
  const std::optional<TensorFlowInstallation> tensorflow =
      FindTensorFlow(plugin);
  if (!tensorflow.has_value()) return {};
  const TensorFlowFit fit = CompareWithTensorFlow(plugin, *tensorflow);
  std::vector<DiagnosisStep> steps = {FitStep(*tensorflow, fit)};
  if (fit.asks_for_another) {
    steps.push_back({StepVerdict::kNote, kWhat,
                     Format("{} asks for tensorflow{}; {} is installed",
                            fit.package, fit.asks_for, tensorflow->version),
                     RepairFor(fit)});
  }
  return steps;
}

}  // namespace fsload
