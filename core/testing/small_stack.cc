#include "core/testing/small_stack.h"

#include <limits.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>

#include "absl/base/config.h"
#include "gtest/gtest.h"

namespace fsload {

void RunInSmallStack(std::function<void()> body) {
#if defined(ABSL_HAVE_ADDRESS_SANITIZER) || defined(ABSL_HAVE_THREAD_SANITIZER)
  constexpr size_t kStackBytes = 512 << 10;
#else
  constexpr size_t kStackBytes = 64 << 10;
#endif
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  // More than 64 KiB on arm64.
  const size_t bytes = std::max<size_t>(kStackBytes, PTHREAD_STACK_MIN);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread;
  const auto run = [](void* function) -> void* {
    (*static_cast<std::function<void()>*>(function))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace fsload
