// The 33 operations of a filesystem (L323-L925). Their order is the binary
// interface: 22 since TensorFlow 2.1, 28 since 2.4, 33 since 2.5.
//
// Every path has been made canonical by translate_name and is null-terminated
// (L163); patterns and translate_name's own argument are as the caller wrote
// them. Every status is TF_OK on entry. The host owns the memory that an
// operation returns, except tokens, and frees it with the plugin's
// plugin_memory_free. Operations may be called from any number of threads at
// once: a host lists the directories of a pattern in parallel (L711). "Codes"
// lists those that the contract names; a plugin may set any other for other
// errors.
#ifndef FSLOAD_FILESYSTEM_OPS_H_
#define FSLOAD_FILESYSTEM_OPS_H_

#include <stdbool.h>
#include <stdint.h>

#include "fsload/filesystem_types.h"
#include "fsload/tf_file_statistics.h"
#include "fsload/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_FilesystemOps {
  // Acquires the filesystem's resources. Required (L326).
  void (*init)(TF_Filesystem* filesystem, TF_Status* status);

  // Releases them; the last call on this filesystem. Required (L342).
  void (*cleanup)(TF_Filesystem* filesystem);

  // Opens a file, as the three after it do: they set the wrapper's pointer when
  // they succeed. Codes: NOT_FOUND (file or parent), FAILED_PRECONDITION (a
  // directory, or a parent that is a file). Each requires the table of the
  // object it opens (L345-L419).
  void (*new_random_access_file)(const TF_Filesystem* filesystem,
                                 const char* path, TF_RandomAccessFile* file,
                                 TF_Status* status);

  // Opens a new, empty file for writing; an existing one is replaced (L366).
  void (*new_writable_file)(const TF_Filesystem* filesystem, const char* path,
                            TF_WritableFile* file, TF_Status* status);

  // Opens a file for writing at its end; a missing one is created (L384).
  void (*new_appendable_file)(const TF_Filesystem* filesystem, const char* path,
                              TF_WritableFile* file, TF_Status* status);

  // Maps a file; an empty one is INVALID_ARGUMENT (L410).
  void (*new_read_only_memory_region_from_file)(const TF_Filesystem* filesystem,
                                                const char* path,
                                                TF_ReadOnlyMemoryRegion* region,
                                                TF_Status* status);

  // Creates a directory. Codes: NOT_FOUND (parent), ALREADY_EXISTS,
  // FAILED_PRECONDITION (L423-L429).
  void (*create_dir)(const TF_Filesystem* filesystem, const char* path,
                     TF_Status* status);

  // Creates the ancestors, too. OK if the directory already exists,
  // FAILED_PRECONDITION if the path is something else (L435-L447).
  void (*recursively_create_dir)(const TF_Filesystem* filesystem,
                                 const char* path, TF_Status* status);

  // Deletes a file. Codes: NOT_FOUND, FAILED_PRECONDITION (a directory)
  // (L453-L458).
  void (*delete_file)(const TF_Filesystem* filesystem, const char* path,
                      TF_Status* status);

  // Deletes an empty directory. Codes: NOT_FOUND, FAILED_PRECONDITION (a file,
  // or not empty) (L464-L469).
  void (*delete_dir)(const TF_Filesystem* filesystem, const char* path,
                     TF_Status* status);

  // Deletes a directory and its contents, leaves first, and sets how many files
  // and directories are left: 0 and 0 on success, 0 and 1 if it could not start
  // (L479-L484). Codes: NOT_FOUND, FAILED_PRECONDITION (L491-L492).
  void (*delete_recursively)(const TF_Filesystem* filesystem, const char* path,
                             uint64_t* undeleted_files,
                             uint64_t* undeleted_dirs, TF_Status* status);

  // Renames a file and replaces `dst`; both unchanged on error. Codes:
  // NOT_FOUND, FAILED_PRECONDITION (a directory) (L504-L514).
  void (*rename_file)(const TF_Filesystem* filesystem, const char* src,
                      const char* dst, TF_Status* status);

  // Copies a file and replaces `dst`, or puts the copy into `dst` if that is a
  // directory (L527; by L535 that is FAILED_PRECONDITION). Both are unchanged
  // on an error. Codes: NOT_FOUND (`src` or a parent), FAILED_PRECONDITION
  // (`src` is a directory) (L532-L536).
  void (*copy_file)(const TF_Filesystem* filesystem, const char* src,
                    const char* dst, TF_Status* status);

  // Sets OK for a file or a directory. Code: NOT_FOUND (L548-L553).
  void (*path_exists)(const TF_Filesystem* filesystem, const char* path,
                      TF_Status* status);

  // Returns whether all `num_files` paths exist; fills `statuses` unless that
  // is null (L559-L571).
  bool (*paths_exist)(const TF_Filesystem* filesystem, char** paths,
                      int num_files, TF_Status** statuses);

  // Writes `stats` only on success. Code: NOT_FOUND (L579-L586).
  void (*stat)(const TF_Filesystem* filesystem, const char* path,
               TF_FileStatistics* stats, TF_Status* status);

  // Returns stat's is_directory; false on error (L592-L602).
  bool (*is_directory)(const TF_Filesystem* filesystem, const char* path,
                       TF_Status* status);

  // Returns stat's length. FAILED_PRECONDITION for a directory (L609-L619).
  int64_t (*get_file_size)(const TF_Filesystem* filesystem, const char* path,
                           TF_Status* status);

  // Returns the canonical path for a URI or path, in memory from the plugin's
  // allocator; never null, may be empty (L625-L648).
  char* (*translate_name)(const TF_Filesystem* filesystem, const char* uri);

  // Returns the names in a directory; the array and its strings come from the
  // plugin's allocator. Returns their number, or -1 with an error. Codes:
  // NOT_FOUND, FAILED_PRECONDITION (a file) (L652-L674).
  int (*get_children)(const TF_Filesystem* filesystem, const char* path,
                      char*** entries, TF_Status* status);

  // Returns the paths that match a pattern, as get_children does (L678-L709).
  int (*get_matching_paths)(const TF_Filesystem* filesystem, const char* glob,
                            char*** entries, TF_Status* status);

  // Drops what the filesystem has cached (L716-L719).
  void (*flush_caches)(const TF_Filesystem* filesystem);

  // Starts a transaction. Those that follow use or end one. All are new in
  // TensorFlow 2.4 (a table of 224 bytes). The filesystem owns each token until
  // end_transaction; the int is 0, or -1 with an error (L721-L845). Code:
  // FAILED_PRECONDITION (only one transaction at a time) (L736-L737).
  int (*start_transaction)(const TF_Filesystem* filesystem,
                           TF_TransactionToken** token, TF_Status* status);

  // Ends a transaction and frees its token. Code: NOT_FOUND (L742-L754).
  int (*end_transaction)(const TF_Filesystem* filesystem,
                         TF_TransactionToken* token, TF_Status* status);

  // Adds a path, which need not exist yet, to a transaction. Codes: NOT_FOUND
  // (the token), FAILED_PRECONDITION (it is in another one) (L759-L773).
  int (*add_to_transaction)(const TF_Filesystem* filesystem, const char* path,
                            TF_TransactionToken* token, TF_Status* status);

  // Returns the transaction of a path, which need not exist yet. Codes:
  // NOT_FOUND (none), FAILED_PRECONDITION (another filesystem's) (L778-L797).
  int (*get_transaction_for_path)(const TF_Filesystem* filesystem,
                                  const char* path, TF_TransactionToken** token,
                                  TF_Status* status);

  // Returns the transaction of a path, or starts one and adds the path to it.
  // Codes: NOT_FOUND (it is not in this filesystem), FAILED_PRECONDITION (only
  // one transaction at a time) (L803-L823).
  int (*get_or_start_transaction_for_path)(const TF_Filesystem* filesystem,
                                           const char* path,
                                           TF_TransactionToken** token,
                                           TF_Status* status);

  // Returns text for people, in memory from the plugin's allocator.
  char* (*decode_transaction_token)(const TF_Filesystem* filesystem,
                                    const TF_TransactionToken* token);

  // Returns all options. The host owns what these five return, in memory from
  // the plugin's allocator (L847-L924). New in TensorFlow 2.5 (264 bytes).
  void (*get_filesystem_configuration)(const TF_Filesystem* filesystem,
                                       TF_Filesystem_Option** options,
                                       int* num_options, TF_Status* status);

  // Sets some or all options. They stay the host's, in memory from the plugin's
  // allocator; a plugin copies what it keeps (L863-L877).
  void (*set_filesystem_configuration)(const TF_Filesystem* filesystem,
                                       const TF_Filesystem_Option* options,
                                       int num_options, TF_Status* status);

  // Returns the option `key`. Code: NOT_FOUND (L879-L894).
  void (*get_filesystem_configuration_option)(const TF_Filesystem* filesystem,
                                              const char* key,
                                              TF_Filesystem_Option** option,
                                              TF_Status* status);

  // Sets one option, which stays the host's. Code: NOT_FOUND (L896-L910).
  void (*set_filesystem_configuration_option)(
      const TF_Filesystem* filesystem, const TF_Filesystem_Option* option,
      TF_Status* status);

  // Returns the names of all options. `keys` is one pointer short of an array
  // of strings (L922): fsload reads it as one block of null-terminated names.
  void (*get_filesystem_configuration_keys)(const TF_Filesystem* filesystem,
                                            char** keys, int* num_keys,
                                            TF_Status* status);
} TF_FilesystemOps;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_FILESYSTEM_OPS_H_
