// Whether a TensorFlow can load a plugin, as far as their files tell.
#pragma once

#include <string>
#include <vector>

#include "loader/tensorflow/installation.h"

namespace fsload {

struct TensorFlowFit {
  // What the plugin needs and neither TensorFlow nor any library of the plugin
  // provides: symbols, demangled, versions and libraries. Empty: TensorFlow can
  // open it.
  std::vector<std::string> missing;

  // "" or why nothing is known: a file cannot be read, or is not a shared
  // object, or there is more to look at than in any real one.
  std::string problem;

  // The package that the plugin is from, "tensorflow-io 0.37.1", and the
  // versions of TensorFlow that it asks for; "" if it asks for none.
  std::string package;
  std::string asks_for;
  bool asks_for_another = false;  // than the one that is installed
};

// Compares the plugin at `plugin` with what `tensorflow` provides to plugins in
// a Python that has imported it. Runs no code of either. Thread-safe.
TensorFlowFit CompareWithTensorFlow(const std::string& plugin,
                                    const TensorFlowInstallation& tensorflow);

}  // namespace fsload
