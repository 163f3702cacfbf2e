/* c_way FUNCTION URI [TARGET]: calls one function of the C API. Contents come
   from standard input and go to standard output; an error is printed as its
   code and its message, in two lines. */
#include <fsload/fsload.h>
#include <stdio.h>
#include <string.h>

static fsload_code append_input(fsload_writer* writer, fsload_error** error) {
  static char block[1 << 16];
  size_t count = 0;
  fsload_code code = FSLOAD_OK;
  while (code == FSLOAD_OK &&
         (count = fread(block, 1, sizeof block, stdin)) > 0) {
    code = fsload_append(writer, block, count, error);
  }
  return code == FSLOAD_OK ? fsload_close(writer, error) : code;
}

static fsload_code write_file(const char* uri, fsload_error** error) {
  fsload_writer* writer = NULL;
  fsload_code code = fsload_open_writer(NULL, uri, &writer, error);
  if (code == FSLOAD_OK) code = append_input(writer, error);
  fsload_writer_free(writer);
  return code;
}

static fsload_code append_file(const char* uri, fsload_error** error) {
  fsload_writer* writer = NULL;
  fsload_code code = fsload_open_appender(NULL, uri, &writer, error);
  if (code == FSLOAD_OK) code = append_input(writer, error);
  fsload_writer_free(writer);
  return code;
}

static fsload_code read_file(const char* uri, fsload_error** error) {
  static char block[1 << 16];
  size_t count = sizeof block;
  uint64_t offset = 0;
  fsload_reader* reader = NULL;
  fsload_code code = fsload_open_reader(NULL, uri, &reader, error);
  while (code == FSLOAD_OK && count == sizeof block) {
    code = fsload_read(reader, offset, block, sizeof block, &count, error);
    fwrite(block, 1, count, stdout);
    offset += count;
  }
  fsload_reader_free(reader);
  return code;
}

static fsload_code map_file(const char* uri, fsload_error** error) {
  fsload_region* region = NULL;
  const fsload_code code = fsload_open_region(NULL, uri, &region, error);
  fwrite(fsload_region_data(region), 1, fsload_region_size(region), stdout);
  fsload_region_free(region);
  return code;
}

static fsload_code stat_path(const char* uri, fsload_error** error) {
  fsload_statistics found = {.struct_size = sizeof found};
  const fsload_code code = fsload_stat(NULL, uri, &found, error);
  printf("%d %lld\n", found.is_directory, (long long)found.length);
  return code;
}

static fsload_code exists(const char* uri, fsload_error** error) {
  int found = 0;
  const fsload_code code = fsload_exists(NULL, uri, &found, error);
  printf("%d\n", found);
  return code;
}

static fsload_code list(const char* uri, fsload_error** error) {
  fsload_walk_options options = {.struct_size = sizeof options};
  fsload_entries* entries = NULL;
  const fsload_code code = fsload_list(NULL, uri, &options, &entries, error);
  for (size_t i = 0; i < fsload_entries_count(entries); ++i) {
    printf("%s\n", fsload_entries_get(entries, i)->path);
  }
  fsload_entries_free(entries);
  return code;
}

static fsload_code walk(const char* uri, fsload_error** error) {
  fsload_walk_options options = {.struct_size = sizeof options, .recursive = 1};
  fsload_walk* begun = NULL;
  const fsload_entry* entry = NULL;
  fsload_code code = fsload_walk_begin(NULL, uri, &options, &begun, error);
  while (code == FSLOAD_OK) {
    code = fsload_walk_next(begun, &entry, error);
    if (code != FSLOAD_OK || entry == NULL) break;
    printf("%s\n", entry->path);
  }
  fsload_walk_free(begun);
  return code;
}

static fsload_code glob(const char* uri, fsload_error** error) {
  fsload_strings* paths = NULL;
  const fsload_code code = fsload_glob(NULL, uri, &paths, error);
  for (size_t i = 0; i < fsload_strings_count(paths); ++i) {
    printf("%s\n", fsload_strings_get(paths, i));
  }
  fsload_strings_free(paths);
  return code;
}

static fsload_code make_directory(const char* uri, fsload_error** error) {
  return fsload_create_directory(NULL, uri, error);
}

static fsload_code make_directories(const char* uri, fsload_error** error) {
  return fsload_create_directories(NULL, uri, error);
}

static fsload_code delete_file(const char* uri, fsload_error** error) {
  return fsload_delete_file(NULL, uri, error);
}

static fsload_code delete_directory(const char* uri, fsload_error** error) {
  return fsload_delete_directory(NULL, uri, error);
}

static fsload_code delete_tree(const char* uri, fsload_error** error) {
  return fsload_delete_recursively(NULL, uri, NULL, NULL, error);
}

static const struct {
  const char* name;
  fsload_code (*call)(const char* uri, fsload_error** error);
} kFunctions[] = {
    {"open_writer", write_file},
    {"open_appender", append_file},
    {"open_reader", read_file},
    {"open_region", map_file},
    {"stat", stat_path},
    {"exists", exists},
    {"list", list},
    {"walk", walk},
    {"glob", glob},
    {"create_directory", make_directory},
    {"create_directories", make_directories},
    {"delete_file", delete_file},
    {"delete_directory", delete_directory},
    {"delete_recursively", delete_tree},
};

static fsload_code call(const char* name, const char* uri, const char* target,
                        fsload_error** error) {
  if (strcmp(name, "rename") == 0) {
    return fsload_rename(NULL, uri, target, error);
  }
  if (strcmp(name, "copy") == 0) {
    return fsload_copy(NULL, uri, target, NULL, error);
  }
  for (size_t i = 0; i < sizeof kFunctions / sizeof kFunctions[0]; ++i) {
    if (strcmp(name, kFunctions[i].name) == 0) {
      return kFunctions[i].call(uri, error);
    }
  }
  return FSLOAD_UNIMPLEMENTED;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const fsload_load_options options = {.struct_size = sizeof options,
                                       .stub_missing_functions = 1};
  fsload_error* error = NULL;
  fsload_code code = fsload_find_or_load(NULL, argv[2], &options, &error);
  if (code == FSLOAD_OK) {
    code = call(argv[1], argv[2], argc > 3 ? argv[3] : NULL, &error);
  }
  if (code != FSLOAD_OK) {
    fprintf(stderr, "%s\n%s\n", fsload_code_name(code),
            fsload_error_message(error));
  }
  fsload_error_free(error);
  fsload_retire_all(NULL, 10, NULL);
  return code == FSLOAD_OK ? 0 : 1;
}
