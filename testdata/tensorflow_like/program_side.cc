// Uses TensorFlow in a source that knows nothing of fsload.
#include "tensorflow/c/tf_status.h"

extern "C" bool IsOfTensorFlow(const void* status);

bool ProgramGetsStatusOfTensorFlow() {
  TF_Status* const status = TF_NewStatus();
  const bool is_its_own = IsOfTensorFlow(status);
  TF_DeleteStatus(status);
  return is_its_own;
}
