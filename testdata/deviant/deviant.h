// A filesystem plugin that deviates from the contract, scheme `deviant`.
// variant.cc selects the deviation, by a name from testdata/deviant.bzl, which
// describes each. Everything else in a variant is correct.
//
// It has a read-only file "/dir/file", which holds "0123456789", and the
// directories "/", "/dir" and "/dir/empty". A path that ends in "/code/7"
// returns an error with that code and the message "as asked"; one that ends in
// "/forbidden" returns PERMISSION_DENIED. The file "/unreadable" can be opened
// but not read.
//
// Each call appends a line ("stat /dir") to the file that the environment
// variable FSLOAD_TEST_LOG names.
#pragma once

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

// Throws if the variant throws in this operation.
void ThrowIfDeviant();

// Set the status to OK, or to an error.
void Succeed(TF_Status* status);
void Fail(TF_Code code, const char* message, TF_Status* status);

// First step of every operation on a path: logs and may throw; then returns
// whether the path makes the operation fail.
bool FailsBecauseOf(const char* op, const char* path, TF_Status* status);

// files.cc
extern const TF_RandomAccessFileOps kReadOps;
extern const TF_WritableFileOps kWriteOps;
extern const TF_ReadOnlyMemoryRegionOps kRegionOps;
void AddOpeners(TF_FilesystemOps* ops);

// handed_over.cc: the operations that hand over memory.
void AddHandingOver(TF_FilesystemOps* ops);

}  // namespace deviant
