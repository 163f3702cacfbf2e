// A plugin that nobody has seen: a store of objects, scheme `careless`, whose
// operations on directories work on every key that begins with the directory's
// name, and whose copies and appends are incomplete. What is asked of one
// object by its name it does right.
//
// CARELESS_STORE is a folder with one folder for each bucket; the object `a/b`
// is the file `a%2Fb`. CARELESS_FAULTS, as "7 before 14,9 after 5", makes the
// 7th operation of the process fail with code 14 and the 9th take effect and
// fail.
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fsload/plugin_sdk.h"

namespace {

using fsload::plugin::Error;
using fsload::plugin::ThrowErrno;
using Path = const std::string&;

constexpr char kScheme[] = "careless://";

// An operation, from its beginning to its end.
class Operation {
 public:
  Operation() {
    const int number = ++count_;
    const char* const faults = getenv("CARELESS_FAULTS");
    std::istringstream all(faults == nullptr ? "" : faults);
    for (std::string each; std::getline(all, each, ',');) {
      std::istringstream words(each);
      int which = 0;
      std::string when;
      int code = 0;
      if (!(words >> which >> when >> code) || which != number) continue;
      if (when == "before") throw Error(TF_Code(code), "told to fail");
      code_ = code;
    }
  }

  // Called when the operation has taken effect.
  void End() const {
    if (code_ != 0) throw Error(TF_Code(code_), "told to fail");
  }

 private:
  static std::atomic<int> count_;
  int code_ = 0;
};

std::atomic<int> Operation::count_;

struct Object {
  std::string bucket;  // a folder
  std::string key;

  explicit Object(Path uri) {
    const std::string rest = uri.substr(strlen(kScheme));
    const size_t slash = std::min(rest.find('/'), rest.size());
    const char* const store = getenv("CARELESS_STORE");
    bucket = (store == nullptr ? "." : store) + ("/" + rest.substr(0, slash));
    key = rest.substr(std::min(slash + 1, rest.size()));
  }

  static Object Named(const Object& like, Path key) {
    Object object = like;
    object.key = key;
    return object;
  }

