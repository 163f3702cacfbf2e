// The TensorFlow of this machine, found without running it or Python.
#pragma once

#include <optional>
#include <string>

namespace fsload {

struct TensorFlowInstallation {
  std::string folder;   // "/usr/lib/python3/dist-packages/tensorflow"
  std::string package;  // on PyPI: "tensorflow-cpu"; "tensorflow" if unknown
  std::string version;  // "2.21.0"; "" if unknown
  std::string library;  // the path of the one that needs all others
};

// Returns the TensorFlow in the folder of Python packages that `plugin` lies
// in, else the first in Python's folders (loader/discovery/python_folders.h);
// none if there is none. Thread-safe.
std::optional<TensorFlowInstallation> FindTensorFlow(const std::string& plugin);

}  // namespace fsload
