// Options for loading a plugin.
#ifndef FSLOAD_LOAD_OPTIONS_H_
#define FSLOAD_LOAD_OPTIONS_H_

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/isolation.h"
#include "fsload/load_phase.h"
#include "fsload/op_observer.h"
#include "fsload/scheme_registry.h"

namespace FSLOAD_API fsload {

// Which plugins may be loaded. It can only forbid: a world-writable file is
// never loaded.
struct Trust {
  // The path of a file with the SHA-256 sums of the plugins that may be loaded,
  // and of the libraries from outside the system's folders (/lib*, /usr/lib*)
  // that these load. It has the format of sha256sum: one sum of lower-case
  // hexadecimal digits per line; the rest of the line is for people. Empty
  // lines and lines that begin with # are ignored. A list that has another
  // line, or that cannot be read or that anyone can change, allows nothing. "":
  // all may be loaded.
  std::string allow_list;
};

struct LoadOptions {
  // Where the schemes are registered; null: SchemeRegistry::Default().
  SchemeRegistry* registry = nullptr;

  // Keeps the valid schemes even if others are not.
  bool partial = false;

  // Lets the dynamic linker open the file itself instead of a private copy, for
  // profilers and to save memory. The plugin must then find all of its symbols
  // without fsload's help, and the file must not change while it is loaded.
  // PERMISSION_DENIED with an allow list. LoadPluginFromBytes ignores this.
  bool in_place = false;

  // Refuses a plugin that breaks a SHOULD rule, too, not only a MUST rule.
  bool warnings_as_errors = false;

  // Observes each call of the plugin's operations, from init to cleanup, and
  // must outlive the file systems that this load registers; null: no observer.
  OpObserver* observer = nullptr;

  // Called with each file system once it is initialised; what it returns, which
  // must have the same scheme and not be null, is registered in its place, such
  // as one that records its calls (fsload/recorder.h). If it fails, the scheme
  // is not registered. A scheme that this plugin registered with another
  // wrapper counts as registered if that keeps FileSystem::plugin(), as
  // RecordCalls and Retrying do; otherwise the scheme is ALREADY_EXISTS. May be
  // null.
  std::function<absl::StatusOr<FileSystemPtr>(FileSystemPtr)> wrap;

  // Which plugins may be loaded.
  Trust trust;

  // Gives stubs to a plugin that only calls functions that nobody defines,
  // instead of refusing it. A call of one ends the operation with
  // UNIMPLEMENTED; if that operation is a scheme's init, all operations of the
  // scheme are UNIMPLEMENTED. A plugin that needs data, or that stores such a
  // function's address, is refused. Stubs throw; where no exception may pass (a
  // destructor, a noexcept function, a thread that the plugin started) the
  // process ends; if a static initialiser calls one, it ends with exit code 1.
  // With `in_place` there are no stubs.
  bool stub_missing_functions = false;

  // Leaves alone the environment variables without which a known plugin damages
  // data (docs/architecture.md). If false, they are set, unless they are set
  // already; no other thread may read the environment meanwhile.
  bool keep_environment = false;

  // Calls the operations by which a known plugin damages data (docs/verbs.md),
  // and those that are not used of an untested one, like any other, and uses
  // nothing that fsload knows of how the plugin's operations behave:
  // Capabilities::replaces_atomically is false. If false, they are not called.
  // The first load of a plugin decides this, and the next option, for the
  // process.
  bool allow_damaging_operations = false;

  // Uses all operations of a plugin that fsload has not tested. If false,
  // renaming, copying, deleting and creating trees are done by fsload,
  // appending is UNIMPLEMENTED, and delete_dir is tried on temporary names
  // before it is used (docs/verbs.md, "Unknown plugins").
  bool trust_untested = false;

  // Loads the plugin into a process of its own, and forwards calls to it
  // (fsload/isolation.h). `on_entry` is then not called, and `on_phase` only
  // before kInit and kCleanup.
  std::optional<Isolation> isolation;

  // The names under which schemes of an isolated plugin are registered, by
  // their names in the plugin: with {{"s3", "minio"}}, minio://bucket/key is
  // s3://bucket/key in its process. If there are any, its other schemes are not
  // registered. INVALID_ARGUMENT without `isolation`, for a name that is no
  // scheme and for a scheme that the plugin lacks; ALREADY_EXISTS for a name
  // that this process uses for another scheme, also while another load wants
  // it.
  std::map<std::string, std::string> scheme_as;

  // Called before each phase of the load, on the loading thread; may be null.
  PhaseObserver on_phase;

  // Called with the address of TF_InitPlugin's TF_FilesystemPluginInfo before
  // TF_InitPlugin is called; may be null.
  std::function<void(const void* info)> on_entry;

  // Tries the plugin's allocator before using its tables; a broken one may end
  // the process there.
  bool try_hooks = false;
};

}  // namespace fsload

#endif  // FSLOAD_LOAD_OPTIONS_H_
