// A plugin's opened shared object.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fsload/filesystem_interface.h"
#include "fsload/internal/status_provider.h"
#include "fsload/load_options.h"
#include "fsload/plugin_loader.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/plugin_libraries.h"
#include "loader/trust/private_copy.h"
#include "loader/trust/trust.h"

namespace fsload {

// Once opened it stays for the life of the process: nothing that a plugin
// registered is ever unmapped. Immutable.
struct Library {
  std::unique_ptr<PrivateCopy> contents;
  std::unique_ptr<PrivateCopy> imports_library;  // null: it imports nothing
  std::unique_ptr<PrivateCopy> umbrella;  // by which it was opened, if any
  std::vector<std::string> imports;       // functions it imports from fsload
  std::vector<std::string> stubs;         // functions with stubs,
                                          // which read their names here
  bool in_place = false;                  // the file itself was opened
  StatusProvider status;
  std::string status_provider;
  InitFunction init = nullptr;
  LoadedLibraries looked;             // before `opened` was looked for
  std::vector<OpenedLibrary> opened;  // with it
  Findings findings;                  // why it is unusable although it is open
};

// How a library is opened.
struct OpenOptions {
  // The path of the file, for libraries that it needs from its own folder
  // ($ORIGIN). Empty for contents that were never a file.
  std::string path;

  // The name under which the plugin is known (KnownNameOf in
  // loader/known_plugins/known_plugins.h); "" for an unknown one.
  std::string_view name;

  // Open the file at `path` itself instead of the private copy.
  bool in_place = false;

  Trust trust;

  bool stub_missing_functions = false;
};

// Links the imports of the plugin with these contents and opens it; what it has
// opened is still to be checked. Null, with findings, on failure. A library
// that was opened and then refused, with its own findings, is returned too: it
// must be kept.
std::unique_ptr<Library> OpenLibrary(std::unique_ptr<PrivateCopy> contents,
                                     const OpenOptions& options,
                                     Findings& findings);

}  // namespace fsload
