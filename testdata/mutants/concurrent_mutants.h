// The rows of the mutants of the posix plugin that share what belongs to one
// call or file, or are wrong where an operation fails when it has begun.
#ifndef FSLOAD_TESTDATA_MUTANTS_CONCURRENT_MUTANTS_H_
#define FSLOAD_TESTDATA_MUTANTS_CONCURRENT_MUTANTS_H_

#include "testdata/mutants/mutant.h"

namespace mutants {

inline constexpr Mutant kConcurrentMutants[] = {
    {"posix.stat-shares-entry", Group::kThreads, "L577",
     "stat puts what it finds into an entry that all threads share."},
    {"posix.size-shares-entry", Group::kThreads, "L609",
     "get_file_size puts what it finds into a variable that all threads "
     "share."},
    {"posix.exists-shares-code", Group::kThreads, "L550",
     "path_exists puts its code into a variable that all threads share."},
    {"posix.translate-shares-buffer", Group::kThreads, "L642",
     "Paths are put together in a buffer that all threads share."},
    {"posix.list-shares-names", Group::kThreads, "L652",
     "Listings put names into an array that all threads share."},
    {"posix.region-shares-length", Group::kThreads, "L315",
     "The length of a region is that of the last one."},
    {"posix.open-shares-path", Group::kThreads, "L345",
     "The path of a file to read is kept in a buffer that all threads share."},
    {"posix.new-file-shares-path", Group::kThreads, "L365",
     "The path of a new file is kept in a buffer that all threads share."},
    {"posix.create-dir-shares-path", Group::kThreads, "L425",
     "The path of a new directory is kept in a buffer that all threads share."},
    {"posix.delete-file-shares-path", Group::kThreads, "L451",
     "The path of a file to delete is kept in a buffer that all threads "
     "share."},
    {"posix.rename-shares-paths", Group::kThreads, "L502",
     "The paths of a rename are kept in buffers that all threads share."},
    {"posix.copy-shares-paths", Group::kThreads, "L521",
     "The paths of a copy are kept in buffers that all threads share."},
    {"posix.copy-shares-temporary", Group::kThreads, "L521",
     "Copies into one directory are first written to the same file."},
    {"posix.append-shares-buffer", Group::kThreads, "L249",
     "What is appended goes through a buffer that all threads share."},
    {"posix.append-shares-position", Group::kLifeCycle, "L249",
     "An append writes where the last one to any file ended."},
    {"posix.tell-shares-position", Group::kLifeCycle, "L263",
     "tell counts the appends to all open files."},
    {"posix.append-to-last-opened", Group::kLifeCycle, "L249",
     "An append writes to the file that was opened last."},
    {"posix.read-of-16-files-at-most", Group::kLifeCycle, "L345",
     "The 17th file takes the place of the first in a table of open files."},
    {"posix.region-of-16-files-at-most", Group::kLifeCycle, "L400",
     "The 17th region takes the place of the first in a table of regions."},
    {"posix.append-to-16-files-at-most", Group::kLifeCycle, "L365",
     "The 17th file takes the buffer of the first."},
    {"posix.copy-in-place", Group::kPartly, "L523",
     "A copy truncates its target and then writes it."},
    {"posix.copy-opens-target-first", Group::kPartly, "L523",
     "A copy truncates its target before it opens the source."},
    {"posix.failed-copy-deletes-target", Group::kPartly, "L523",
     "A copy that fails when it has begun deletes its target."},
    {"posix.failed-copy-leaves-part", Group::kPartly, "L523",
     "A copy that fails when it has begun leaves a file of another name."},
    {"posix.copy-takes-read-error-for-end", Group::kPartly, "L523",
     "A copy takes an error of its source for the end."},
    {"posix.rename-by-copying", Group::kPartly, "L502",
     "A rename copies onto its target and deletes the source."},
    {"posix.rename-by-copying-deletes-source", Group::kPartly, "L502",
     "A rename copies, and deletes the source whatever became of that."},
    {"posix.rename-by-copying-leaves-part", Group::kPartly, "L502",
     "A rename copies to a file of another name, which stays there if that "
     "fails."},
    {"posix.read-error-is-end", Group::kPartly, "L231",
     "A read that fails is at the end of the file."},
    {"posix.read-error-is-zeros", Group::kPartly, "L231",
     "A read that fails is OK, with zeros."},
    {"posix.append-too-large-is-ok", Group::kPartly, "L257",
     "An append beyond the largest size of a file is OK."},
    {"posix.failed-append-empties", Group::kPartly, "L257",
     "An append that fails makes the file empty."},
    {"posix.failed-append-deletes", Group::kPartly, "L257",
     "An append that fails deletes the file."},
    {"posix.failed-append-leaves-rest", Group::kPartly, "L257",
     "An append that fails leaves a file of another name."},
    {"posix.failed-new-file-empties", Group::kPartly, "L366",
     "A file that cannot be created anew is empty."},
    {"posix.list-without-descriptors-is-empty", Group::kPartly, "L652",
     "A directory that cannot be opened is listed as empty, if descriptors "
     "lack."},
    {"posix.open-without-descriptors-is-not-found", Group::kPartly, "L356",
     "A file that cannot be opened is NOT_FOUND, if descriptors lack."},
    {"posix.region-without-descriptors-is-invalid", Group::kPartly, "L411",
     "A file that cannot be opened is INVALID_ARGUMENT, if descriptors lack."},
    {"posix.delete-tree-without-descriptors-is-ok", Group::kPartly, "L480",
     "A delete_recursively that cannot open the directory is OK, if "
     "descriptors lack."},
    {"posix.delete-tree-without-descriptors-counts-none", Group::kPartly,
     "L480",
     "A delete_recursively that cannot open the directory counts nothing."},
};

}  // namespace mutants

#endif  // FSLOAD_TESTDATA_MUTANTS_CONCURRENT_MUTANTS_H_
