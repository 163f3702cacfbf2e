// The C functions that plugins import from their host, by name.
#pragma once

#include <string_view>

// One row per function. The table of addresses and the link-time stub of the
// framework library are both generated from this list.
#define FSLOAD_FOR_EACH_HOST_SYMBOL(ROW) \
  ROW(TF_NewStatus)                      \
  ROW(TF_DeleteStatus)                   \
  ROW(TF_SetStatus)                      \
  ROW(TF_SetPayload)                     \
  ROW(TF_ForEachPayload)                 \
  ROW(TF_SetStatusFromIOError)           \
  ROW(TF_GetCode)                        \
  ROW(TF_Message)                        \
  ROW(TF_Log)                            \
  ROW(TF_VLog)                           \
  ROW(TF_GetTempFileName)                \
  ROW(TF_NowSeconds)                     \
  ROW(TF_DefaultThreadOptions)           \
  ROW(TF_StartThread)                    \
  ROW(TF_JoinThread)                     \
  ROW(TF_LoadSharedLibrary)              \
  ROW(TF_GetSymbolFromLibrary)

namespace fsload {

// Returns the address of fsload's function `name`, or null if it has none.
const void* HostSymbol(std::string_view name);

}  // namespace fsload
