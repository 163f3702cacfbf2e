#include "tensorflow_side.h"

#include <string>

#include "tensorflow/core/platform/env.h"

namespace {

absl::Status WriteAndRead(const std::string& path, std::string& text) {
  tensorflow::Env* const env = tensorflow::Env::Default();
  absl::Status status = tensorflow::WriteStringToFile(env, path, text);
  text.clear();
  status.Update(tensorflow::ReadFileToString(env, path, &text));
  return status;
}

}  // namespace

const char* TensorFlowWriteAndRead(const char* path, const char* text) {
  static std::string answer;
  std::string read = text;
  const absl::Status status = WriteAndRead(path, read);
  answer = status.ok() ? "OK " + read : std::string(status.message());
  return answer.c_str();
}
