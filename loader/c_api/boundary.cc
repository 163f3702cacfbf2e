#include "loader/c_api/boundary.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "core/walk/trailing_slash.h"
#include "core/walk/uri_check.h"
#include "fsload/version.h"
#include "third_party/fmt/format.h"

// Allocated with its message behind it, so that it is there as a whole or not.
struct fsload_error {
  fsload_code code;
  const char* message;
};

namespace fsload {
namespace {

fsload_error g_out_of_memory = {FSLOAD_RESOURCE_EXHAUSTED, "out of memory"};

constexpr const char* kCodeNames[] = {"OK",
                                      "CANCELLED",
                                      "UNKNOWN",
                                      "INVALID_ARGUMENT",
                                      "DEADLINE_EXCEEDED",
                                      "NOT_FOUND",
                                      "ALREADY_EXISTS",
                                      "PERMISSION_DENIED",
                                      "RESOURCE_EXHAUSTED",
                                      "FAILED_PRECONDITION",
                                      "ABORTED",
                                      "OUT_OF_RANGE",
                                      "UNIMPLEMENTED",
                                      "INTERNAL",
                                      "UNAVAILABLE",
                                      "DATA_LOSS",
                                      "UNAUTHENTICATED"};

fsload_error* NewError(fsload_code code, std::string_view message) noexcept {
  void* const block = std::malloc(sizeof(fsload_error) + message.size() + 1);
  if (block == nullptr) return &g_out_of_memory;
  char* const text = static_cast<char*>(block) + sizeof(fsload_error);
  std::memcpy(text, message.data(), message.size());
  text[message.size()] = '\0';
  return new (block) fsload_error{code, text};
}

fsload_code Replace(fsload_error** error, fsload_code code,
                    std::string_view message) noexcept {
  if (error != nullptr) {
    fsload_error_free(*error);
    *error = code == FSLOAD_OK ? nullptr : NewError(code, message);
  }
  return code;
}

}  // namespace

absl::Status RequireAll(const char* function,
                        std::initializer_list<Argument> arguments) {
  for (const Argument& each : arguments) {
    if (each.value != nullptr) continue;
    return fsload::InvalidArgumentError("{}: the argument '{}' is null",
                                        function, each.name);
  }
  return absl::OkStatus();
}

absl::StatusOr<FileSystemPtr> FileSystemFor(fsload_registry* registry,
                                            const char* uri) {
  absl::StatusOr<FileSystemPtr> file_system = RegistryOf(registry).Resolve(uri);
  if (!file_system.ok()) return file_system;
  const std::string checked(uri);
  absl::Status status = CheckUri(**file_system, checked);
  if (status.ok()) status = CheckTrailingSlash(**file_system, checked);
  if (!status.ok()) return status;
  return file_system;
}

fsload_code CodeOf(const absl::Status& status) {
  return static_cast<fsload_code>(status.code());
}

fsload_code SetError(fsload_error** error,
                     const absl::Status& status) noexcept {
  const absl::string_view message = status.message();
  return Replace(error, CodeOf(status), {message.data(), message.size()});
}

fsload_code SetOutOfMemory(fsload_error** error) noexcept {
  if (error != nullptr) {
    fsload_error_free(*error);
    *error = &g_out_of_memory;
  }
  return g_out_of_memory.code;
}

fsload_code SetException(fsload_error** error, const char* what) noexcept {
  return Replace(error, FSLOAD_INTERNAL, what);
}

}  // namespace fsload

const char* fsload_code_name(fsload_code code) {
  const auto number = static_cast<unsigned>(code);
  return number < std::size(fsload::kCodeNames) ? fsload::kCodeNames[number]
                                                : "UNKNOWN";
}

fsload_code fsload_error_code(const fsload_error* error) {
  return error == nullptr ? FSLOAD_OK : error->code;
}

const char* fsload_error_message(const fsload_error* error) {
  return error == nullptr ? "" : error->message;
}

void fsload_error_free(fsload_error* error) {
  if (error != &fsload::g_out_of_memory) std::free(error);
}

const char* fsload_version() { return FSLOAD_VERSION; }

int fsload_version_number() { return FSLOAD_VERSION_NUMBER; }
