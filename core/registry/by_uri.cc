#include "fsload/by_uri.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "core/calls/plugin_call.h"
#include "core/calls/uri_call.h"
#include "core/file_system/plugin_file_system.h"
#include "core/files/open_op.h"
#include "core/paths/uri.h"
#include "core/registry/pinned.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

const PluginOps& OpsOf(const FileSystem& file_system) {
  return PluginFileSystem::Of(file_system).ops();
}

// Returns the result of `call` for the file system of `uri` and the length of
// its scheme, or the error if there is none. Inlined, so only for the few calls
// that are short; the others use On, which finds the file system through a
// function: a compiler inlines only so much in one file.
template <typename Call>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto OnInline(SchemeRegistry& registry,
                                                  std::string_view uri,
                                                  Call&& call)
    -> decltype(call(*static_cast<const FileSystem*>(nullptr), size_t{0})) {
  const size_t scheme_bytes = SchemeBytesOf(uri);
  const Pinned pinned(registry, uri, scheme_bytes);
  if (ABSL_PREDICT_FALSE(!pinned)) {
    return Pinned::NothingServes(registry, uri);
  }
  return call(*pinned.get(), scheme_bytes);
}

// Opens the file `uri` with `op`, an OpenOp.
template <typename Operation>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline auto Open(SchemeRegistry& registry,
                                              const Operation& op,
                                              std::string_view uri) {
  return OnInline(registry, uri,
                  [&](const FileSystem& file_system, size_t scheme_bytes)
                      ABSL_ATTRIBUTE_ALWAYS_INLINE {
                        return op.OpenUri(OpsOf(file_system), uri, scheme_bytes,
                                          &file_system);
                      });
}

ABSL_ATTRIBUTE_NOINLINE Pinned PinFor(SchemeRegistry& registry,
                                      std::string_view uri) {
  return Pinned(registry, uri, SchemeBytesOf(uri));
}

// Returns the result of `call` for the file system of `uri`, or the error if
// there is none.
template <typename Call>
auto On(SchemeRegistry& registry, std::string_view uri, Call&& call)
    -> decltype(call(*static_cast<const FileSystem*>(nullptr))) {
  const Pinned pinned = PinFor(registry, uri);
  if (!pinned) return Pinned::NothingServes(registry, uri);
  return call(*pinned.get());
}

