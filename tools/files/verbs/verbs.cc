#include "tools/files/verbs/verbs.h"

namespace fsload {

void AddFileVerbs(CLI::App& app, int& exit_code) {
  AddList(app, exit_code);
  AddCat(app, exit_code);
  AddHead(app, exit_code);
  AddTail(app, exit_code);
  AddStat(app, exit_code);
  AddDiskUsage(app, exit_code);
  AddGlob(app, exit_code);
  AddExists(app, exit_code);
  AddCompare(app, exit_code);
  AddCopy(app, exit_code);
  AddMove(app, exit_code);
  AddSync(app, exit_code);
  AddRemove(app, exit_code);
  AddTouch(app, exit_code);
  AddMakeDirectory(app, exit_code);
}

}  // namespace fsload
