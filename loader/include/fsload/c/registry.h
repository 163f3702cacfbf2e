// C API: loading plugins, and which of them serves which URI scheme.
#ifndef FSLOAD_C_REGISTRY_H_
#define FSLOAD_C_REGISTRY_H_

#include "fsload/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fsload_observer fsload_observer;  // fsload/c/observer.h
typedef struct fsload_report fsload_report;      // fsload/c/report.h

// Which file system serves which scheme. A function that takes a registry takes
// null as well: the registry that the process has from its start, which a
// program's C++ code calls SchemeRegistry::Default(). A function that takes a
// URI uses the file system of the URI's scheme; a URI without one is a local
// path. NOT_FOUND, naming the registered schemes, if there is no such file
// system.
typedef struct fsload_registry fsload_registry;

// Creates an empty registry, for fsload_registry_free.
FSLOAD_API fsload_code fsload_registry_new(fsload_registry** registry,
                                           fsload_error** error);

// Retires all schemes of `registry`, without waiting for the cleanup of those
// that open files still use, and frees it. No call may use it any more.
FSLOAD_API void fsload_registry_free(fsload_registry* registry);

// Sets *schemes to all schemes, sorted; "" is that of local paths. Free the
// list.
FSLOAD_API fsload_code fsload_schemes(fsload_registry* registry,
                                      fsload_strings** schemes,
                                      fsload_error** error);

// How a plugin runs in a process of its own (docs/isolation.md).
typedef struct fsload_isolation {
  size_t struct_size;

  // Seconds that the plugin may take for a call, or for the load; a longer one
  // is DEADLINE_EXCEEDED, and the process is ended. Not counted is what a call
  // waits for before: a new process and its load and, where 64 calls run, the
  // end of one of them; if that takes as long, it is DEADLINE_EXCEEDED, too,
  // but the process goes on. 0: no limit; a negative one is INVALID_ARGUMENT.
  double call_timeout;

  // The most new processes that are started within any minute, after growing
  // pauses; beyond that, calls are UNAVAILABLE. 0: 3; a negative number: none.
  int restarts;

  // How much address space the process may have, in bytes; 0: no limit.
  uint64_t memory_limit;

  // Changes to the environment that the process gets from this one: texts
  // "NAME=value", or "NAME" to leave a variable out; null ends them. Null: no
  // changes.
  const char* const* environment;

  // The path of the program fsload-worker; null or "": that of fsload's
  // installation.
  const char* worker;

  // 1: the process is confined: it writes to no local file but in a directory
  // of its own, its TMPDIR, and in `writable_folders`, changes the mode of no
  // file, executes no program, starts, signals and traces no process, and opens
  // no Unix-domain socket; it may use the network (docs/isolation.md).
  int confined;

  // Paths of directories, null after the last; null: none. Each must exist
  // whenever a process is started. INVALID_ARGUMENT unless `confined` is 1.
  const char* const* writable_folders;
} fsload_isolation;

// How a plugin is loaded.
typedef struct fsload_load_options {
  size_t struct_size;

  // The path of a file with the SHA-256 sums of the plugins that may be loaded,
  // and of the libraries from outside the system's folders that these load, in
  // the format of sha256sum; null or "": all may be. A world-writable file is
  // never loaded.
  const char* allow_list;

  // Sees each call of the plugin's operations; null: nobody.
  const fsload_observer* observer;

  // The next six are 0 for no, 1 for yes.

  int partial;             // keep the valid schemes even if others are not
  int in_place;            // open the file itself, not a private copy
  int warnings_as_errors;  // refuse for a broken SHOULD rule too

  // Give stubs to a plugin that calls functions that nobody defines: calls
  // that come to one end with UNIMPLEMENTED. If 0, such a plugin is refused.
  int stub_missing_functions;

  // Do not set the environment variables without which a known plugin damages
  // data. Setting them is not safe while other threads read the environment.
  int keep_environment;

  // Call also the operations by which a known plugin damages data or an unknown
  // one may, instead of doing without them, and use nothing that fsload knows
  // of how its operations behave. The first load of a plugin decides this for
  // the process.
  int allow_damaging_operations;

  // Run the plugin in a process of its own; null: in this process.
  const fsload_isolation* isolation;

  // Under which names schemes of an isolated plugin are registered: texts
  // "SCHEME=NAME"; null ends them. Its other schemes are then not registered.
  // Null: all are, under their own names. INVALID_ARGUMENT without `isolation`,
  // for a text without '=', for a NAME that is no scheme and for a SCHEME that
  // the plugin lacks; ALREADY_EXISTS for a NAME that this process uses for
  // another scheme, also while another load wants it.
  const char* const* scheme_as;
} fsload_load_options;

