// A call of each of the 44 operations of AllMethods, as a host makes it: what
// is handed over is freed, and what is opened is cleaned up.
#pragma once

#include <functional>
#include <vector>

#include "compat/plugin_sdk/every_method.h"
#include "compat/plugin_sdk/test_host.h"

namespace fsload::plugin {

using AllHosts = TestHost<AllMethods>;

// Runs the operation it is given, and may bring trouble about meanwhile.
using CallWrapper = std::function<void(const std::function<void()>& operation)>;

// What an operation returned and wrote: what it should when its method does
// what AllMethods's does, or what it should on an error.
enum class Outcome { kDone, kFailed, kNeither };

struct OperationCall {
  const char* name;
  bool has_status;  // `call` then has set that of its host
  Outcome (*call)(AllHosts& host, const CallWrapper& around);
};

const std::vector<OperationCall>& AllOperations();

}  // namespace fsload::plugin
