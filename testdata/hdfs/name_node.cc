#include "testdata/hdfs/name_node.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "testdata/hdfs/faults.h"
#include "testdata/hdfs/inodes.h"
#include "testdata/hdfs/java_error.h"
#include "testdata/hdfs/path.h"
#include "testdata/hdfs/user.h"

namespace hdfs_model {
namespace {

constexpr mode_t kFileMode = 0644;
constexpr useconds_t kRefusedAfter = 100'000;

std::string Root() {
  const char* const given = getenv("FSLOAD_TEST_HDFS");
  if (given == nullptr) throw Illegal("FSLOAD_TEST_HDFS is not set");
  return given;
}

// Holds the name node's lock: every operation is atomic.
class Locked {
 public:
  explicit Locked(const std::string& folder)
      : fd_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ < 0) {
      usleep(kRefusedAfter);
      throw OtherError("ConnectException: Call to " + folder +
                       " failed on connection exception: Connection refused");
    }
    flock(fd_, LOCK_EX);
  }
  ~Locked() { close(fd_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  const int fd_;
};

// What every operation begins with: the path, the caller, the lock.
struct Operation {
  Operation(std::string_view name, const std::string& folder, const char* text)
      : path(ParsePath(text)), user(User::Current()), locked(folder) {
    FailIfAsked(name, path);
  }

  const std::string path;
  const User user;
  const Locked locked;
};

int OpenLocal(const Inodes& inodes, int flags) {
  const int fd =
      open(inodes.local_path().c_str(), flags | O_CLOEXEC, kFileMode);
  if (fd >= 0) return fd;
  throw OtherError("IOException: cannot open " + inodes.path());
}

// Throws unless it is a file.
void CheckIsFile(const Inodes& inodes) {
  if (inodes.last() == nullptr) {
    throw NotFound("File does not exist: " + inodes.path());
  }
  if (inodes.is_directory()) {
    throw NotFound("Path is not a file: " + inodes.path());
  }
}

}  // namespace

std::string DefaultFileSystem() {
  std::ifstream file(Root() + "/fs.defaultFS");
  std::string line;
  return std::getline(file, line) ? line : "file:///";
}

NameNode* NameNode::Connect(std::string name) {
  FailIfAsked("connect", name);
  if (name == "default") name = DefaultFileSystem();
  const size_t colon = name.find("://");
  const std::string scheme =
      colon == name.npos ? "hdfs" : name.substr(0, colon);
  if (colon != name.npos) name.erase(0, colon + 3);
  name.erase(std::min(name.find('/'), name.size()));
  if ((scheme != "hdfs" && scheme != "viewfs") || name.empty()) {
    throw OtherError("IOException: No FileSystem for scheme: " + scheme);
  }
  std::string folder = name;
  std::transform(folder.begin(), folder.end(), folder.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  constexpr std::string_view kPort = ":8020";  // the default
  if (folder.size() > kPort.size() &&
      folder.substr(folder.size() - kPort.size()) == kPort) {
    folder.resize(folder.size() - kPort.size());
  }
  if (std::filesystem::path(folder).extension() == ".invalid") {
    throw Illegal("java.net.UnknownHostException: " + folder);
  }
  return new NameNode(scheme + "://" + name, Root() + "/" + folder);
}

FileStatus NameNode::Stat(const char* path) const {
  const Operation operation("stat", folder_, path);
  const Inodes inodes(folder_, operation.path, operation.user, EACCES);
  if (inodes.last() == nullptr) {
    throw NotFound("File does not exist: " + inodes.path());
  }
  return {inodes.path(), *inodes.last()};
}

std::vector<FileStatus> NameNode::List(const char* path) const {
  const Operation operation("list", folder_, path);
  const Inodes inodes(folder_, operation.path, operation.user, EACCES);
  if (inodes.last() == nullptr) {
    throw NotFound("File " + inodes.path() + " does not exist.");
  }
  // A file is listed as its own only entry.
  if (!inodes.is_directory()) return {{inodes.path(), *inodes.last()}};
  inodes.CheckAccess(kRead | kExecute);
  std::vector<FileStatus> listed;
  const std::string prefix = inodes.is_root() ? "/" : inodes.path() + "/";
  for (const auto& entry :
       std::filesystem::directory_iterator(inodes.local_path())) {
    FileStatus status = {prefix + entry.path().filename().string(), {}};
    if (lstat(entry.path().c_str(), &status.info) == 0) {
      listed.push_back(std::move(status));
    }
  }
  std::sort(listed.begin(), listed.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return listed;
}

void NameNode::CreateDirectories(const char* path) const {
  const Operation operation("mkdirs", folder_, path);
  const Inodes inodes(folder_, operation.path, operation.user, ENOTDIR);
  if (inodes.is_directory()) return;
  if (inodes.last() != nullptr) {
    throw JavaError{EEXIST,
                    "FileAlreadyExistsException: Path is not a directory: " +
                        inodes.path()};
  }
  inodes.CheckAncestorIsWritable();
  inodes.CreateAncestors();
  MakeDirectory(inodes.local_path(), operation.user);
}

bool NameNode::Delete(const char* path, bool recursive) const {
  const Operation operation("delete", folder_, path);
  const Inodes inodes(folder_, operation.path, operation.user, EACCES);
  if (!recursive && inodes.is_directory() &&
      !std::filesystem::is_empty(inodes.local_path())) {
    throw OtherError("PathIsNotEmptyDirectoryException: " + inodes.path() +
                     " is non empty");
  }
  inodes.CheckParentIsWritable();
  inodes.CheckTreeMayBeDeleted();
  if (inodes.is_root() || inodes.last() == nullptr) return false;
  std::filesystem::remove_all(inodes.local_path());
  return true;
}

bool NameNode::Rename(const char* source, const char* target) const {
  const Operation operation("rename", folder_, source);
  const Inodes from(folder_, operation.path, operation.user, EACCES);
  std::string to_path = ParsePath(target);
  if (Inodes(folder_, to_path, operation.user, ENOTDIR).is_directory()) {
    to_path += (to_path == "/" ? "" : "/") + NamesIn("/" + from.path()).back();
  }
  const Inodes to(folder_, to_path, operation.user, ENOTDIR);
  from.CheckParentIsWritable();
  to.CheckAncestorIsWritable();
  if (from.last() == nullptr || from.is_root()) return false;
  if (from.path() == to_path) return true;
  const bool into_itself = to_path.rfind(from.path() + "/", 0) == 0;
  if (into_itself || to.last() != nullptr || !to.has_parent()) return false;
  return rename(from.local_path().c_str(), to.local_path().c_str()) == 0;
}

int NameNode::Open(const char* path) const {
  const Operation operation("open", folder_, path);
  const Inodes inodes(folder_, operation.path, operation.user, EACCES);
  CheckIsFile(inodes);
  inodes.CheckAccess(kRead);
  return OpenLocal(inodes, O_RDONLY);
}

int NameNode::Create(const char* path) const {
  const Operation operation("create", folder_, path);
  const Inodes inodes(folder_, operation.path, operation.user, ENOTDIR);
  if (inodes.is_directory()) {
    throw JavaError{EEXIST, "FileAlreadyExistsException: " + inodes.path() +
                                " already exists as a directory"};
  }
  inodes.CheckAccess(kWrite);
  inodes.CheckAncestorIsWritable();
  inodes.CreateAncestors();
  unlink(inodes.local_path().c_str());
  const int fd = OpenLocal(inodes, O_WRONLY | O_CREAT | O_EXCL);
  fchmod(fd, kFileMode);
  operation.user.TakeOwnership(inodes.local_path());
  return fd;
}

int NameNode::Append(const char* path) const {
  const Operation operation("append", folder_, path);
  const Inodes inodes(folder_, operation.path, operation.user, EACCES);
  CheckIsFile(inodes);
  inodes.CheckAccess(kWrite);
  return OpenLocal(inodes, O_WRONLY | O_APPEND);
}

}  // namespace hdfs_model
