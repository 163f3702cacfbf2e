// The verbs: each adds itself to the command line.
#pragma once

#include "tools/cli/command_line.h"

namespace fsload {

// All of them, in the order in which --help shows them.
#define FSLOAD_VERBS(verb)                                                     \
  verb(Ls) verb(Cat) verb(Head) verb(Tail) verb(Stat) verb(Du) verb(Glob)      \
      verb(Exists) verb(Cmp) verb(Cp) verb(Mv) verb(Sync) verb(Rm) verb(Touch) \
          verb(Mkdir)

// AddLs and so on, each in a source of its name.
#define FSLOAD_DECLARE(name) void Add##name(CLI::App& app, int& exit_code);
FSLOAD_VERBS(FSLOAD_DECLARE)
#undef FSLOAD_DECLARE

// Adds all of these.
void AddFileVerbs(CLI::App& app, int& exit_code);

}  // namespace fsload