// Calls `method` of that file system with `uri` and `arguments`.
template <typename Result, typename... Parameters, typename... Arguments>
Result Call(SchemeRegistry& registry,
            Result (FileSystem::*method)(Parameters...) const,
            std::string_view uri, Arguments... arguments) {
  return On(registry, uri, [&](const FileSystem& file_system) {
    return (file_system.*method)(uri, arguments...);
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<RandomAccessFile>> NewRandomAccessFile(
    std::string_view uri, SchemeRegistry& registry) {
  return Open(registry, kNewRandomAccessFile, uri);
}

absl::StatusOr<std::unique_ptr<WritableFile>> NewWritableFile(
    std::string_view uri, SchemeRegistry& registry) {
  return Open(registry, kNewWritableFile, uri);
}

absl::StatusOr<std::unique_ptr<WritableFile>> NewAppendableFile(
    std::string_view uri, SchemeRegistry& registry) {
  return Open(registry, kNewAppendableFile, uri);
}

absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
NewReadOnlyMemoryRegionFromFile(std::string_view uri,
                                SchemeRegistry& registry) {
  return Call(registry, &FileSystem::NewReadOnlyMemoryRegionFromFile, uri);
}

absl::Status FileExists(std::string_view uri, SchemeRegistry& registry) {
  return OnInline(registry, uri,
                  [&](const FileSystem& file_system,
                      size_t scheme_bytes) ABSL_ATTRIBUTE_ALWAYS_INLINE {
                    return FileExistsOn(OpsOf(file_system), uri, scheme_bytes);
                  });
}

std::vector<absl::Status> FilesExist(absl::Span<const std::string> uris,
                                     SchemeRegistry& registry) {
  const bool one_scheme =
      std::all_of(uris.begin(), uris.end(), [&](const std::string& uri) {
        return SchemeOf(uri) == SchemeOf(uris.front());
      });
  if (one_scheme && !uris.empty()) {
    const Pinned pinned = PinFor(registry, uris.front());
    if (pinned) return pinned->FilesExist(uris);
  }
  std::vector<absl::Status> answers;
  for (const std::string& uri : uris) {
    answers.push_back(FileExists(uri, registry));
  }
  return answers;
}

absl::StatusOr<FileStatistics> Stat(std::string_view uri,
                                    SchemeRegistry& registry) {
  return OnInline(registry, uri,
                  [&](const FileSystem& file_system, size_t scheme_bytes)
                      ABSL_ATTRIBUTE_ALWAYS_INLINE {
                        return StatOn(OpsOf(file_system), uri, scheme_bytes);
                      });
}

absl::StatusOr<bool> IsDirectory(std::string_view uri,
                                 SchemeRegistry& registry) {
  return Call(registry, &FileSystem::IsDirectory, uri);
}

absl::StatusOr<int64_t> GetFileSize(std::string_view uri,
                                    SchemeRegistry& registry) {
  return Call(registry, &FileSystem::GetFileSize, uri);
}

absl::StatusOr<std::vector<std::string>> GetChildren(std::string_view uri,
                                                     SchemeRegistry& registry) {
  return Call(registry, &FileSystem::GetChildren, uri);
}

absl::StatusOr<std::vector<std::string>> GetMatchingPaths(
    std::string_view pattern, SchemeRegistry& registry) {
  return Call(registry, &FileSystem::GetMatchingPaths, pattern);
}

absl::Status CreateDir(std::string_view uri, SchemeRegistry& registry) {
  return Call(registry, &FileSystem::CreateDir, uri);
}

absl::Status RecursivelyCreateDir(std::string_view uri,
                                  SchemeRegistry& registry) {
  return Call(registry, &FileSystem::RecursivelyCreateDir, uri);
}

absl::Status DeleteFile(std::string_view uri, SchemeRegistry& registry) {
  return Call(registry, &FileSystem::DeleteFile, uri);
}

absl::Status DeleteDir(std::string_view uri, SchemeRegistry& registry) {
  return Call(registry, &FileSystem::DeleteDir, uri);
}

absl::Status DeleteRecursively(std::string_view uri, Undeleted* undeleted,
                               SchemeRegistry& registry) {
  if (undeleted != nullptr) *undeleted = {0, 1};
  return Call(registry, &FileSystem::DeleteRecursively, uri, undeleted);
}

absl::Status RenameFile(std::string_view src, std::string_view dst,
                        SchemeRegistry& registry) {
  return On(registry, src, [&](const FileSystem& from) {
    return On(registry, dst, [&](const FileSystem& to) {
      if (&from == &to) return from.RenameFile(src, dst);
      return absl::UnimplementedError(
          CallMessage(Op::kFilesystem_rename_file, src,
                      Format("cannot rename from scheme '{}' to scheme "
                             "'{}'; copy the file and delete the original",
                             from.scheme(), to.scheme())));
    });
  });
}

absl::Status CopyFile(std::string_view src, std::string_view dst,
                      SchemeRegistry& registry) {
  return On(registry, src, [&](const FileSystem& from) {
    return On(registry, dst, [&](const FileSystem& to) {
      return from.CopyFileTo(src, to, dst);
    });
  });
}

absl::StatusOr<std::string> TranslateName(std::string_view uri,
                                          SchemeRegistry& registry) {
  return Call(registry, &FileSystem::TranslateName, uri);
}

absl::Status FlushCaches(std::string_view uri, SchemeRegistry& registry) {
  return On(registry, uri, [](const FileSystem& file_system) {
    return file_system.FlushCaches();
  });
}

absl::StatusOr<Transaction> StartTransaction(std::string_view uri,
                                             SchemeRegistry& registry) {
  return On(registry, uri, [](const FileSystem& file_system) {
    return file_system.StartTransaction();
  });
}

absl::Status EndTransaction(std::string_view uri, TransactionToken token,
                            SchemeRegistry& registry) {
  return On(registry, uri, [&](const FileSystem& file_system) {
    return file_system.EndTransaction(token);
  });
}

absl::Status AddToTransaction(std::string_view uri, TransactionToken token,
                              SchemeRegistry& registry) {
  return Call(registry, &FileSystem::AddToTransaction, uri, token);
}

absl::StatusOr<TransactionToken> GetTransactionForPath(
    std::string_view uri, SchemeRegistry& registry) {
  return Call(registry, &FileSystem::GetTransactionForPath, uri);
}

absl::StatusOr<TransactionToken> GetTokenOrStartTransaction(
    std::string_view uri, SchemeRegistry& registry) {
  return Call(registry, &FileSystem::GetTokenOrStartTransaction, uri);
}

}  // namespace fsload
