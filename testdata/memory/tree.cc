#include "testdata/memory/tree.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace memory_plugin {
namespace {

using Lock = std::lock_guard<std::mutex>;

int64_t NowNsec() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Paths in the form of keys: "/a/b", and "" for the root.
std::string Key(std::string path) {
  while (!path.empty() && path.back() == '/') path.pop_back();
  if (!path.empty() && path.front() != '/') path.insert(0, "/");
  return path;
}

std::string ParentOf(const std::string& key) {
  return key.substr(0, key.rfind('/'));
}

std::string NameOf(const std::string& key) {
  return key.substr(key.rfind('/') + 1);
}

}  // namespace

File::File() : modified_nsec_(NowNsec()) {}

size_t File::Read(uint64_t offset, size_t n, char* buffer) const {
  const Lock lock(mutex_);
  return contents_.Read(offset, n, buffer);
}

void File::Append(const char* bytes, size_t n) {
  const Lock lock(mutex_);
  contents_.Append(bytes, n);
  modified_nsec_ = NowNsec();
}

int64_t File::Length() const {
  const Lock lock(mutex_);
  return contents_.length();
}

int64_t File::ModifiedNsec() const {
  const Lock lock(mutex_);
  return modified_nsec_;
}

std::string File::Contents() const {
  const Lock lock(mutex_);
  std::string bytes(contents_.length(), '\0');
  contents_.Read(0, bytes.size(), bytes.data());
  return bytes;
}

Tree::Tree() { nodes_[""] = {nullptr, NowNsec()}; }

const Node* Tree::FindNode(const std::string& key) const {
  const auto found = nodes_.find(key);
  return found == nodes_.end() ? nullptr : &found->second;
}

// A file as an inner path component is a failed precondition (L354).
Outcome Tree::WhyMissing(const std::string& key) const {
  std::string ancestor = key;
  const Node* node = nullptr;
  while (node == nullptr) {
    ancestor = ParentOf(ancestor);
    node = FindNode(ancestor);  // ends at the root
  }
  return node->is_directory() ? Outcome::kNotFound : Outcome::kNotDirectory;
}

Outcome Tree::CheckParent(const std::string& key) const {
  const Node* parent = FindNode(ParentOf(key));
  return parent != nullptr && parent->is_directory() ? Outcome::kOk
                                                     : WhyMissing(key);
}

Outcome Tree::CheckFile(const std::string& key) const {
  const Node* node = FindNode(key);
  if (node == nullptr) return WhyMissing(key);
  return node->is_directory() ? Outcome::kIsDirectory : Outcome::kOk;
}

// Whether a file may be put at `key`, replacing an old one if necessary.
Outcome Tree::CheckFilePlace(const std::string& key) const {
  const Node* node = FindNode(key);
  if (node == nullptr) return CheckParent(key);
  return node->is_directory() ? Outcome::kIsDirectory : Outcome::kOk;
}

Outcome Tree::CheckDir(const std::string& key) const {
  const Node* node = FindNode(key);
  if (node == nullptr) return WhyMissing(key);
  return node->is_directory() ? Outcome::kOk : Outcome::kNotDirectory;
}

std::shared_ptr<File> Tree::PutFile(const std::string& key) {
  auto file = std::make_shared<File>();
  nodes_[key] = {file, NowNsec()};
  return file;
}

Outcome Tree::Find(const std::string& path, Node* node) const {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Node* found = FindNode(key);
  if (found == nullptr) return WhyMissing(key);
  *node = *found;
  return Outcome::kOk;
}

Outcome Tree::Open(const std::string& path, std::shared_ptr<File>* file) const {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Outcome outcome = CheckFile(key);
  if (outcome == Outcome::kOk) *file = FindNode(key)->file;
  return outcome;
}

Outcome Tree::Create(const std::string& path, std::shared_ptr<File>* file) {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Outcome outcome = CheckFilePlace(key);
  if (outcome == Outcome::kOk) *file = PutFile(key);
  return outcome;
}