  std::string File() const {
    std::string name = bucket + "/";
    for (const char c : key) {
      char escaped[4];
      snprintf(escaped, sizeof(escaped), "%%%02X", static_cast<uint8_t>(c));
      name += c == '/' || c == '%' || c == '.' ? escaped : std::string(1, c);
    }
    return name;
  }
};

int Digit(char c) { return c <= '9' ? c - '0' : c - 'A' + 10; }

// The keys of a bucket, sorted, that begin with `prefix`.
std::vector<std::string> Keys(const Object& of, Path prefix) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(of.bucket.c_str()),
                                                   closedir);
  if (folder == nullptr) ThrowErrno(of.bucket);
  std::vector<std::string> keys;
  while (const dirent* const entry = readdir(folder.get())) {
    if (entry->d_name[0] == '.') continue;  // "." and what is being written
    std::string key;
    for (const char* c = entry->d_name; *c != '\0'; ++c) {
      if (*c != '%') {
        key += *c;
        continue;
      }
      key += static_cast<char>(Digit(c[1]) * 16 + Digit(c[2]));
      c += 2;
    }
    if (key.compare(0, prefix.size(), prefix) == 0) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::string Load(const Object& object) {
  FILE* const file = fopen(object.File().c_str(), "rb");
  if (file == nullptr) ThrowErrno(object.key);
  std::string contents;
  char buffer[1 << 16];
  while (const size_t n = fread(buffer, 1, sizeof(buffer), file)) {
    contents.append(buffer, n);
  }
  fclose(file);
  return contents;
}

void Store(const Object& object, const std::string& contents) {
  std::string temporary = object.bucket + "/.new-XXXXXX";
  const int fd = mkstemp(&temporary[0]);
  if (fd < 0) ThrowErrno(object.key);
  const ssize_t written = write(fd, contents.data(), contents.size());
  close(fd);
  if (written != static_cast<ssize_t>(contents.size()) ||
      rename(temporary.c_str(), object.File().c_str()) != 0) {
    unlink(temporary.c_str());
    ThrowErrno(object.key);
  }
}

void DeleteAll(const Object& object) {
  for (const std::string& key : Keys(object, object.key)) {
    unlink(Object::Named(object, key).File().c_str());
  }
}

struct Reader {
  std::string contents;

  size_t Read(uint64_t offset, size_t n, char* buffer) {
    const Operation operation;
    if (offset >= contents.size()) return 0;
    n = std::min<size_t>(n, contents.size() - offset);
    memcpy(buffer, contents.data() + offset, n);
    operation.End();
    return n;
  }
};

struct Writer {
  Object object;
  std::string contents;

  void Append(const char* data, size_t n) {
    const Operation operation;
    contents.append(data, n);
    operation.End();
  }
  void Close() {
    const Operation operation;
    Store(object, contents);
    operation.End();
  }
};

struct Careless {
  std::string TranslateName(Path uri) { return uri; }

  std::unique_ptr<Reader> NewRandomAccessFile(Path path) {
    const Operation operation;
    std::unique_ptr<Reader> reader(new Reader{Load(Object(path))});
    operation.End();
    return reader;
  }
  std::unique_ptr<Writer> NewWritableFile(Path path) {
    const Operation operation;
    operation.End();
    return std::unique_ptr<Writer>(new Writer{Object(path), ""});
  }
  // Forgets what is there.
  std::unique_ptr<Writer> NewAppendableFile(Path path) {
    return NewWritableFile(path);
  }

  void CreateDir(Path path) {
    const Operation operation;
    Object marker(path);
    marker.key += "/";
    Store(marker, "");
    operation.End();
  }
  // Puts an empty object where a file may be.
  void RecursivelyCreateDir(Path path) {
    const Operation operation;
    Store(Object(path), "");
    operation.End();
  }
  void DeleteFile(Path path) {
    const Operation operation;
    if (unlink(Object(path).File().c_str()) != 0) ThrowErrno(path);
    operation.End();
  }
  void DeleteDir(Path path) {
    const Operation operation;
    DeleteAll(Object(path));
    operation.End();
  }
  void DeleteRecursively(Path path, uint64_t*, uint64_t*) { DeleteDir(path); }

  void RenameFile(Path src, Path dst) {
    const Operation operation;
    const Object from(src);
    const Object to(dst);
    for (const std::string& key : Keys(from, from.key)) {
      const std::string rest = key.substr(from.key.size());
      rename(Object::Named(from, key).File().c_str(),
             Object::Named(to, to.key + rest).File().c_str());
    }
    operation.End();
  }
  // Loses the end of what is longer than a block.
  void CopyFile(Path src, Path dst) {
    const Operation operation;
    Store(Object(dst), Load(Object(src)).substr(0, 65536));
    operation.End();
  }

  void PathExists(Path path) { Stat(path); }
  TF_FileStatistics Stat(Path path) {
    const Operation operation;
    const Object object(path);
    struct stat info;
    const bool is_file =
        !object.key.empty() && stat(object.File().c_str(), &info) == 0;
    const std::string below = object.key.empty() ? "" : object.key + "/";
    if (!is_file && !object.key.empty() && Keys(object, below).empty()) {
      ThrowErrno(path, ENOENT);
    }
    operation.End();
    if (!is_file) return {0, 0, true};
    return {info.st_size, info.st_mtim.tv_sec * 1'000'000'000, false};
  }

  // Names what begins like the directory, too.
  std::vector<std::string> GetChildren(Path path) {
    const Operation operation;
    const Object object(path);
    const size_t below = object.key.empty() ? 0 : object.key.size() + 1;
    std::set<std::string> names;
    for (const std::string& key : Keys(object, object.key)) {
      if (key.size() < below) continue;
      const std::string rest = key.substr(below);
      names.insert(rest.substr(0, rest.find('/')));
    }
    operation.End();
    return {names.begin(), names.end()};
  }
};

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin) {
  fsload::plugin::Register(plugin,
                           {fsload::plugin::Scheme<Careless>("careless")});
}
