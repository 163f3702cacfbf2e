// A source that includes fsload's headers, then TensorFlow's.
#include "fsload/by_uri.h"
#include "fsload/log_sink.h"
#include "fsload/op_observer.h"
// clang-format off
#include "tensorflow/c/tf_status.h"
// clang-format on

extern "C" bool IsOfTensorFlow(const void* status);

bool FSLOAD_TEST_NAME() {
  static_assert(sizeof(TF_Code) == 4 && TF_NOT_FOUND == 5, "");
  TF_Status* const status = TF_NewStatus();
  const bool is_its_own = IsOfTensorFlow(status);
  TF_DeleteStatus(status);
  return is_its_own && !fsload::FileExists("none://a").ok();
}
