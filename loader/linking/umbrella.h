// Opens a plugin's copy with what is found by the folder of its file: the copy
// is in another one, where the dynamic linker would look.
#pragma once

#include <memory>
#include <vector>

#include "loader/rules/findings.h"
#include "loader/static_pass/static_pass.h"
#include "loader/trust/private_copy.h"

namespace fsload {

// Returns a library that needs `plugin`, which is sealed, and the libraries
// `found` of it. To open it opens all of them at once and in the plugin's
// order, as the dynamic linker does with the plugin's file: each finds its
// symbols in all of them, and by name what is open already. It must stay for as
// long as they are open. Null, with a finding, on failure.
std::unique_ptr<PrivateCopy> MakeUmbrella(
    const PrivateCopy& plugin, const std::vector<FoundLibrary>& found,
    Findings& findings);

}  // namespace fsload
