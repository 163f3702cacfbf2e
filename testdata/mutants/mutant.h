// A mutant: a plugin with one mistake that an author could make, and otherwise
// right. A suite that checks plugins must tell each from the correct plugin.
//
// mutants.so has the schemes `posix` and `memory`, as the plugins of these
// names; the environment variable FSLOAD_MUTANT names the mutant, and without
// it both are right. Each mutant is a row in one of the headers *_mutants.h,
// and a change of the same name in reading.cc and others.
#pragma once

namespace mutants {

// What a mutant gets wrong.
enum class Group {
  kStatuses,       // codes, counts and statuses of calls
  kContents,       // bytes written and read back
  kReadEdges,      // reads at the end, beyond it, of nothing
  kMoving,         // rename_file and copy_file
  kEndOfFile,      // truncation, tell, appending after reopening
  kUnimplemented,  // an operation that is there and does nothing
  kThreads,        // parallel reads of one file
  kOwnership,      // memory and descriptors
  kLifeCycle,      // what is shared by what should be separate
  kOutParameters,  // what a failed call leaves behind
  kAgreement,      // operations that should agree with each other
  kNamespace,      // creating and deleting
  kListings,
  kGlobs,
  kVisibility,  // what is seen after a change, a flush or a close
  kTranslation,
  kNames,
  kRefusals,  // full disks, permissions
  kSequences,
  kExtras,   // transactions and configuration
  kProcess,  // what belongs to the whole process
  kPartly,   // operations that fail in the middle
  kDeaths,   // crashes, exits, hangs, exceptions
};

struct Mutant {
  const char* name;  // "SCHEME.mistake"
  Group group;
  const char* clause;   // the line of the contract that it breaks, as "L229"
  const char* mistake;  // a sentence
};

}  // namespace mutants
