// The result of loading a plugin: what was found and what was checked.
#ifndef FSLOAD_LOAD_REPORT_H_
#define FSLOAD_LOAD_REPORT_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "fsload/export.h"
#include "fsload/finding.h"
#include "fsload/op.h"
#include "fsload/sealing_tier.h"

namespace FSLOAD_API fsload {

// One table as the plugin declared it (L931-L989).
struct TableReport {
  bool present = false;
  size_t declared_bytes = 0;  // set also for a table that it left out
  int abi = 0;
  int api = 0;
};

// One scheme of a plugin.
struct SchemeReport {
  std::string scheme;
  std::array<TableReport, kTables> tables;  // in the order of Table
  std::vector<Op> present;                  // the plugin's own operations
  std::vector<Op> by_default;               // fsload's
  std::vector<Op> unavailable;              // return UNIMPLEMENTED

  // The plugin's operations that fsload does not call, because they damage data
  // or are untested (docs/verbs.md); each is also in `by_default` or
  // `unavailable`.
  std::vector<Op> disabled;

  bool registered = false;
};

struct LoadReport {
  // OK if every scheme is valid and registered (of those, with scheme_as, only
  // the ones that it names; with partial, at least one); otherwise the error of
  // the first broken rule, and `findings` has all:
  //
  // NOT_FOUND: there is no such file.
  //
  // PERMISSION_DENIED: it is world-writable, lies in a world-writable
  // directory, or is not on the allow list.
  //
  // ALREADY_EXISTS: a scheme is taken; also by this plugin, if it was
  // registered without the wrapper or without the observer of this load. Or its
  // name is used for another scheme (LoadOptions::scheme_as).
  //
  // The code of the errno value if the system refused something, and
  // FAILED_PRECONDITION for all other rules.
  //
  // Without a finding: INVALID_ARGUMENT for options that contradict each other
  // or the plugin, ALREADY_EXISTS for a name of LoadOptions::scheme_as, or the
  // error of a worker that could not be started.
  absl::Status status;

  std::string plugin;  // its path, or its name
  // The file name of the published plugin with these contents, whatever its
  // file is called: fsload works around the faults of that one. For fsload's
  // own plugin "the bundled posix plugin". Else "".
  std::string known_as;
  bool loaded_before = false;  // the same contents were already loaded
  std::vector<Finding> findings;
  std::vector<SchemeReport> schemes;
  std::optional<SealingTier> sealing;  // none: the load did not get that far

  // The host functions that the plugin imports, and who provides them:
  // "fsload", or the library whose TF_SetStatus it is bound to.
  std::vector<std::string> imports;
  std::string status_provider;

  // The functions that the plugin calls and nobody defines, demangled
  // (LoadOptions::stub_missing_functions).
  std::vector<std::string> stubs;
};

}  // namespace fsload

#endif  // FSLOAD_LOAD_REPORT_H_
