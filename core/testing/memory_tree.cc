#include "core/testing/memory_tree.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"
#include "fsload/tf_status.h"

namespace fsload {
namespace {

std::string Parent(const std::string& key) {
  const size_t slash = key.rfind('/');
  return slash == std::string::npos ? "" : key.substr(0, slash);
}

std::string Name(const std::string& key) {
  return key.substr(key.rfind('/') + 1);
}

}  // namespace

FileSystemPtr MemoryTree::Open(const SchemeTables& tables) {
  return *PluginFileSystem::Create(OpTables::Seal({tables})->front(), "tree",
                                   "test", TF_Filesystem{this});
}

void MemoryTree::Clear() {
  entries_.clear();
  entries_[""] = Entry();
  extra_children_.clear();
  links_ = 0;
  appended_ = 0;
  deviations = {};
  after_call = nullptr;
  correct_stat = nullptr;
  keeps_records = false;
  ForgetCalls();
}

void MemoryTree::SetFault(std::optional<Fault> next) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  fault = next;
}

uint64_t MemoryTree::calls() const {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  return calls_;
}

uint64_t MemoryTree::calls(Op op) const {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  return calls_of_[static_cast<size_t>(op)];
}

void MemoryTree::ForgetCalls() {
  fault.reset();
  calls_ = 0;
  calls_of_.assign(std::size(kOperations), 0);
  records_.clear();
}

void MemoryTree::AddDirectory(std::string_view path) {
  const std::string key = Key(path);
  for (size_t end = 0; !key.empty() && end != std::string::npos;) {
    end = key.find('/', end + 1);
    const std::string ancestor = key.substr(0, end);
    if (Find(ancestor) == nullptr) Add(ancestor, Entry());
  }
}

void MemoryTree::AddFile(std::string_view path, std::string contents) {
  AddDirectory(Parent(Key(path)));
  Entry entry;
  entry.kind = Kind::kFile;
  entry.contents = std::make_shared<std::string>(std::move(contents));
  Add(Key(path), std::move(entry));
}

void MemoryTree::AddLink(std::string_view path, std::string_view target) {
  AddDirectory(Parent(Key(path)));
  Entry entry;
  entry.kind = Kind::kLink;
  entry.target = Key(target);
  ++links_;
  Add(Key(path), std::move(entry));
}

void MemoryTree::AddChild(std::string_view directory, std::string name) {
  extra_children_[Key(directory)].push_back(std::move(name));
}

bool MemoryTree::Exists(std::string_view path) const {
  return Find(Resolve(Key(path), false)) != nullptr;
}

std::string MemoryTree::Locate(std::string_view path) const {
  return "/" + Resolve(Key(path), false);
}

std::shared_ptr<std::string> MemoryTree::Contents(std::string_view path) const {
  const Entry* entry = Find(Resolve(Key(path)));
  return entry == nullptr ? nullptr : entry->contents;
}

std::map<std::string, std::string> MemoryTree::Snapshot() const {
  std::map<std::string, std::string> snapshot;
  for (const auto& [key, entry] : entries_) {
    snapshot["/" + key] = entry.kind == Kind::kDirectory ? "directory"
                          : entry.kind == Kind::kLink
                              ? "link to /" + entry.target
                              : "file: " + *entry.contents;
  }
  return snapshot;
}

Undeleted MemoryTree::Count(std::string_view path) const {
  Undeleted count;
  const std::string key = Key(path);
  for (const auto& [each, entry] : entries_) {
    const bool within =
        each == key || key.empty() || each.rfind(key + "/", 0) == 0;
    if (within) {
      ++(entry.kind == Kind::kDirectory ? count.directories : count.files);
    }
  }
  return count;
}

