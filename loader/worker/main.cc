// fsload-worker: a process for a plugin, started by the fsload library.
#include "loader/worker/worker.h"

int main(int argc, char** argv) {
  return fsload::RunWorker(absl::MakeConstSpan(argv + 1, argv + argc));
}
