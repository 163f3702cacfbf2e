// The C API as a C program sees it: it compiles as C11 without a warning,
// structs have the layout that other languages rely on, and calls do what they
// say.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "fsload/fsload.h"

_Static_assert(sizeof(fsload_code) == 4, "fsload_code");
_Static_assert(sizeof(fsload_severity) == 4, "fsload_severity");
_Static_assert(sizeof(fsload_detail) == 4, "fsload_detail");
_Static_assert(sizeof(fsload_log_level) == 4, "fsload_log_level");

_Static_assert(sizeof(fsload_isolation) == 64, "fsload_isolation");
_Static_assert(sizeof(fsload_load_options) == 64, "fsload_load_options");
_Static_assert(offsetof(fsload_load_options, partial) == 24, "partial");
_Static_assert(offsetof(fsload_load_options, allow_damaging_operations) == 44,
               "allow_damaging_operations");
_Static_assert(sizeof(fsload_check_options) == 32, "fsload_check_options");
_Static_assert(offsetof(fsload_check_options, timeout_seconds) == 16,
               "timeout_seconds");
_Static_assert(sizeof(fsload_finding) == 72, "fsload_finding");
_Static_assert(offsetof(fsload_finding, severity) == 48, "severity");
_Static_assert(sizeof(fsload_scheme) == 48, "fsload_scheme");
_Static_assert(sizeof(fsload_call) == 56, "fsload_call");
_Static_assert(offsetof(fsload_call, code) == 48, "code");
_Static_assert(sizeof(fsload_callbacks) == 32, "fsload_callbacks");
_Static_assert(sizeof(fsload_statistics) == 32, "fsload_statistics");
_Static_assert(offsetof(fsload_statistics, is_directory) == 24, "is_directory");
_Static_assert(sizeof(fsload_copy_options) == 32, "fsload_copy_options");
_Static_assert(sizeof(fsload_entry) == 64, "fsload_entry");
_Static_assert(offsetof(fsload_entry, length) == 32, "length");
_Static_assert(offsetof(fsload_entry, code) == 48, "code");
_Static_assert(sizeof(fsload_walk_options) == 48, "fsload_walk_options");
_Static_assert(offsetof(fsload_walk_options, recursive) == 36, "recursive");

// The version is a constant for the preprocessor as well.
#if FSLOAD_VERSION_NUMBER < 100
#error "wanted a version of 0.1.0 or later"
#endif

static int failures = 0;

static void expect(int holds, const char* what, const fsload_error* error) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "expected: %s; found %s: %s\n", what,
          fsload_code_name(fsload_error_code(error)),
          fsload_error_message(error));
}

static void count_calls(void* data, const fsload_call* call) {
  (void)call;
  ++*(int*)data;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int calls = 0;
  fsload_error* error = NULL;
  fsload_observer* observer = NULL;
  fsload_callbacks callbacks = {.struct_size = sizeof callbacks,
                                .data = &calls,
                                .after_call = count_calls};
  expect(fsload_observer_new(&callbacks, &observer, &error) == FSLOAD_OK,
         "an observer", error);
  fsload_load_options options = {.struct_size = sizeof options,
                                 .observer = observer};
  expect(fsload_load(NULL, argv[1], &options, NULL, &error) == FSLOAD_OK,
         "the plugin is loaded", error);

  fsload_writer* writer = NULL;
  expect(fsload_open_writer(NULL, "memory:///a", &writer, &error) == FSLOAD_OK,
         "a file to write to", error);
  expect(fsload_append(writer, "hello", 5, &error) == FSLOAD_OK &&
             fsload_close(writer, &error) == FSLOAD_OK,
         "the file is written", error);
  fsload_writer_free(writer);

  fsload_reader* reader = NULL;
  char text[8];
  size_t count = 0;
  expect(fsload_open_reader(NULL, "memory:///a", &reader, &error) == FSLOAD_OK,
         "a file to read", error);
  expect(
      fsload_read(reader, 1, text, sizeof text, &count, &error) == FSLOAD_OK &&
          count == 4 && memcmp(text, "ello", 4) == 0,
      "four bytes up to the end of the file", error);
  fsload_reader_free(reader);

  expect(fsload_delete_directory(NULL, "memory:///a", &error) ==
                 FSLOAD_FAILED_PRECONDITION &&
             strstr(fsload_error_message(error), "memory:///a") != NULL,
         "FAILED_PRECONDITION and the URI", error);
  expect(calls > 0, "the observer sees calls", NULL);
  expect(fsload_retire_all(NULL, 10, &error) == FSLOAD_OK, "all is cleaned up",
         error);
  fsload_observer_stop(observer);
  fsload_error_free(error);
  return failures == 0 ? 0 : 1;
}
