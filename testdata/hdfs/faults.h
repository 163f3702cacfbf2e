#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hdfs_model {

// What is to go wrong, from FSLOAD_TEST_HDFS_FAULTS: words with a space between
// them.
//
//   OPERATION=N      the Nth call of this process fails
//   OPERATION=N+     so do those after it
//   OPERATION=/PATH  each call on this path fails
//   quota=BYTES      files cannot grow beyond this
//   errno=stale      listing an empty directory leaves an errno, as libhdfs
//                    did before 2.8 (HDFS-8407)
//
// OPERATION is connect, open, create, append, read, write, close, stat, list,
// mkdirs, delete or rename.

// Throws what libhdfs makes of a lost connection if this call is to fail.
void FailIfAsked(std::string_view operation, const std::string& path);

int64_t Quota();
bool LeavesStaleErrno();

}  // namespace hdfs_model
