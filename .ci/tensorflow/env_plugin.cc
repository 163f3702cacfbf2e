// A plugin whose operations are those of tensorflow::Env, in a process of its
// own: `fsload conformance` then asks TensorFlow as the host of another plugin.
// Its scheme is `env`; env:///x is FSLOAD_ENV_SCHEME:///x there.
//
// Environment: FSLOAD_ENV_SERVER, FSLOAD_ENV_PLUGIN, FSLOAD_ENV_SCHEME.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "env_wire.h"
#include "fsload/filesystem_interface.h"

namespace {

void* Allocate(size_t bytes) { return std::calloc(1, bytes); }

template <typename T>
T* CopyTable(const T& table) {
  return static_cast<T*>(std::memcpy(Allocate(sizeof(T)), &table, sizeof(T)));
}

char* CopyText(const std::string& text) {
  return static_cast<char*>(
      std::memcpy(Allocate(text.size() + 1), text.c_str(), text.size()));
}

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The process with TensorFlow, one call at a time.
class Server {
 public:
  bool Start() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      return false;
    }
    const std::string program = Environment("FSLOAD_ENV_SERVER");
    const std::string plugin = Environment("FSLOAD_ENV_PLUGIN");
    child_ = fork();
    if (child_ == 0) {
      constexpr int kSocket = 3;
      if (ends[1] == kSocket) fcntl(kSocket, F_SETFD, 0);
      dup2(ends[1], kSocket);
      execl(program.c_str(), program.c_str(), plugin.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    fd_ = ends[0];
    return child_ > 0;
  }

  void Stop() {
    close(fd_);
    waitpid(child_, nullptr, 0);
  }

  // Sets `status` to the answer's, and returns its results.
  Message Call(const Message& request, TF_Status* status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Message answer;
    Message results;
    if (!request.Send(fd_) || !answer.Receive(fd_) || !results.Receive(fd_)) {
      TF_SetStatus(status, TF_ABORTED, "TensorFlow's process has ended");
      return results;
    }
    const auto code = static_cast<TF_Code>(answer.TakeNumber());
    TF_SetStatus(status, code, answer.TakeText().c_str());
    return results;
  }

 private:
  std::mutex mutex_;
  pid_t child_ = -1;
  int fd_ = -1;
};

Server g_server;

std::string Uri(const char* path) {
  return Environment("FSLOAD_ENV_SCHEME") + "://" + path;
}

bool IsOk(const TF_Status* status) { return TF_GetCode(status) == TF_OK; }

void* FromNumber(int64_t number) { return reinterpret_cast<void*>(number); }
int64_t ToNumber(const void* file) { return reinterpret_cast<int64_t>(file); }

void Forget(int64_t file) {
  TF_Status* const status = TF_NewStatus();
  g_server.Call(Message(Request::kForget).Put(file), status);
  TF_DeleteStatus(status);
}

template <Request request>
void OnPath(const TF_Filesystem*, const char* path, TF_Status* status) {
  g_server.Call(Message(request).Put(Uri(path)), status);
}

template <Request request>
void OnPaths(const TF_Filesystem*, const char* src, const char* dst,
             TF_Status* status) {
  g_server.Call(Message(request).Put(Uri(src)).Put(Uri(dst)), status);
}

void NewRandomAccessFile(const TF_Filesystem*, const char* path,
                         TF_RandomAccessFile* file, TF_Status* status) {
  Message results = g_server.Call(
      Message(Request::kNewRandomAccessFile).Put(Uri(path)), status);
  if (IsOk(status)) file->plugin_file = FromNumber(results.TakeNumber());
}

template <Request request>
void OpenToWrite(const TF_Filesystem*, const char* path, TF_WritableFile* file,
                 TF_Status* status) {
  Message results = g_server.Call(Message(request).Put(Uri(path)), status);
  if (IsOk(status)) file->plugin_file = FromNumber(results.TakeNumber());
}

void NewRegion(const TF_Filesystem*, const char* path,
               TF_ReadOnlyMemoryRegion* region, TF_Status* status) {
  Message results = g_server.Call(
      Message(Request::kNewReadOnlyMemoryRegion).Put(Uri(path)), status);
  if (!IsOk(status)) return;
  region->plugin_memory_region = new std::string(results.TakeText());
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  Message results = g_server.Call(Message(Request::kRead)
                                      .Put(ToNumber(file->plugin_file))
                                      .Put(static_cast<int64_t>(offset))
                                      .Put(static_cast<int64_t>(n)),
                                  status);
  if (!IsOk(status) && TF_GetCode(status) != TF_OUT_OF_RANGE) return -1;
  const std::string bytes = results.TakeText();
  std::memcpy(buffer, bytes.data(), bytes.size());
  return static_cast<int64_t>(bytes.size());
}

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  g_server.Call(Message(Request::kAppend)
                    .Put(ToNumber(file->plugin_file))
                    .Put(std::string(buffer, n)),
                status);
}

