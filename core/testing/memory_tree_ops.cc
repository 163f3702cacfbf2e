#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/testing/memory_tree.h"
#include "fsload/tf_status.h"

namespace fsload {

// The functions of the table.
struct MemoryTreeOps {
  using Entry = MemoryTree::Entry;
  using Kind = MemoryTree::Kind;
  using OpenFile = MemoryTree::OpenFile;

  static MemoryTree& Tree(const TF_Filesystem* filesystem) {
    return *static_cast<MemoryTree*>(filesystem->plugin_filesystem);
  }

  static void Init(TF_Filesystem*, TF_Status*) {}
  static void Cleanup(TF_Filesystem*) {}

  // What `path` resolves to; otherwise null and an error.
  static Entry* FindOrFail(MemoryTree& tree, const char* path,
                           TF_Status* status) {
    const std::string key = tree.Resolve(tree.Key(path));
    Entry* entry = tree.Find(key);
    if (entry == nullptr) tree.SetMissing(key, status);
    return entry;
  }

  // The file that `path` resolves to; otherwise null and an error.
  static Entry* FindFile(MemoryTree& tree, const char* path,
                         TF_Status* status) {
    Entry* entry = FindOrFail(tree, path, status);
    if (entry == nullptr || entry->kind == Kind::kFile) return entry;
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "it is a directory");
    return nullptr;
  }

  // The directory that `key` is to be added to; otherwise null and an error.
  static Entry* FindParent(MemoryTree& tree, const std::string& key,
                           TF_Status* status) {
    const size_t slash = key.rfind('/');
    Entry* parent =
        tree.Find(slash == std::string::npos ? "" : key.substr(0, slash));
    if (parent != nullptr && parent->kind == Kind::kDirectory) return parent;
    tree.SetMissing(key, status);
    return nullptr;
  }

  // The contents to write to at `key`: existing or new ones.
  static std::shared_ptr<std::string> Create(MemoryTree& tree,
                                             const std::string& key,
                                             TF_Status* status) {
    Entry* entry = tree.Find(key);
    if (entry != nullptr && entry->kind == Kind::kFile) return entry->contents;
    if (entry != nullptr) {
      TF_SetStatus(status, TF_FAILED_PRECONDITION, "it is a directory");
      return nullptr;
    }
    if (FindParent(tree, key, status) == nullptr) return nullptr;
    tree.AddFile(key);
    return tree.Find(key)->contents;
  }

  static void NewRandomAccessFile(const TF_Filesystem* filesystem,
                                  const char* path, TF_RandomAccessFile* file,
                                  TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(
        Op::kFilesystem_new_random_access_file, path, status,
        [&] {
          const Entry* entry = FindFile(tree, path, status);
          if (entry == nullptr) return;
          file->plugin_file = new OpenFile{&tree, "", entry->contents};
        },
        [&] { CloseReader(file); });
  }

  static void CloseReader(TF_RandomAccessFile* file) {
    delete static_cast<OpenFile*>(file->plugin_file);
  }

  static int64_t Read(const TF_RandomAccessFile* file, uint64_t offset,
                      size_t n, char* buffer, TF_Status* status) {
    const auto* open = static_cast<const OpenFile*>(file->plugin_file);
    int64_t count = -1;
    open->tree->Run(
        Op::kRandomAccessFile_read, "", status,
        [&] {
          const std::string& contents = *open->contents;
          const size_t begin = std::min<size_t>(offset, contents.size());
          const size_t there = std::min(n, contents.size() - begin);
          count = std::min(there, open->tree->deviations.max_bytes_per_read);
          std::memcpy(buffer, contents.data() + begin, count);
          if (there < n && count == there) {
            TF_SetStatus(status, TF_OUT_OF_RANGE, "the end");
          }
        },
        [&] { count = -1; });
    return count;
  }

  static void NewWritableFile(const TF_Filesystem* filesystem, const char* path,
                              TF_WritableFile* file, TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(
        Op::kFilesystem_new_writable_file, path, status,
        [&] {
          const std::string key = tree.Resolve(tree.Key(path));
          auto contents = std::make_shared<std::string>();
          if (!tree.deviations.commits_on_close) {
            contents = Create(tree, key, status);
            if (contents == nullptr) return;
            contents->clear();
          }
          file->plugin_file = new OpenFile{&tree, key, std::move(contents)};
        },
        [&] { CloseWriter(file); });
  }

  static void CloseWriter(TF_WritableFile* file) {
    delete static_cast<OpenFile*>(file->plugin_file);
  }

