/* c_api PLUGIN DIRECTORY, as in: c_api posix.so posix:///tmp/empty */
#include <fsload/fsload.h>
#include <stdio.h>
#include <string.h>

/* Writes a file. It is published by fsload_close alone: one that is freed
   before that is dropped. */
static fsload_code write_file(const char* uri, const char* text,
                              fsload_error** error) {
  fsload_writer* file = NULL;
  fsload_code code = fsload_open_writer(NULL, uri, &file, error);
  if (code == FSLOAD_OK) code = fsload_append(file, text, strlen(text), error);
  if (code == FSLOAD_OK) code = fsload_close(file, error);
  fsload_writer_free(file);
  return code;
}

/* Prints a file, block by block: a block that is not full is the last one. */
static fsload_code print_file(const char* uri, fsload_error** error) {
  char block[4096];
  size_t count = sizeof block;
  uint64_t offset = 0;
  fsload_reader* file = NULL;
  fsload_code code = fsload_open_reader(NULL, uri, &file, error);
  while (code == FSLOAD_OK && count == sizeof block) {
    code = fsload_read(file, offset, block, sizeof block, &count, error);
    fwrite(block, 1, count, stdout);
    offset += count;
  }
  fsload_reader_free(file);
  return code;
}

/* Prints what is below a directory, with the lengths of files. */
static fsload_code print_tree(const char* uri, fsload_error** error) {
  fsload_walk_options options = {.struct_size = sizeof options,
                                 .detail = FSLOAD_STATISTICS,
                                 .recursive = 1};
  fsload_walk* walk = NULL;
  const fsload_entry* entry = NULL;
  fsload_code code = fsload_walk_begin(NULL, uri, &options, &walk, error);
  while (code == FSLOAD_OK) {
    code = fsload_walk_next(walk, &entry, error);
    if (code != FSLOAD_OK || entry == NULL) break;
    if (entry->code != FSLOAD_OK) fprintf(stderr, "%s\n", entry->message);
    if (entry->is_directory) {
      printf("%s/\n", entry->path);
    } else {
      printf("%s %lld\n", entry->path, (long long)entry->length);
    }
  }
  fsload_walk_free(walk);
  return code;
}

static fsload_code run(const char* plugin, const char* directory,
                       fsload_error** error) {
  char folder[1000];
  char file[1000];
  snprintf(folder, sizeof folder, "%.900s/a", directory);
  snprintf(file, sizeof file, "%.900s/a/greeting", directory);
  fsload_code code = fsload_load(NULL, plugin, NULL, NULL, error);
  if (code == FSLOAD_OK) code = fsload_create_directories(NULL, folder, error);
  if (code == FSLOAD_OK) code = write_file(file, "hello\n", error);
  if (code == FSLOAD_OK) code = print_tree(directory, error);
  if (code == FSLOAD_OK) code = print_file(file, error);
  if (code == FSLOAD_OK) code = fsload_delete_file(NULL, file, error);
  if (code != FSLOAD_OK) return code;

  /* An error that is expected: its code says so. */
  code = print_file(file, error);
  if (code != FSLOAD_NOT_FOUND) return code;
  printf("deleted\n");
  return FSLOAD_OK;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  fsload_error* error = NULL; /* one for all calls */
  fsload_code code = run(argv[1], argv[2], &error);
  if (code != FSLOAD_OK) {
    fprintf(stderr, "%s: %s\n", fsload_code_name(code),
            fsload_error_message(error));
  }
  fsload_retire_all(NULL, 10, NULL); /* runs the plugin's cleanup */
  fsload_error_free(error);
  return code == FSLOAD_OK ? 0 : 1;
}
