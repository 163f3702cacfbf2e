#include "core/copies/caught_callbacks.h"

#include <cxxabi.h>

#include <string_view>

#include "core/calls/plugin_call.h"
#include "third_party/fmt/format.h"

namespace fsload {

CaughtCallbacks::CaughtCallbacks(const CopyOptions& asked, Op op,
                                 std::string_view dst)
    : asked_(asked), op_(op), dst_(dst), options_(asked) {
  if (asked.before_writing != nullptr) {
    options_.before_writing = [this](std::string_view path) {
      BeforeWriting(path);
    };
  }
  if (asked.before_writing != nullptr || asked.after_block != nullptr) {
    options_.after_block = [this](int64_t bytes) { return AfterBlock(bytes); };
  }
}

absl::Status CaughtCallbacks::AfterBlock(int64_t bytes) {
  if (!thrown_.ok() || asked_.after_block == nullptr) return thrown_;
  try {
    return asked_.after_block(bytes);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    thrown_ = Thrown("after_block");
  }
  return thrown_;
}

void CaughtCallbacks::BeforeWriting(std::string_view path) {
  try {
    asked_.before_writing(path);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    thrown_ = Thrown("before_writing");
  }
}

// INTERNAL, with the text of the current exception.
absl::Status CaughtCallbacks::Thrown(std::string_view callback) const {
  return absl::InternalError(
      CallMessage(op_, dst_,
                  Format("{} threw {}; the copy ended there", callback,
                         DescribeCurrentException())));
}

}  // namespace fsload
