// C API: checking plugins, and the report of a check or a load.
#ifndef FSLOAD_C_REPORT_H_
#define FSLOAD_C_REPORT_H_

#include "fsload/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// What was found out about a plugin. Never changes. For null, functions return
// "", 0 or null, and fsload_report_code INVALID_ARGUMENT.
typedef struct fsload_report fsload_report;

// How much a broken rule matters.
typedef enum fsload_severity FSLOAD_AS_INT {
  FSLOAD_MUST = 0,    // the plugin, or the scheme, is refused
  FSLOAD_SHOULD = 1,  // a warning
  FSLOAD_NOTE = 2
} fsload_severity;

// A rule that the plugin breaks, in one place. Strings are valid as long as the
// report.
typedef struct fsload_finding {
  size_t struct_size;
  const char* rule;     // "FSP107"
  const char* title;    // what is true of a plugin that follows the rule
  const char* scheme;   // the scheme concerned; null: the whole plugin
  const char* message;  // the problem, and its effect or what to do
  const char* repair;   // what the plugin's author or user can do
  fsload_severity severity;
  int has_numbers;  // 1: the next two are set
  int64_t wanted;   // bytes, versions or counts
  int64_t found;
} fsload_finding;

// A scheme of the plugin. The lists have names of operations,
// "Filesystem.get_children"; they are valid as long as the report.
typedef struct fsload_scheme {
  size_t struct_size;
  const char* scheme;  // "": local paths
  const fsload_strings* own_operations;
  const fsload_strings* default_operations;      // carried out by fsload
  const fsload_strings* unavailable_operations;  // UNIMPLEMENTED
  int registered;                                // 1 or 0; 0 after a check
} fsload_scheme;

// Returns the result of the load or the check.
FSLOAD_API fsload_code fsload_report_code(const fsload_report* report);

// Returns why it failed: the first finding that refuses the plugin; "" for OK.
// Valid as long as the report, as are all of its strings.
FSLOAD_API const char* fsload_report_message(const fsload_report* report);

// Returns the plugin's path, as it was named.
FSLOAD_API const char* fsload_report_plugin(const fsload_report* report);

// Returns how many findings there are.
FSLOAD_API size_t fsload_report_finding_count(const fsload_report* report);

// Returns the finding at `index`, counted from 0, in the order in which they
// were made; null beyond the last.
FSLOAD_API const fsload_finding* fsload_report_finding(
    const fsload_report* report, size_t index);

// Returns how many schemes there are.
FSLOAD_API size_t fsload_report_scheme_count(const fsload_report* report);

// Returns the scheme at `index`, counted from 0, in the plugin's order; null
// beyond the last.
FSLOAD_API const fsload_scheme* fsload_report_scheme(
    const fsload_report* report, size_t index);

// Returns lines for people: "a/plugin.so: refused", then each finding. Control
// characters are escaped.
FSLOAD_API const char* fsload_report_text(const fsload_report* report);

// Returns all of the report as one JSON object in ASCII: a plugin of
// docs/check.schema.json.
FSLOAD_API const char* fsload_report_json(const fsload_report* report);

// Frees the report. Null is ignored.
FSLOAD_API void fsload_report_free(fsload_report* report);

// How a plugin is checked.
typedef struct fsload_check_options {
  size_t struct_size;

  // As in fsload_load_options.
  const char* allow_list;

  // The plugin is killed after so many seconds; 0: 10.
  double timeout_seconds;

  // Allow internet sockets (0 or 1), for a plugin whose init contacts a server;
  // it can then send anything that this user can read to any server.
  int network;

  // Run none of the plugin's code (0 or 1): only its file and the libraries
  // that it needs are examined, in this process and without a deadline.
  int only_static;
} fsload_check_options;

// Checks the shared object at `path` as `fsload check` does: loads it in a
// confined child process, initialises its schemes and cleans them up, so that a
// crash or a hang is just a finding. Nothing is registered. `options` may be
// null. `report`, unless null, receives what was found, on failure too: free
// it.
//
// OK if the plugin is verified; otherwise the code of the first finding that
// refuses it: as of fsload_load, or FAILED_PRECONDITION for what only a check
// finds, such as a crash. The check itself fails, without a report:
// INVALID_ARGUMENT for a deadline under 0.1 or over 86400 seconds, INTERNAL if
// no child could be started, FAILED_PRECONDITION if this process has several
// threads, as a forked child could wait forever for a lock of theirs: then run
// the command `fsload check --format=json`, or use only_static.
FSLOAD_API fsload_code fsload_check(const char* path,
                                    const fsload_check_options* options,
                                    fsload_report** report,
                                    fsload_error** error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_C_REPORT_H_