  static void Append(const TF_WritableFile* file, const char* buffer, size_t n,
                     TF_Status* status) {
    const auto* open = static_cast<const OpenFile*>(file->plugin_file);
    MemoryTree& tree = *open->tree;
    tree.Run(Op::kWritableFile_append, "", status, [&] {
      const size_t room = tree.deviations.capacity - tree.appended_;
      const size_t fits = std::min(n, room);
      open->contents->append(buffer, fits);
      tree.appended_ += fits;
      if (fits < n) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "it is full");
    });
  }

  static int64_t Tell(const TF_WritableFile* file, TF_Status*) {
    return static_cast<const OpenFile*>(file->plugin_file)->contents->size();
  }

  static void Close(const TF_WritableFile* file, TF_Status* status) {
    const auto* open = static_cast<const OpenFile*>(file->plugin_file);
    MemoryTree& tree = *open->tree;
    tree.Run(Op::kWritableFile_close, "", status, [&] {
      if (!tree.deviations.commits_on_close) return;
      const auto contents = Create(tree, open->key, status);
      if (contents != nullptr) *contents = *open->contents;
    });
  }

  static void CreateDir(const TF_Filesystem* filesystem, const char* path,
                        TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(Op::kFilesystem_create_dir, path, status, [&] {
      if (tree.deviations.create_dir_creates_nothing) return;
      const std::string key = tree.Resolve(tree.Key(path));
      if (tree.Find(key) != nullptr) {
        return TF_SetStatus(status, TF_ALREADY_EXISTS, "it exists");
      }
      if (FindParent(tree, key, status) != nullptr) tree.AddDirectory(key);
    });
  }

  // Refuses in the way that `refusal` says.
  static void Refuse(Refusal refusal, const char* message, TF_Status* status) {
    if (refusal == Refusal::kOkAndNothing) return;
    const bool missing = refusal == Refusal::kNotFound;
    TF_SetStatus(status, missing ? TF_NOT_FOUND : TF_FAILED_PRECONDITION,
                 missing ? "there is nothing" : message);
  }

  static void DeleteFile(const TF_Filesystem* filesystem, const char* path,
                         TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(Op::kFilesystem_delete_file, path, status, [&] {
      const std::string key = tree.Resolve(tree.Key(path), false);
      const Entry* entry = tree.Find(key);
      if (entry == nullptr) {
        tree.SetMissing(key, status);
      } else if (entry->kind == Kind::kDirectory) {
        Refuse(tree.deviations.delete_file_of_folder, "it is a directory",
               status);
      } else {
        tree.Remove(key);
      }
    });
  }

  static void DeleteDir(const TF_Filesystem* filesystem, const char* path,
                        TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(Op::kFilesystem_delete_dir, path, status, [&] {
      const std::string key = tree.Resolve(tree.Key(path), false);
      const Entry* entry = tree.Find(key);
      if (entry == nullptr) {
        tree.SetMissing(key, status);
      } else if (entry->kind != Kind::kDirectory) {
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "it is no directory");
      } else if (!entry->children.empty()) {
        Refuse(tree.deviations.delete_dir_of_full_folder, "it is not empty",
               status);
      } else {
        tree.Remove(key);
      }
    });
  }

  static void RenameFile(const TF_Filesystem* filesystem, const char* src,
                         const char* dst, TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(Op::kFilesystem_rename_file, src, status, [&] {
      const std::string from = tree.Resolve(tree.Key(src), false);
      const std::string to = tree.Resolve(tree.Key(dst), false);
      if (FindFile(tree, src, status) == nullptr || from == to) return;
      const Entry* old = tree.Find(to);
      if (old != nullptr && old->kind == Kind::kDirectory) {
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "it is a directory");
      } else if (FindParent(tree, to, status) != nullptr) {
        Entry entry = *tree.Find(from);
        if (old != nullptr) tree.Remove(to);
        tree.Remove(from);
        tree.Add(to, std::move(entry));
      }
    });
  }

  static void CopyFile(const TF_Filesystem* filesystem, const char* src,
                       const char* dst, TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(Op::kFilesystem_copy_file, src, status, [&] {
      const Entry* from = FindFile(tree, src, status);
      if (from == nullptr) return;
      const auto source = from->contents;
      const auto copy = Create(tree, tree.Resolve(tree.Key(dst)), status);
      if (copy == source) copy->clear();  // as opening to write does
      if (copy != nullptr) *copy = *source;
    });
  }

  static void PathExists(const TF_Filesystem* filesystem, const char* path,
                         TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(Op::kFilesystem_path_exists, path, status,
             [&] { FindOrFail(tree, path, status); });
  }

  static void Describe(MemoryTree& tree, const char* path,
                       TF_FileStatistics* statistics, TF_Status* status) {
    const Entry* entry = FindOrFail(tree, path, status);
    if (entry == nullptr) return;
    const bool is_file = entry->kind == Kind::kFile;
    *statistics = {is_file ? int64_t(entry->contents->size()) : 0, 0, !is_file};
    if (tree.correct_stat != nullptr) {
      tree.correct_stat("/" + tree.Resolve(tree.Key(path)), *statistics);
    }
  }

  static void Stat(const TF_Filesystem* filesystem, const char* path,
                   TF_FileStatistics* statistics, TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    tree.Run(Op::kFilesystem_stat, path, status,
             [&] { Describe(tree, path, statistics, status); });
  }

  static bool IsDirectory(const TF_Filesystem* filesystem, const char* path,
                          TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    TF_FileStatistics statistics = {};
    tree.Run(Op::kFilesystem_is_directory, path, status,
             [&] { Describe(tree, path, &statistics, status); });
    return statistics.is_directory;
  }

  static std::vector<std::string> Names(const MemoryTree& tree,
                                        const std::string& key,
                                        const Entry& folder) {
    std::vector<std::string> names;
    for (const std::string& name : folder.children) {
      const Entry* child = tree.Find(key.empty() ? name : key + "/" + name);
      const bool slash = tree.deviations.children_end_in_slash &&
                         child->kind == Kind::kDirectory;
      const int times = tree.deviations.children_come_twice ? 2 : 1;
      for (int i = 0; i < times; ++i)
        names.push_back(name + (slash ? "/" : ""));
    }
    const auto extra = tree.extra_children_.find(key);
    if (extra != tree.extra_children_.end()) {
      names.insert(names.end(), extra->second.begin(), extra->second.end());
    }
    return names;
  }

  static int GetChildren(const TF_Filesystem* filesystem, const char* path,
                         char*** entries, TF_Status* status) {
    MemoryTree& tree = Tree(filesystem);
    int count = -1;
    tree.Run(
        Op::kFilesystem_get_children, path, status,
        [&] {
          const std::string key = tree.Resolve(tree.Key(path));
          const Entry* folder = tree.Find(key);
          std::vector<std::string> names;
          if (folder == nullptr) {
            if (!tree.deviations.missing_folder_lists_as_empty) {
              return tree.SetMissing(key, status);
            }
          } else if (folder->kind != Kind::kDirectory) {
            return TF_SetStatus(status, TF_FAILED_PRECONDITION,
                                "it is no directory");
          } else {
            names = Names(tree, key, *folder);
          }
          count = names.size();
          *entries = static_cast<char**>(std::calloc(count + 1, sizeof(char*)));
          for (int i = 0; i < count; ++i)
            (*entries)[i] = strdup(names[i].c_str());
        },
        [&] {
          for (int i = 0; i < count; ++i) std::free((*entries)[i]);
          std::free(*entries);
          *entries = nullptr;
          count = -1;
        });
    return count;
  }

  static char* TranslateName(const TF_Filesystem*, const char* uri) {
    return strdup(uri);
  }
};

