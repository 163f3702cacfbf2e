// A plugin's own TF_Status, with another layout than fsload's. INCOMPLETE
// leaves out all but TF_SetStatus.
#include <string>

#include "fsload/filesystem_interface.h"

struct TF_Status {
  std::string message;
  TF_Code code = TF_OK;
};

void TF_SetStatus(TF_Status* status, TF_Code code, const char* message) {
  status->code = code;
  status->message = std::string("[own] ") + message;
}

#ifndef INCOMPLETE
TF_Status* TF_NewStatus() { return new TF_Status; }
void TF_DeleteStatus(TF_Status* status) { delete status; }
TF_Code TF_GetCode(const TF_Status* status) { return status->code; }
const char* TF_Message(const TF_Status* status) {
  return status->message.c_str();
}
#endif
