// A plugin's source that knows only TensorFlow's headers: it compiles against
// fsload's, and include guards keep out TensorFlow's real headers.
#include "tensorflow/c/env.h"
#include "tensorflow/c/experimental/filesystem/filesystem_interface.h"
#include "tensorflow/c/logging.h"
#include "tensorflow/c/tf_status.h"

#if !defined(TENSORFLOW_C_ENV_H_) ||                                          \
    !defined(TENSORFLOW_C_EXPERIMENTAL_FILESYSTEM_FILESYSTEM_INTERFACE_H_) || \
    !defined(TENSORFLOW_C_LOGGING_H_) || !defined(TENSORFLOW_C_TF_STATUS_H_)
#error "a header lacks TensorFlow's include guard"
#endif

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

void Init(TF_Filesystem*, TF_Status* status) {
  TF_VLog(1, "started at %llu",
          static_cast<unsigned long long>(TF_NowSeconds()));
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem*) { TF_Log(TF_INFO, "done"); }

void* Allocate(size_t size) { return std::calloc(1, size); }
void Free(void* memory) { std::free(memory); }

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  plugin_info->plugin_memory_allocate = Allocate;
  plugin_info->plugin_memory_free = Free;
  plugin_info->num_schemes = 1;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      Allocate(sizeof(TF_FilesystemPluginOps)));
  TF_SetFilesystemVersionMetadata(plugin_info->ops);
  plugin_info->ops->filesystem_ops =
      static_cast<TF_FilesystemOps*>(Allocate(TF_FILESYSTEM_OPS_SIZE));
  plugin_info->ops->filesystem_ops->init = Init;
  plugin_info->ops->filesystem_ops->cleanup = Cleanup;
}

TEST(TensorFlowHeadersTest, APluginWrittenForTensorFlowRegistersAScheme) {
  TF_FilesystemPluginInfo info = {};
  TF_InitPlugin(&info);
  ASSERT_EQ(info.num_schemes, 1);
  TF_Status* status = TF_NewStatus();
  TF_SetStatus(status, TF_UNKNOWN, "not called");
  TF_Filesystem filesystem = {};
  info.ops->filesystem_ops->init(&filesystem, status);
  EXPECT_EQ(TF_GetCode(status), TF_OK);
  info.ops->filesystem_ops->cleanup(&filesystem);
  TF_DeleteStatus(status);
  info.plugin_memory_free(info.ops->filesystem_ops);
  info.plugin_memory_free(info.ops);
}
