// A filesystem plugin from classes with ordinary methods, without function
// tables, allocation hooks and statuses to set:
//
//   class Shelf {
//    public:
//     std::unique_ptr<Book> NewRandomAccessFile(const std::string& path);
//     std::vector<std::string> GetChildren(const std::string& path);
//   };
//
//   void TF_InitPlugin(TF_FilesystemPluginInfo* plugin) {
//     fsload::plugin::Register(plugin,
//                              {fsload::plugin::Scheme<Shelf>("shelf")});
//   }
//
// Each method is one operation of fsload/filesystem_interface.h, which says
// what it must do. An operation without a method stays null, so that the host's
// default applies. A method that has the name but not the arguments of its
// operation does not compile; in a final class, which cannot be checked, it is
// ignored. The class, all methods optional:
//
//   static std::unique_ptr<Shelf> Create()      init; replaces the constructor
//
//   std::unique_ptr<Reader> NewRandomAccessFile(const std::string& path)
//   std::unique_ptr<Writer> NewWritableFile(const std::string& path)
//   std::unique_ptr<Writer> NewAppendableFile(const std::string& path)
//   std::unique_ptr<Region> NewReadOnlyMemoryRegionFromFile(
//       const std::string& path)
//   void CreateDir, RecursivelyCreateDir, DeleteFile, DeleteDir(
//       const std::string& path)
//   void DeleteRecursively(const std::string& path, uint64_t* undeleted_files,
//                          uint64_t* undeleted_dirs)
//   void RenameFile, CopyFile(const std::string& src, const std::string& dst)
//   bool PathExists(const std::string& path)
//   std::vector<bool> PathsExist(const std::vector<std::string>& paths)
//   TF_FileStatistics Stat(const std::string& path)
//   bool IsDirectory(const std::string& path)
//             false for a file (L592). TensorFlow takes any TF_OK for true: a
//             plugin for it throws TF_FAILED_PRECONDITION for a file instead,
//             which fsload takes for false
//   int64_t GetFileSize(const std::string& path)
//   std::string TranslateName(const std::string& uri)
//   std::vector<std::string> GetChildren(const std::string& path)
//   std::vector<std::string> GetMatchingPaths(const std::string& pattern)
//   void FlushCaches()
//   TF_TransactionToken* StartTransaction()     tokens stay the class's own
//   void EndTransaction(TF_TransactionToken* token)
//   void AddToTransaction(const std::string& path, TF_TransactionToken* token)
//   TF_TransactionToken* GetTransactionForPath, GetOrStartTransactionForPath(
//       const std::string& path)                null: there is none
//   std::string DecodeTransactionToken(const TF_TransactionToken* token)
//   std::vector<Option> GetConfiguration()
//   void SetConfiguration(const std::vector<Option>& options)
//   Option GetConfigurationOption(const std::string& key)
//   void SetConfigurationOption(const Option& option)
//   std::vector<std::string> GetConfigurationKeys()
//
// The files that it opens, which are deleted when the host is done with them:
//
//   Reader: size_t Read(uint64_t offset, size_t n, char* buffer)
//             required; up to `n` bytes. Is asked again for the rest, until it
//             returns 0: the end of the file.
//   Writer: void Append(const char* data, size_t n)
//             required; or it returns how many bytes it took, and is asked
//             again for the rest. 0: nothing more fits.
//           void Close()                        required, called at most once:
//             a file that its user gives up is only deleted, and publishes
//             nothing
//           int64_t Tell()
//           void Flush(), Sync()
//   Region: const char* data(), size_t size()   required; std::string is one
//
// Errors. A method throws, or returns, instead of nothing, a status (Status,
// absl::Status), or, instead of a value, a result (Result, absl::StatusOr): see
// fsload/plugin_sdk/status.h. PathExists and each element of PathsExist may be
// a status instead of a bool. No exception leaves the plugin. Where an
// operation has no status, the exception is dropped: TranslateName then returns
// the URI as it was.
//
// Threads. The host may call the methods of a file system, and those of a
// Reader and a Region, from any number of threads at once; a Writer's from one
// at a time.
//
// Memory. What a method returns is copied for the host; the plugin's hooks are
// operator new and delete, or FSLOAD_PLUGIN_ALLOCATE and FSLOAD_PLUGIN_FREE
// (fsload/plugin_sdk/memory.h).
//
// C++11 and later, with or without exceptions. Needs no library. Define
// FSLOAD_PLUGIN_USES_TENSORFLOW to compile against TensorFlow's own header.
#ifndef FSLOAD_PLUGIN_SDK_H_
#define FSLOAD_PLUGIN_SDK_H_

#include <initializer_list>
#include <vector>

#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/options.h"
#include "fsload/plugin_sdk/registration.h"
#include "fsload/plugin_sdk/scheme.h"
#include "fsload/plugin_sdk/status.h"

namespace fsload {
namespace plugin {

// Returns the entry of a scheme. `name` is "s3" for s3://bucket/key, and "" for
// plain paths; it must outlive the call of Register. Several schemes may name
// one T: each gets an object of its own.
template <typename T>
SchemeEntry Scheme(const char* name) {
  return SchemeEntry{name, internal::FillEntry<T>};
}

// Fills in `plugin` with these schemes, which is all that TF_InitPlugin has to
// do. If memory runs out, the plugin has no schemes.
inline void Register(TF_FilesystemPluginInfo* plugin,
                     std::initializer_list<SchemeEntry> schemes) {
  internal::GiveEntries(schemes.begin(), schemes.size(), plugin);
}

// Does the same for schemes that are known only when the plugin is loaded.
inline void Register(TF_FilesystemPluginInfo* plugin,
                     const std::vector<SchemeEntry>& schemes) {
  internal::GiveEntries(schemes.data(), schemes.size(), plugin);
}

}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_H_
