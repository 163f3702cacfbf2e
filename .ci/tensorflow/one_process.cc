// fsload and TensorFlow in one process.
//
//     one_process ORDER PLUGIN URI PATH
//
// loads the plugin with fsload, writes and reads the file URI, and has
// TensorFlow do the same with the local file PATH; prints the result of each.
// ORDER is the order in which the two are loaded: fsload first, TensorFlow
// first, or TensorFlow first with global symbols. If compiled with LINKED,
// TensorFlow is there from the start and ORDER says who is used first.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "fsload/fsload.h"
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

fsload_error* g_error = nullptr;

// "OK", a space and `text`, or the error of the last call.
void Print(const char* what, fsload_code code, const std::string& text = "") {
  std::printf("%s: %s %s\n", what, fsload_code_name(code),
              code == FSLOAD_OK ? text.c_str() : fsload_error_message(g_error));
}

// The provider of TF_Status, the number of stubs, and the schemes.
void Load(const char* plugin) {
  fsload_load_options options = {};
  options.struct_size = sizeof(options);
  options.stub_missing_functions = 1;
  fsload_report* report = nullptr;
  const fsload_code code =
      fsload_load(nullptr, plugin, &options, &report, &g_error);
  const auto json = nlohmann::json::parse(fsload_report_json(report));
  std::string text = json["status_provider"].get<std::string>() + " " +
                     std::to_string(json["stubs"].size());
  for (size_t i = 0; i < fsload_report_scheme_count(report); ++i) {
    const fsload_scheme* const scheme = fsload_report_scheme(report, i);
    if (scheme->registered == 1) text += std::string(" ") + scheme->scheme;
  }
  Print("load", code, text);
  fsload_report_free(report);
}

void Write(const char* uri, const std::string& text) {
  fsload_writer* writer = nullptr;
  fsload_code code = fsload_open_writer(nullptr, uri, &writer, &g_error);
  if (code == FSLOAD_OK) {
    code = fsload_append(writer, text.data(), text.size(), &g_error);
  }
  if (code == FSLOAD_OK) code = fsload_close(writer, &g_error);
  fsload_writer_free(writer);
  Print("write", code);
}

void Read(const char* what, const char* uri) {
  fsload_reader* reader = nullptr;
  std::string text(1000, '\0');
  size_t count = 0;
  fsload_code code = fsload_open_reader(nullptr, uri, &reader, &g_error);
  if (code == FSLOAD_OK) {
    code = fsload_read(reader, 0, text.data(), text.size(), &count, &g_error);
  }
  fsload_reader_free(reader);
  Print(what, code, text.substr(0, count));
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
  Load(argv[2]);
  Write(argv[3], "by fsload");
  Read("read", argv[3]);
  if (tensorflow == nullptr) tensorflow = OpenTensorFlow(visibility);
  // Each once more, now that the other is loaded.
  UseTensorFlow(tensorflow, argv[4]);
  Read("again", argv[3]);
  Print("end", fsload_retire_all(nullptr, 30, &g_error));
  fsload_error_free(g_error);
  std::fflush(stdout);
}
