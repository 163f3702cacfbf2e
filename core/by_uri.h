// FileSystem's operations by URI: each finds the file system of the URI's
// scheme and calls the method of the same name, whose documentation holds here
// too.
//
// A scheme that no file system has is NOT_FOUND. Finding costs no lock, no
// allocation and no counter that threads share. All may be called from any
// thread.
#ifndef FSLOAD_CORE_BY_URI_H_
#define FSLOAD_CORE_BY_URI_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/file_system.h"
#include "core/scheme_registry.h"

namespace fsload {

// Each takes the registry to look in as its last argument.
using Registry = SchemeRegistry;

absl::StatusOr<std::unique_ptr<RandomAccessFile>> NewRandomAccessFile(
    std::string_view uri, Registry& registry = Registry::Default());
absl::StatusOr<std::unique_ptr<WritableFile>> NewWritableFile(
    std::string_view uri, Registry& registry = Registry::Default());
absl::StatusOr<std::unique_ptr<WritableFile>> NewAppendableFile(
    std::string_view uri, Registry& registry = Registry::Default());
absl::StatusOr<std::unique_ptr<ReadOnlyMemoryRegion>>
NewReadOnlyMemoryRegionFromFile(std::string_view uri,
                                Registry& registry = Registry::Default());

absl::Status FileExists(std::string_view uri,
                        Registry& registry = Registry::Default());

// The URIs may be of several schemes.
bool FilesExist(const std::vector<std::string>& uris,
                std::vector<absl::Status>* statuses = nullptr,
                Registry& registry = Registry::Default());

absl::StatusOr<FileStatistics> Stat(std::string_view uri,
                                    Registry& registry = Registry::Default());
absl::StatusOr<bool> IsDirectory(std::string_view uri,
                                 Registry& registry = Registry::Default());
absl::StatusOr<int64_t> GetFileSize(std::string_view uri,
                                    Registry& registry = Registry::Default());
absl::StatusOr<std::vector<std::string>> GetChildren(
    std::string_view uri, Registry& registry = Registry::Default());
absl::StatusOr<std::vector<std::string>> GetMatchingPaths(
    std::string_view pattern, Registry& registry = Registry::Default());

absl::Status CreateDir(std::string_view uri,
                       Registry& registry = Registry::Default());
absl::Status RecursivelyCreateDir(std::string_view uri,
                                  Registry& registry = Registry::Default());
absl::Status DeleteFile(std::string_view uri,
                        Registry& registry = Registry::Default());
absl::Status DeleteDir(std::string_view uri,
                       Registry& registry = Registry::Default());
absl::Status DeleteRecursively(std::string_view uri,
                               Undeleted* undeleted = nullptr,
                               Registry& registry = Registry::Default());

// UNIMPLEMENTED when the schemes differ: that would be a copy and a deletion.
absl::Status RenameFile(std::string_view src, std::string_view dst,
                        Registry& registry = Registry::Default());

// Between schemes fsload copies by itself: see FileSystem::CopyFileTo.
absl::Status CopyFile(std::string_view src, std::string_view dst,
                      Registry& registry = Registry::Default());

absl::StatusOr<std::string> TranslateName(
    std::string_view uri, Registry& registry = Registry::Default());

}  // namespace fsload

#endif  // FSLOAD_CORE_BY_URI_H_
