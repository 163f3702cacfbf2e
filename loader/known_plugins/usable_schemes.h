// Which schemes of a plugin that loads can be used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// The environment variable without which tensorflow-io 0.19 registers s3 and
// others under other names.
inline constexpr char kModularVariable[] = "TF_USE_MODULAR_FILESYSTEM";

// Returns what to do if a plugin with these schemes has none called `scheme`,
// but registers it as "s3e": "has az s3e, and s3:// only with
// TF_USE_MODULAR_FILESYSTEM=1". "" if it does not.
std::string RenamedText(const std::vector<std::string>& schemes,
                        std::string_view scheme);

// Returns what is special about a plugin with these schemes that lacks the
// functions `missing`, which are demangled: "19 functions missing; az s3 work,
// oss does not". "" if all schemes work.
std::string UsableText(const std::vector<std::string>& schemes,
                       const std::vector<std::string>& missing);

// Returns which release of a known plugin to take instead of one that cannot be
// loaded, by the name of its file or, if that is known, of its package: "pip
// install tensorflow-io==0.37.1 installs one that loads". "" for other plugins.
std::string InsteadText(std::string_view path, std::string_view package);

}  // namespace fsload
