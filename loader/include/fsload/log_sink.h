// Where log lines go.
#ifndef FSLOAD_LOADER_INCLUDE_FSLOAD_LOG_SINK_H_
#define FSLOAD_LOADER_INCLUDE_FSLOAD_LOG_SINK_H_

#include "compat/log_sink.h"  // IWYU pragma: export

#endif  // FSLOAD_LOADER_INCLUDE_FSLOAD_LOG_SINK_H_
