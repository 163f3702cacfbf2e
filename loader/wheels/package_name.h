// Names of Python packages.
#pragma once

#include <string>
#include <string_view>

namespace fsload {

// Returns the normal form of a package name, equal for all spellings that PyPI
// treats as the same (PEP 503): "tensorflow-io" for "TensorFlow_IO" and
// "tensorflow-.io".
std::string NormalPackageName(std::string_view name);

}  // namespace fsload
