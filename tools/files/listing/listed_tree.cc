#include "tools/files/listing/listed_tree.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace fsload {
namespace {

using Id = ListedTree::Id;

// An entry in the order of paths, or in the place of a directory's contents the
// directory: "a/b" is after "a.b".
struct Item {
  const char* name;
  Id id;
  bool is_contents;
};

bool IsBefore(const Item& a, const Item& b) {
  size_t i = 0;
  while (a.name[i] != '\0' && a.name[i] == b.name[i]) ++i;
  const auto at = [i](const Item& item) {
    const char end = item.is_contents ? '/' : '\0';
    return static_cast<unsigned char>(item.name[i] == '\0' ? end
                                                           : item.name[i]);
  };
  return at(a) != at(b) ? at(a) < at(b) : a.id < b.id;
}

// The children of each directory, in one array.
class ChildLists {
 public:
  // `directory_of(id)` for all ids below `count` but the root.
  template <typename DirectoryOf>
  ChildLists(size_t count, const DirectoryOf& directory_of)
      : ends_(count, 0), children_(count - 1) {
    for (size_t id = 1; id < count; ++id) ++ends_[directory_of(id)];
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    // From the last one on: ends_ becomes the beginnings.
    for (size_t id = 1; id < count; ++id) {
      children_[--ends_[directory_of(id)]] = static_cast<Id>(id);
    }
  }

  const Id* begin(Id directory) const {
    return children_.data() + ends_[directory];
  }
  const Id* end(Id directory) const {
    return directory + 1 < ends_.size() ? begin(directory + 1)
                                        : children_.data() + children_.size();
  }

 private:
  std::vector<Id> ends_;
  std::vector<Id> children_;
};

}  // namespace

ListedTree::ListedTree() { Add(kRoot, "", true, Seen::kNothing); }

ListedTree::Entry& ListedTree::Add(Id directory, std::string_view name,
                                   bool is_directory, Seen seen) {
  entries_.push_back(
      {names_.size(), 0, 0, directory, is_directory, true, seen});
  names_.append(name);
  names_.push_back('\0');
  return entries_.back();
}

ListedTree::Id ListedTree::AddDirectory(Id directory, std::string_view name,
                                        Seen seen) {
  Add(directory, name, true, seen);
  return static_cast<Id>(entries_.size() - 1);
}

ListedTree::Id ListedTree::AddFile(Id directory, std::string_view name,
                                   const FileStatistics& found, Seen seen) {
  Entry& entry = Add(directory, name, false, seen);
  entry.length = std::max(found.length, int64_t{0});
  entry.mtime_nsec = found.mtime_nsec;
  has_files_ = true;
  return static_cast<Id>(entries_.size() - 1);
}

void ListedTree::LeaveOutOf(Id directory) {
  while (std::exchange(entries_[directory].is_whole, false)) {
    directory = entries_[directory].directory;
  }
}

void ListedTree::Sort() {
  const ChildLists children(entries_.size(),
                            [this](Id id) { return entries_[id].directory; });
  const auto items_of = [&](Id directory) {
    std::vector<Item> items;
    items.reserve(children.end(directory) - children.begin(directory));
    for (const Id* id = children.begin(directory);
         id != children.end(directory); ++id) {
      items.push_back({NameOf(*id), *id, false});
      if (entries_[*id].is_directory) items.push_back({NameOf(*id), *id, true});
    }
    if (!std::is_sorted(items.begin(), items.end(), &IsBefore)) {
      std::sort(items.begin(), items.end(), &IsBefore);
    }
    return items;
  };
  struct Directory {
    std::vector<Item> items;
    size_t next = 0;
  };
  by_path_.clear();
  by_path_.reserve(entries_.size());
  by_path_.push_back(kRoot);
  std::vector<Directory> open;
  open.push_back({items_of(kRoot)});
  while (!open.empty()) {
    Directory& directory = open.back();
    if (directory.next == directory.items.size()) {
      open.pop_back();
      continue;
    }
    const Item item = directory.items[directory.next++];
    if (item.is_contents) {
      open.push_back({items_of(item.id)});
    } else {
      by_path_.push_back(item.id);
    }
  }
}

std::string ListedTree::PathOf(Id id) const {
  size_t bytes = 0;
  for (Id part = id; part != kRoot; part = entries_[part].directory) {
    bytes += std::strlen(NameOf(part)) + 1;
  }
  std::string path(bytes == 0 ? 0 : bytes - 1, '/');
  for (size_t end = path.size(); end > 0; id = entries_[id].directory) {
    const std::string_view name = NameOf(id);
    end -= name.size();
    name.copy(path.data() + end, name.size());
    if (end > 0) --end;  // the '/'
  }
  return path;
}

FileStatistics ListedTree::FoundAt(Id id) const {
  return {entries_[id].length, entries_[id].mtime_nsec, false};
}

std::vector<Id> FindIn(const ListedTree& other, const ListedTree& entries) {
  std::vector<Id> found(entries.size(), ListedTree::kNone);
  const std::vector<Id>& others = other.by_path();
  std::string theirs;  // the path of the entry `next`: the root's
  size_t next = 0;
  for (const Id id : entries.by_path()) {
    const std::string path = entries.PathOf(id);
    while (theirs < path && ++next < others.size()) {
      theirs = other.PathOf(others[next]);
    }
    if (next == others.size()) break;
    if (theirs == path) found[id] = others[next];
  }
  return found;
}

}  // namespace fsload
