// Who may change a plugin's file, and whether it is one that is allowed. Trust
// only tightens: nothing lets a file that everybody may change be loaded.
#ifndef FSLOAD_LOADER_TRUST_TRUST_H_
#define FSLOAD_LOADER_TRUST_TRUST_H_

#include <string>

#include "fsload/load_options.h"
#include "loader/rules/findings.h"
#include "loader/trust/private_copy.h"

namespace fsload {

// Whether `contents` are on the allow list, as they were before anything was
// overwritten. False, and a finding, where they are not. Call it on sealed
// contents, or do not open them.
bool CheckAllowed(const PrivateCopy& contents, const Trust& trust,
                  Findings& findings);

// The same for the file that is open as `fd`, a library that a plugin brings;
// `path` is for messages.
bool CheckFileAllowed(int fd, const std::string& path, const Trust& trust,
                      Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TRUST_TRUST_H_
