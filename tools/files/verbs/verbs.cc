#include "tools/files/verbs/verbs.h"

namespace fsload {

void AddFileVerbs(CLI::App& app, int& exit_code) {
#define FSLOAD_ADD(name) Add##name(app, exit_code);
  FSLOAD_VERBS(FSLOAD_ADD)
#undef FSLOAD_ADD
}

}  // namespace fsload
