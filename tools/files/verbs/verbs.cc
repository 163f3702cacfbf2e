#include "tools/files/verbs/verbs.h"

namespace fsload {

void AddFileVerbs(CLI::App& app, int& exit_code) {
  AddLs(app, exit_code);
  AddCat(app, exit_code);
  AddHead(app, exit_code);
  AddTail(app, exit_code);
  AddStat(app, exit_code);
  AddDu(app, exit_code);
  AddGlob(app, exit_code);
  AddExists(app, exit_code);
  AddCmp(app, exit_code);
  AddCp(app, exit_code);
  AddMv(app, exit_code);
  AddSync(app, exit_code);
  AddRm(app, exit_code);
  AddTouch(app, exit_code);
  AddMkdir(app, exit_code);
}

}  // namespace fsload
