// fsload-worker: a process for a plugin, started by the fsload library.
#include "loader/worker/worker.h"

int main() { return fsload::RunWorker(); }
