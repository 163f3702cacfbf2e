// Which plugins the calling thread is currently calling.
#ifndef FSLOAD_INTERNAL_CALL_SCOPE_H_
#define FSLOAD_INTERNAL_CALL_SCOPE_H_

#include "fsload/export.h"
#include "fsload/internal/status_provider.h"

namespace FSLOAD_API fsload {

// Marks the calling thread as inside a call of a plugin for the life of this
// object. Scopes nest.
class CallScope final {
 public:
  // Stack node of one active call; outlives its scope.
  struct Mark {
    // Marks a call with the provider `called` in the scheme's tables; each
    // scheme has its own.
    explicit Mark(const StatusProvider& called)
        : provider(&called), outer(innermost_) {}

    const StatusProvider* provider;
    const Mark* outer;
  };

  explicit CallScope(const Mark& mark) : outer_(mark.outer) {
    innermost_ = &mark;
  }
  ~CallScope() { innermost_ = outer_; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  // Returns whether the calling thread is inside a call with this provider
  // object.
  static bool Contains(const StatusProvider& provider);

 private:
  // Kept in a register. The mark is in memory, where others can see it; reading
  // it back would make each call wait for the previous one.
  const Mark* const outer_;

  // Not thread_local: other files would read that through a function.
  static __thread const Mark* innermost_;
};

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_CALL_SCOPE_H_
