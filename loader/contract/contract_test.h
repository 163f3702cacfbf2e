// The contract as a list of clauses, each a function that calls a plugin
// through the facade. contract_test.cc runs every clause with every plugin, and
// again with each operation of that plugin hidden.
#ifndef FSLOAD_LOADER_CONTRACT_CONTRACT_TEST_H_
#define FSLOAD_LOADER_CONTRACT_CONTRACT_TEST_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"

namespace fsload {

inline constexpr Op kOpen = Op::kFilesystem_new_random_access_file;
inline constexpr Op kRead = Op::kRandomAccessFile_read;
inline constexpr Op kNew = Op::kFilesystem_new_writable_file;
inline constexpr Op kAppendable = Op::kFilesystem_new_appendable_file;
inline constexpr Op kAppend = Op::kWritableFile_append;
inline constexpr Op kTell = Op::kWritableFile_tell;
inline constexpr Op kFlush = Op::kWritableFile_flush;
inline constexpr Op kSync = Op::kWritableFile_sync;
inline constexpr Op kClose = Op::kWritableFile_close;
inline constexpr Op kRegion =
    Op::kFilesystem_new_read_only_memory_region_from_file;
inline constexpr Op kCreateDir = Op::kFilesystem_create_dir;
inline constexpr Op kCreateDirs = Op::kFilesystem_recursively_create_dir;
inline constexpr Op kDeleteFile = Op::kFilesystem_delete_file;
inline constexpr Op kDeleteDir = Op::kFilesystem_delete_dir;
inline constexpr Op kDeleteTree = Op::kFilesystem_delete_recursively;
inline constexpr Op kRename = Op::kFilesystem_rename_file;
inline constexpr Op kCopy = Op::kFilesystem_copy_file;
inline constexpr Op kExists = Op::kFilesystem_path_exists;
inline constexpr Op kAllExist = Op::kFilesystem_paths_exist;
inline constexpr Op kStat = Op::kFilesystem_stat;
inline constexpr Op kIsDirectory = Op::kFilesystem_is_directory;
inline constexpr Op kSize = Op::kFilesystem_get_file_size;
inline constexpr Op kTranslate = Op::kFilesystem_translate_name;
inline constexpr Op kChildren = Op::kFilesystem_get_children;
inline constexpr Op kGlob = Op::kFilesystem_get_matching_paths;
inline constexpr Op kFlushCaches = Op::kFilesystem_flush_caches;
inline constexpr Op kStart = Op::kFilesystem_start_transaction;
inline constexpr Op kEnd = Op::kFilesystem_end_transaction;
inline constexpr Op kAdd = Op::kFilesystem_add_to_transaction;
inline constexpr Op kFind = Op::kFilesystem_get_transaction_for_path;
inline constexpr Op kFindOrStart =
    Op::kFilesystem_get_or_start_transaction_for_path;
inline constexpr Op kDecode = Op::kFilesystem_decode_transaction_token;
inline constexpr Op kGetOptions = Op::kFilesystem_get_filesystem_configuration;
inline constexpr Op kSetOptions = Op::kFilesystem_set_filesystem_configuration;
inline constexpr Op kGetOption =
    Op::kFilesystem_get_filesystem_configuration_option;
inline constexpr Op kSetOption =
    Op::kFilesystem_set_filesystem_configuration_option;
inline constexpr Op kKeys = Op::kFilesystem_get_filesystem_configuration_keys;

// One plugin, with at most one operation hidden, and an empty directory.
class Contract {
 public:
  Contract(FileSystemPtr complete, FileSystemPtr tested,
           std::vector<Op> declared, bool hides_nothing, std::string root)
      : fs(*tested),
        hides_nothing(hides_nothing),
        complete_(std::move(complete)),
        tested_(std::move(tested)),
        declared_(std::move(declared)),
        root_(std::move(root)) {}

  // The tested file system.
  const FileSystem& fs;

  // Whether nothing is hidden: slow tests without a default then run at full
  // length.
  const bool hides_nothing;

  // Whether the plugin has `op` and it is not hidden.
  bool Has(Op op) const;

  // The operations without which `op` cannot be called, by the contract's own
  // list of what defaults need; none if it can.
  std::vector<Op> Missing(Op op) const;

  // The URI of `name` in the directory; "" is the directory's own.
  std::string Uri(std::string_view name) const;

  // These access the same files with nothing hidden.
  void Put(std::string_view name, std::string_view contents);
  void PutDir(std::string_view name);
  std::string Contents(std::string_view name) const;
  bool IsThere(std::string_view name) const;
  std::vector<std::string> Names(std::string_view name = "") const;  // sorted

  // Calls `op`, which the plugin does not offer.
  void ExpectUnimplemented(Op op);

 private:
  absl::Status CallOnce(Op op);

  const FileSystemPtr complete_;
  const FileSystemPtr tested_;
  const std::vector<Op> declared_;
  const std::string root_;
};

struct Clause {
  const char* name;
  std::vector<Op> calls;  // the operations that it cannot do without
  void (*check)(Contract& contract);
};

// Declares a clause, checked by the function of its name, which calls `...`.
#define FSLOAD_CLAUSE(name, ...) \
  { #name, {__VA_ARGS__ }, name }

std::vector<Clause> ReadingClauses();
std::vector<Clause> WritingClauses();
std::vector<Clause> NamespaceClauses();
std::vector<Clause> MovingClauses();
std::vector<Clause> AskingClauses();
std::vector<Clause> TransactionAndConfigurationClauses();

// Expects `status` to be an error of `code` whose message contains `text`.
void ExpectError(const absl::Status& status, absl::StatusCode code,
                 std::string_view text);

inline constexpr auto kNotFound = absl::StatusCode::kNotFound;
inline constexpr auto kFailed = absl::StatusCode::kFailedPrecondition;
inline constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONTRACT_CONTRACT_TEST_H_
