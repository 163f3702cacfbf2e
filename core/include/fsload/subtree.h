// A file system that is one directory of another one, with no way out by name.
#ifndef FSLOAD_SUBTREE_H_
#define FSLOAD_SUBTREE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"

namespace FSLOAD_API fsload {

// Returns a file system of scheme `scheme`, in which "scheme:///a" is what
// `inner` has at "root/a". `root` is a URI of `inner`, or an absolute path in
// it, and need not exist yet. Thread-safe; shares the ownership of `inner`.
//
// Promised: `inner` is asked only for paths that are the root or below it. Each
// path is put behind the root and made canonical by `inner` itself (by its
// translate_name); what is then neither the root nor below it, or still has a
// component "..", is PERMISSION_DENIED before any other call. That holds for
// URIs with "..", "//" and "%2e", for both paths of a rename, for what globs
// and fsload's other defaults make of them, and for the names in a listing. A
// URI with a host, and one of another scheme, is INVALID_ARGUMENT.
//
// Results are relative to the new root: TranslateName and GetMatchingPaths
// never show the old one, and it is cut out of error messages.
//
// Not promised: that links lead nowhere else. The interface has no call that
// tells a symbolic link from what it points to, and none that makes one:
// whoever can put a link below the root by other means (or replace a directory
// by one) can lead out of it. Nor is `inner` kept from touching other paths by
// itself, for a temporary file beside a root that is a file. What else `inner`
// offers to everybody stays common to all: its options, and transactions by
// their tokens.
//
// Of a store, names that no path reaches ("..", or a component that is empty)
// are left out of listings and walks, which a walk of `inner` reports.
// DeleteRecursively of a root that is a bucket leaves the bucket itself.
//
// Globs, and the creation of several levels, are fsload's defaults here, so
// that what is above the root is neither listed nor created.
//
// INVALID_ARGUMENT for a null `inner`, an invalid scheme, and a root that
// is of another scheme, relative, or has a ".." left after translation;
// RESOURCE_EXHAUSTED if the kernel has no memory.
absl::StatusOr<FileSystemPtr> Subtree(FileSystemPtr inner,
                                      std::string_view root,
                                      std::string scheme);

}  // namespace fsload

#endif  // FSLOAD_SUBTREE_H_