SchemeTables MemoryTree::Tables(const std::vector<Op>& optional) {
  SchemeTables tables;
  TF_FilesystemOps& ops = tables.filesystem;
  ops.init = MemoryTreeOps::Init;
  ops.cleanup = MemoryTreeOps::Cleanup;
  ops.new_random_access_file = MemoryTreeOps::NewRandomAccessFile;
  ops.new_writable_file = MemoryTreeOps::NewWritableFile;
  ops.create_dir = MemoryTreeOps::CreateDir;
  ops.delete_file = MemoryTreeOps::DeleteFile;
  ops.delete_dir = MemoryTreeOps::DeleteDir;
  ops.path_exists = MemoryTreeOps::PathExists;
  ops.stat = MemoryTreeOps::Stat;
  ops.is_directory = MemoryTreeOps::IsDirectory;
  ops.get_children = MemoryTreeOps::GetChildren;
  for (const Op op : optional) {
    if (op == Op::kFilesystem_rename_file) {
      ops.rename_file = MemoryTreeOps::RenameFile;
    } else if (op == Op::kFilesystem_copy_file) {
      ops.copy_file = MemoryTreeOps::CopyFile;
    } else if (op == Op::kFilesystem_translate_name) {
      ops.translate_name = MemoryTreeOps::TranslateName;
    }
  }
  tables.random_access_file = {MemoryTreeOps::CloseReader, MemoryTreeOps::Read};
  tables.writable_file = {MemoryTreeOps::CloseWriter,
                          MemoryTreeOps::Append,
                          MemoryTreeOps::Tell,
                          nullptr,
                          nullptr,
                          MemoryTreeOps::Close};
  tables.memory = {std::malloc, std::free};
  return tables;
}

}  // namespace fsload