// Loads the shared object at `path`, checks it, and registers its schemes: all
// of them or none, unless options->partial. `options` may be null. `report`,
// unless null, receives what was found, on failure too, or null if `options`
// are not understood: free it.
//
// NOT_FOUND if there is no such file; PERMISSION_DENIED for one that is
// world-writable, in a world-writable directory, or not on the allow list;
// ALREADY_EXISTS for a scheme that is taken, also by this plugin if that was
// loaded without the observer of this load; the code of the errno value if the
// system refused something; FAILED_PRECONDITION for a plugin that breaks
// another rule; INVALID_ARGUMENT for wrong options; with options->isolation
// also the error of a process that could not be started.
//
// Without options->isolation loads wait for each other, and the plugin's code
// runs in this process: one that crashes takes it down (fsload_check finds that
// out). What is loaded stays until the process ends; the same contents are not
// loaded twice, but registered anew.
//
// With options->isolation each load starts a process that ends with the last of
// its file systems. Such loads wait for others only while they copy the
// environment and register schemes; call_timeout does not limit that. The same
// contents are loaded again: ALREADY_EXISTS while a scheme of theirs is
// registered.
FSLOAD_API fsload_code fsload_load(fsload_registry* registry, const char* path,
                                   const fsload_load_options* options,
                                   fsload_report** report,
                                   fsload_error** error);

// Makes sure that the scheme of `uri` is served: if it is not yet, finds a
// plugin on this machine that serves it, in FSLOAD_PLUGIN_PATH, in Python's
// packages and in the folder of fsload's installation, and loads it with those
// of its schemes that are free. A scheme that the user's file of schemes names
// (docs/isolation.md) is registered alone, and its plugin is isolated.
// `options` may be null.
//
// NOT_FOUND if there is no such plugin: the message says what to install. Also
// for a path without a scheme that nothing serves. FAILED_PRECONDITION if every
// plugin that serves the scheme is refused, and if the file of schemes would
// replace a plugin's scheme without override = true. INVALID_ARGUMENT, with
// file, line and key, if that file is wrong. Otherwise fails like fsload_load.
//
// Plugins are tried in child processes before one is loaded, and the results
// remembered in the user's cache; a process with several threads does not fork,
// and relies on what is remembered and on what is known of published plugins.
FSLOAD_API fsload_code fsload_find_or_load(fsload_registry* registry,
                                           const char* uri,
                                           const fsload_load_options* options,
                                           fsload_error** error);

// Retires `scheme`, and waits up to `seconds` until its file system is cleaned
// up: by then its files and walks must be freed, and all calls over.
// DEADLINE_EXCEEDED if that takes longer; the scheme is retired all the same,
// and the last user cleans it up. INVALID_ARGUMENT for negative `seconds`;
// NOT_FOUND for an unknown scheme; FAILED_PRECONDITION, with no effect, from
// inside a call on that scheme.
FSLOAD_API fsload_code fsload_retire(fsload_registry* registry,
                                     const char* scheme, double seconds,
                                     fsload_error** error);

// Does the same for all schemes together; goes on after a failure and returns
// the first. Call it before the program exits: real plugins otherwise abort in
// their static destructors.
FSLOAD_API fsload_code fsload_retire_all(fsload_registry* registry,
                                         double seconds, fsload_error** error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_C_REGISTRY_H_
