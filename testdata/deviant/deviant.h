// A filesystem plugin that deviates from the contract, scheme `deviant`. How,
// variant.cc says: a name of testdata/deviant.bzl, where each is described. All
// the rest of each variant is right.
//
// There are a file "/dir/file", which holds "0123456789" and cannot be changed,
// and the directories "/", "/dir" and "/dir/empty". A path that ends in
// "/code/7" gets an error of that code, and the message "as asked"; one that
// ends in "/forbidden" gets PERMISSION_DENIED. A file "/unreadable" can be
// opened and not be read.
//
// Each call appends a line ("stat /dir") to the file that the environment
// variable FSLOAD_TEST_LOG names.
#ifndef FSLOAD_TESTDATA_DEVIANT_DEVIANT_H_
#define FSLOAD_TESTDATA_DEVIANT_DEVIANT_H_

#include <string>
#include <string_view>

#include "fsload/filesystem_interface.h"

namespace deviant {

// The variant's name.
extern const std::string_view kVariant;

inline bool Is(std::string_view variant) { return variant == kVariant; }

constexpr std::string_view kContents = "0123456789";

bool IsFile(std::string_view path);
bool IsDirectory(std::string_view path);

// Appends a line to the log.
void Note(const std::string& call);

// Throws, where the variant is one that does so in this operation.
void ThrowIfDeviant();

// The status of a success, and of an error.
void Succeed(TF_Status* status);
void Fail(TF_Code code, const char* message, TF_Status* status);

// What every operation on a path begins with: notes and throws; then yields
// whether it fails already, because of the path.
bool FailsBecauseOf(const char* op, const char* path, TF_Status* status);

// files.cc
extern const TF_RandomAccessFileOps kReadOps;
extern const TF_WritableFileOps kWriteOps;
extern const TF_ReadOnlyMemoryRegionOps kRegionOps;
void AddOpeners(TF_FilesystemOps* ops);

// handed_over.cc: the operations that hand memory over.
void AddHandingOver(TF_FilesystemOps* ops);

}  // namespace deviant

#endif  // FSLOAD_TESTDATA_DEVIANT_DEVIANT_H_
