#include "fsload/internal/call_scope.h"

namespace fsload {

__thread const CallScope::Mark* CallScope::innermost_ = nullptr;

bool CallScope::Contains(const StatusProvider& provider) {
  for (const Mark* mark = innermost_; mark != nullptr; mark = mark->outer) {
    if (mark->provider == &provider) return true;
  }
  return false;
}

}  // namespace fsload
