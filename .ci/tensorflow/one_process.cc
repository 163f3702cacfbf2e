// fsload and TensorFlow in one process.
//
//     one_process ORDER PLUGIN URI PATH
//
// loads the plugin with fsload, writes and reads the file URI, and has
// TensorFlow do the same with the local file PATH; prints the result of each.
// ORDER is the order in which the two are loaded: fsload first, TensorFlow
// first, or TensorFlow first with global symbols. If compiled with LINKED,
// TensorFlow is there from the start and ORDER is ignored.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "fsload_for_c.h"
#include "tensorflow_side.h"

namespace {

using Function = decltype(&TensorFlowWriteAndRead);

#ifdef LINKED
Function OpenTensorFlow(int) { return &TensorFlowWriteAndRead; }
#else
Function OpenTensorFlow(int visibility) {
  void* const library = dlopen("libtensorflow_side.so", RTLD_NOW | visibility);
  void* const function =
      library == nullptr ? nullptr : dlsym(library, "TensorFlowWriteAndRead");
  if (function == nullptr) {
    std::printf("tensorflow: %s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Function>(function);
}
#endif

void UseFsload(const char* plugin, const char* uri) {
  std::printf("load: %s\n", FsloadLoad(plugin));
  std::printf("write: %s\n", FsloadWrite(uri, "by fsload"));
  std::printf("read: %s\n", FsloadRead(uri));
}

void UseTensorFlow(Function write_and_read, const char* path) {
  std::printf("tensorflow: %s\n", write_and_read(path, "by TensorFlow"));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::string order = argv[1];
  const int visibility =
      order == "tensorflow-global" ? RTLD_GLOBAL : RTLD_LOCAL;
  Function tensorflow = nullptr;
  if (order != "fsload-first") {
    tensorflow = OpenTensorFlow(visibility);
    UseTensorFlow(tensorflow, argv[4]);
  }
  UseFsload(argv[2], argv[3]);
  if (tensorflow == nullptr) tensorflow = OpenTensorFlow(visibility);
  // Each once more, now that the other is loaded.
  UseTensorFlow(tensorflow, argv[4]);
  std::printf("again: %s\n", FsloadRead(argv[3]));
  std::printf("end: %s\n", FsloadEnd());
  std::fflush(stdout);
}