Outcome Tree::OpenOrCreate(const std::string& path,
                           std::shared_ptr<File>* file) {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Outcome outcome = CheckFilePlace(key);
  if (outcome != Outcome::kOk) return outcome;
  const Node* old = FindNode(key);
  *file = old != nullptr ? old->file : PutFile(key);
  return Outcome::kOk;
}

Outcome Tree::CreateDir(const std::string& path) {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  if (FindNode(key) != nullptr) return Outcome::kExists;
  const Outcome outcome = CheckParent(key);
  if (outcome == Outcome::kOk) nodes_[key] = {nullptr, NowNsec()};
  return outcome;
}

Outcome Tree::CreateDirs(const std::string& path) {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Outcome outcome = CheckDir(key);
  // A missing directory can be made; a file cannot be passed.
  if (outcome != Outcome::kNotFound) return outcome;
  for (std::string dir = key; FindNode(dir) == nullptr; dir = ParentOf(dir)) {
    nodes_[dir] = {nullptr, NowNsec()};
  }
  return Outcome::kOk;
}

Outcome Tree::DeleteFile(const std::string& path) {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Outcome outcome = CheckFile(key);
  if (outcome == Outcome::kOk) nodes_.erase(key);
  return outcome;
}

Outcome Tree::DeleteDir(const std::string& path) {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Outcome outcome = CheckDir(key);
  if (outcome != Outcome::kOk) return outcome;
  const auto child = nodes_.lower_bound(key + "/");
  const bool is_empty = child == nodes_.end() ||
                        child->first.compare(0, key.size() + 1, key + "/") != 0;
  if (key.empty()) return Outcome::kIsRoot;
  if (!is_empty) return Outcome::kNotEmpty;
  nodes_.erase(key);
  return Outcome::kOk;
}

Outcome Tree::DeleteTree(const std::string& path) {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Outcome outcome = CheckDir(key);
  if (outcome != Outcome::kOk) return outcome;
  if (key.empty()) return Outcome::kIsRoot;
  // '0' follows '/': the range covers everything that begins with "<key>/".
  nodes_.erase(nodes_.lower_bound(key + "/"), nodes_.lower_bound(key + "0"));
  nodes_.erase(key);
  return Outcome::kOk;
}

Outcome Tree::Rename(const std::string& src, const std::string& dst) {
  const std::string from = Key(src);
  const std::string to = Key(dst);
  const Lock lock(mutex_);
  Outcome outcome = CheckFile(from);
  if (outcome == Outcome::kOk) outcome = CheckFilePlace(to);
  if (outcome != Outcome::kOk || from == to) return outcome;
  nodes_[to] = std::move(nodes_[from]);
  nodes_.erase(from);
  return Outcome::kOk;
}

Outcome Tree::Copy(const std::string& src, const std::string& dst) {
  const std::string from = Key(src);
  std::string to = Key(dst);
  const Lock lock(mutex_);
  Outcome outcome = CheckFile(from);
  if (outcome != Outcome::kOk) return outcome;
  // L526: a directory gets the copy under the source's name.
  if (CheckDir(to) == Outcome::kOk) to += "/" + NameOf(from);
  outcome = CheckFilePlace(to);
  if (outcome != Outcome::kOk || from == to) return outcome;
  const std::string contents = FindNode(from)->file->Contents();
  PutFile(to)->Append(contents.data(), contents.size());
  return Outcome::kOk;
}

Outcome Tree::List(const std::string& path,
                   std::vector<std::string>* names) const {
  const std::string key = Key(path);
  const Lock lock(mutex_);
  const Outcome outcome = CheckDir(key);
  if (outcome != Outcome::kOk) return outcome;
  const auto end = nodes_.lower_bound(key + "0");
  for (auto child = nodes_.lower_bound(key + "/"); child != end;) {
    const std::string name = child->first.substr(key.size() + 1);
    names->push_back(name);
    ++child;
    // Skips descendants of the child, wherever they sort.
    while (child != end &&
           child->first.find('/', key.size() + 1) != std::string::npos) {
      ++child;
    }
  }
  return Outcome::kOk;
}

}  // namespace memory_plugin
