// mutants.so: both correct plugins as one, with the mutant applied.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/plugin_memory.h"

// The entries of the correct plugins, which are compiled under these names.
extern "C" {
void InitPosixPlugin(TF_FilesystemPluginInfo* plugin_info);
void InitMemoryPlugin(TF_FilesystemPluginInfo* plugin_info);
}

namespace mutants {

namespace {

// Ends the process if there is no such mutant.
Change FindChange(const char* name) {
  for (const Change& change : AllChanges()) {
    if (std::strcmp(change.mutant, name) == 0) return change;
  }
  std::fprintf(stderr, "FSLOAD_MUTANT=%s: no such mutant; there are:\n", name);
  for (const Change& change : AllChanges()) {
    std::fprintf(stderr, "  %s\n", change.mutant);
  }
  std::abort();
}

// "posix.read-ok-at-end" is a mutant of the scheme "posix".
bool IsOfScheme(const Change& change, const char* scheme) {
  const std::string prefix = std::string(scheme) + ".";
  return std::string(change.mutant).compare(0, prefix.size(), prefix) == 0;
}

void ApplyTo(TF_FilesystemPluginOps* ops, const Change& change) {
  g_right = {*ops->filesystem_ops, *ops->random_access_file_ops,
             *ops->writable_file_ops, *ops->read_only_memory_region_ops};
  Tables tables = g_right;
  change.apply(&tables);
  *ops->filesystem_ops = tables.fs;
  *ops->random_access_file_ops = tables.in;
  *ops->writable_file_ops = tables.out;
  *ops->read_only_memory_region_ops = tables.region;
}

}  // namespace
}  // namespace mutants

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  TF_FilesystemPluginInfo posix = {};
  TF_FilesystemPluginInfo memory = {};
  InitPosixPlugin(&posix);
  InitMemoryPlugin(&memory);
  *plugin_info = posix;
  plugin_info->num_schemes = 2;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      plugin_memory::Allocate(2 * sizeof(TF_FilesystemPluginOps)));
  plugin_info->ops[0] = *posix.ops;
  plugin_info->ops[1] = *memory.ops;
  plugin_memory::Free(posix.ops);
  plugin_memory::Free(memory.ops);

  const char* name = std::getenv("FSLOAD_MUTANT");
  if (name == nullptr) return;
  const mutants::Change change = mutants::FindChange(name);
  for (size_t i = 0; i < plugin_info->num_schemes; ++i) {
    TF_FilesystemPluginOps* ops = &plugin_info->ops[i];
    if (mutants::IsOfScheme(change, ops->scheme)) {
      mutants::ApplyTo(ops, change);
    };
  }
}
