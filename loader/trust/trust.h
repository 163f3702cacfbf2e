// Who may change a plugin's file, and whether it is allowed. Trust only
// tightens: nothing allows a world-writable file to be loaded.
#pragma once

#include <string>

#include "fsload/load_options.h"
#include "loader/rules/findings.h"
#include "loader/trust/private_copy.h"

namespace fsload {

// Returns the SHA-256 sum of `contents`, before anything was overwritten.
std::string SumOf(const PrivateCopy& contents);

// Returns whether `contents`, before anything was overwritten, are on the allow
// list. False, with a finding, if not. Call it on sealed contents, or do not
// open them.
bool CheckAllowed(const PrivateCopy& contents, const Trust& trust,
                  Findings& findings);

// Does the same for a library that a plugin brings, open as `fd`; `path` is for
// messages.
bool CheckFileAllowed(int fd, const std::string& path, const Trust& trust,
                      Findings& findings);

}  // namespace fsload