int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  Message results = g_server.Call(
      Message(Request::kTell).Put(ToNumber(file->plugin_file)), status);
  return IsOk(status) ? results.TakeNumber() : -1;
}

template <Request request>
void OnFile(const TF_WritableFile* file, TF_Status* status) {
  g_server.Call(Message(request).Put(ToNumber(file->plugin_file)), status);
}

template <Request request>
int List(const TF_Filesystem*, const char* path, char*** entries,
         TF_Status* status) {
  // A pattern comes as the host has it, a path without its scheme.
  const std::string given = path;
  const size_t scheme = given.find("://");
  const std::string uri =
      Uri(scheme == std::string::npos ? path : path + scheme + 3);
  Message results = g_server.Call(Message(request).Put(uri), status);
  if (!IsOk(status)) return -1;
  const int64_t count = results.TakeNumber();
  *entries = static_cast<char**>(
      Allocate((static_cast<size_t>(count) + 1) * sizeof(char*)));
  const size_t prefix = Uri("").size();
  for (int64_t i = 0; i < count; ++i) {
    std::string name = results.TakeText();
    if (name.compare(0, prefix, Uri("")) == 0) {
      name = "env://" + name.substr(prefix);
    }
    (*entries)[i] = CopyText(name);
  }
  return static_cast<int>(count);
}

void DeleteRecursively(const TF_Filesystem*, const char* path, uint64_t* files,
                       uint64_t* directories, TF_Status* status) {
  Message results = g_server.Call(
      Message(Request::kDeleteRecursively).Put(Uri(path)), status);
  *files = static_cast<uint64_t>(results.TakeNumber());
  *directories = static_cast<uint64_t>(results.TakeNumber());
}

void Stat(const TF_Filesystem*, const char* path, TF_FileStatistics* stats,
          TF_Status* status) {
  Message results =
      g_server.Call(Message(Request::kStat).Put(Uri(path)), status);
  if (!IsOk(status)) return;
  stats->length = results.TakeNumber();
  stats->mtime_nsec = results.TakeNumber();
  stats->is_directory = results.TakeNumber() != 0;
}

bool PathsExist(const TF_Filesystem*, char** paths, int count,
                TF_Status** statuses) {
  Message request(Request::kFilesExist);
  request.Put(count);
  for (int i = 0; i < count; ++i) request.Put(Uri(paths[i]));
  TF_Status* const status = TF_NewStatus();
  Message results = g_server.Call(request, status);
  const bool answered = IsOk(status);
  TF_DeleteStatus(status);
  const bool all = answered && results.TakeNumber() != 0;
  for (int i = 0; statuses != nullptr && i < count; ++i) {
    const auto code = static_cast<TF_Code>(results.TakeNumber());
    TF_SetStatus(statuses[i], answered ? code : TF_ABORTED,
                 results.TakeText().c_str());
  }
  return all;
}

