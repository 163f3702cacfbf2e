// One filesystem of the memory plugin.
#ifndef FSLOAD_TESTDATA_MEMORY_FILESYSTEM_H_
#define FSLOAD_TESTDATA_MEMORY_FILESYSTEM_H_

#include "fsload/filesystem_interface.h"
#include "testdata/memory/configuration.h"
#include "testdata/memory/transactions.h"
#include "testdata/memory/tree.h"

namespace memory_plugin {

// Thread-safe, as its parts are.
struct Filesystem {
  Tree tree;
  Transactions transactions;
  Configuration configuration;
};

inline Filesystem* Self(const TF_Filesystem* filesystem) {
  return static_cast<Filesystem*>(filesystem->plugin_filesystem);
}

// Add the operations on transactions and on the configuration to `ops`.
void AddTransactionOps(TF_FilesystemOps* ops);
void AddConfigurationOps(TF_FilesystemOps* ops);

}  // namespace memory_plugin

#endif  // FSLOAD_TESTDATA_MEMORY_FILESYSTEM_H_
