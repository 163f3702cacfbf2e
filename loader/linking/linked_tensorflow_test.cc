// A program that is linked with both fsload and TensorFlow: each has its own
// functions, although they have the same names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "absl/status/status.h"
#include "fsload/by_uri.h"
#include "fsload/filesystem_interface.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

extern "C" int CallsOfTensorFlow();

bool ProgramGetsStatusOfTensorFlow();
bool fsload_first_enum();
bool fsload_first_typedef();
bool tensorflow_first_enum();
bool tensorflow_first_typedef();

namespace fsload {
namespace {

TEST(LinkedTensorFlowTest, HasTheFunctionsThatTheProgramCalls) {
  const int before = CallsOfTensorFlow();
  EXPECT_TRUE(ProgramGetsStatusOfTensorFlow());
  EXPECT_EQ(CallsOfTensorFlow() - before, 2);
}

TEST(LinkedTensorFlowTest, MayHaveItsHeaderBesideThoseOfFsload) {
  EXPECT_TRUE(fsload_first_enum());
  EXPECT_TRUE(fsload_first_typedef());
  EXPECT_TRUE(tensorflow_first_enum());
  EXPECT_TRUE(tensorflow_first_typedef());
}

void* Allocate(size_t bytes) { return std::calloc(1, bytes); }

// A file system that is linked into the program, and is empty.
void InitPlugin(TF_FilesystemPluginInfo* info) {
  info->plugin_memory_allocate = Allocate;
  info->plugin_memory_free = std::free;
  info->num_schemes = 1;
  info->ops = static_cast<TF_FilesystemPluginOps*>(
      Allocate(sizeof(TF_FilesystemPluginOps)));
  TF_FilesystemPluginOps& ops = *info->ops;
  TF_SetFilesystemVersionMetadata(&ops);
  ops.scheme = std::strcpy(static_cast<char*>(Allocate(5)), "none");
  ops.filesystem_ops =
      static_cast<TF_FilesystemOps*>(Allocate(sizeof(TF_FilesystemOps)));
  ops.filesystem_ops->init = [](TF_Filesystem*, TF_Status* status) {
    TF_SetStatus(status, TF_OK, "");
  };
  ops.filesystem_ops->cleanup = [](TF_Filesystem*) {};
  ops.filesystem_ops->path_exists = [](const TF_Filesystem*, const char*,
                                       TF_Status* status) {
    TF_SetStatus(status, TF_NOT_FOUND, "there is nothing");
    TF_SetPayload(status, "key", "value");
  };
}

TEST(LinkedTensorFlowTest, HasNoneOfTheFunctionsThatFsloadCalls) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const int before = CallsOfTensorFlow();
  const LoadReport report = RegisterPlugin("linked", InitPlugin, options);
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_EQ(FileExists("none://a", registry), [] {
    absl::Status status =
        absl::NotFoundError("none://a: there is nothing (path_exists)");
    status.SetPayload("key", absl::Cord("value"));
    return status;
  }());
  EXPECT_EQ(registry.RetireAll(), absl::OkStatus());
  EXPECT_EQ(CallsOfTensorFlow(), before);
}

}  // namespace
}  // namespace fsload