bool IsDirectory(const TF_Filesystem*, const char* path, TF_Status* status) {
  g_server.Call(Message(Request::kIsDirectory).Put(Uri(path)), status);
  return IsOk(status);
}

int64_t GetFileSize(const TF_Filesystem*, const char* path, TF_Status* status) {
  Message results =
      g_server.Call(Message(Request::kGetFileSize).Put(Uri(path)), status);
  return IsOk(status) ? results.TakeNumber() : -1;
}

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin) {
  TF_FilesystemOps ops = {};
  ops.init = [](TF_Filesystem*, TF_Status* status) {
    const bool started = g_server.Start();
    TF_SetStatus(status, started ? TF_OK : TF_ABORTED,
                 started ? "" : "cannot start FSLOAD_ENV_SERVER");
  };
  ops.cleanup = [](TF_Filesystem*) { g_server.Stop(); };
  ops.new_random_access_file = NewRandomAccessFile;
  ops.new_writable_file = OpenToWrite<Request::kNewWritableFile>;
  ops.new_appendable_file = OpenToWrite<Request::kNewAppendableFile>;
  ops.new_read_only_memory_region_from_file = NewRegion;
  ops.create_dir = OnPath<Request::kCreateDir>;
  ops.recursively_create_dir = OnPath<Request::kRecursivelyCreateDir>;
  ops.delete_file = OnPath<Request::kDeleteFile>;
  ops.delete_dir = OnPath<Request::kDeleteDir>;
  ops.delete_recursively = DeleteRecursively;
  ops.rename_file = OnPaths<Request::kRenameFile>;
  ops.copy_file = OnPaths<Request::kCopyFile>;
  ops.path_exists = OnPath<Request::kFileExists>;
  ops.paths_exist = PathsExist;
  ops.stat = Stat;
  ops.is_directory = IsDirectory;
  ops.get_file_size = GetFileSize;
  ops.get_children = List<Request::kGetChildren>;
  ops.get_matching_paths = List<Request::kGetMatchingPaths>;

  TF_RandomAccessFileOps reading = {};
  reading.cleanup = [](TF_RandomAccessFile* file) {
    Forget(ToNumber(file->plugin_file));
  };
  reading.read = Read;

  TF_WritableFileOps writing = {};
  writing.cleanup = [](TF_WritableFile* file) {
    Forget(ToNumber(file->plugin_file));
  };
  writing.append = Append;
  writing.tell = Tell;
  writing.flush = OnFile<Request::kFlush>;
  writing.sync = OnFile<Request::kSync>;
  writing.close = OnFile<Request::kClose>;

  TF_ReadOnlyMemoryRegionOps region = {};
  region.cleanup = [](TF_ReadOnlyMemoryRegion* self) {
    delete static_cast<std::string*>(self->plugin_memory_region);
  };
  region.data = [](const TF_ReadOnlyMemoryRegion* self) {
    return static_cast<const void*>(
        static_cast<std::string*>(self->plugin_memory_region)->data());
  };
  region.length = [](const TF_ReadOnlyMemoryRegion* self) {
    return static_cast<uint64_t>(
        static_cast<std::string*>(self->plugin_memory_region)->size());
  };

  plugin->plugin_memory_allocate = Allocate;
  plugin->plugin_memory_free = std::free;
  plugin->num_schemes = 1;
  plugin->ops = CopyTable(TF_FilesystemPluginOps{});
  TF_SetFilesystemVersionMetadata(plugin->ops);
  plugin->ops->scheme = CopyText("env");
  plugin->ops->filesystem_ops = CopyTable(ops);
  plugin->ops->random_access_file_ops = CopyTable(reading);
  plugin->ops->writable_file_ops = CopyTable(writing);
  plugin->ops->read_only_memory_region_ops = CopyTable(region);
}