std::string MemoryTree::Key(std::string_view path) const {
  std::string key(path);
  // An already clean path may be very long.
  const bool clean = key.size() > 1 && key.front() == '/' &&
                     key.back() != '/' && !std::strstr(key.c_str(), "//") &&
                     !std::strstr(key.c_str(), "/.");
  if (!clean) key = CleanPath(path);
  if (key == ".") key.clear();
  key.erase(0, key.find_first_not_of('/'));
  if (deviations.folds_case) {
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    constexpr std::string_view kUpper = "\u00c9";
    for (size_t at = 0; (at = key.find(kUpper, at)) != std::string::npos;) {
      key.replace(at, kUpper.size(), "\u00e9");
    }
  }
  return key;
}

std::string MemoryTree::Resolve(std::string key, bool last) const {
  constexpr int kMaxLinks = 40;
  for (int followed = 0; links_ > 0 && followed < kMaxLinks; ++followed) {
    size_t end = 0;
    const Entry* link = nullptr;
    while (end != std::string::npos) {
      end = key.find('/', end + 1);
      const Entry* entry = Find(key.substr(0, end));
      const bool follows = end != std::string::npos || last;
      if (entry != nullptr && entry->kind == Kind::kLink && follows) {
        link = entry;
        break;
      }
    }
    if (link == nullptr) break;
    key = link->target + (end == std::string::npos ? "" : key.substr(end));
  }
  return key;
}

MemoryTree::Entry* MemoryTree::Find(const std::string& key) {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

const MemoryTree::Entry* MemoryTree::Find(const std::string& key) const {
  return const_cast<MemoryTree*>(this)->Find(key);
}

void MemoryTree::Add(const std::string& key, Entry entry) {
  Find(Parent(key))->children.insert(Name(key));
  entries_[key] = std::move(entry);
}

void MemoryTree::Remove(const std::string& key) {
  if (entries_.at(key).kind == Kind::kLink) --links_;
  entries_.erase(key);
  const std::string parent = Parent(key);
  Entry& folder = entries_.at(parent);
  folder.children.erase(Name(key));
  if (deviations.folders_vanish_when_empty && folder.children.empty() &&
      !parent.empty()) {
    Remove(parent);
  }
}

void MemoryTree::SetMissing(const std::string& key, TF_Status* status) const {
  for (std::string above = Parent(key);; above = Parent(above)) {
    const Entry* entry = Find(Resolve(above));
    if (entry != nullptr && entry->kind == Kind::kFile) {
      return TF_SetStatus(status, TF_FAILED_PRECONDITION, "a file is above it");
    }
    if (entry != nullptr || above.empty()) break;
  }
  TF_SetStatus(status, TF_NOT_FOUND, "there is nothing");
}

bool MemoryTree::Begin(Op op, const char* path, TF_Status* status) {
  ++calls_;
  ++calls_of_[static_cast<size_t>(op)];
  if (keeps_records) records_.push_back({op, path});
  const bool fails = IsFaultDue(op, Fault::When::kBefore);
  if (fails) Fail(status);
  return fails;
}

bool MemoryTree::End(Op op, TF_Status* status) {
  const bool fails = IsFaultDue(op, Fault::When::kAfter);
  if (after_call != nullptr) after_call(op, calls_);
  if (fails && !fault->throws) Fail(status);
  return fails;
}

bool MemoryTree::IsFaultDue(Op op, Fault::When when) const {
  if (!fault.has_value() || fault->when != when) return false;
  if (!fault->op.has_value()) return fault->call == calls();
  return fault->op == op && fault->call == calls(op);
}

void MemoryTree::Fail(TF_Status* status) const {
  if (fault->throws) throw std::runtime_error("injected");
  TF_SetStatus(status, fault->code, "injected");
}

void MemoryTree::Run(Op op, const char* path, TF_Status* status,
                     const std::function<void()>& effect,
                     const std::function<void()>& undo) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (Begin(op, path, status)) return;
  effect();
  const bool done = TF_GetCode(status) == TF_OK;
  if (!End(op, status)) return;
  if (done) undo();
  if (fault->throws) Fail(status);
}

}  // namespace fsload
