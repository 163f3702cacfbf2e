#include "compat/host_symbols.h"

#include <string_view>

#include "fsload/env.h"
#include "fsload/logging.h"
#include "fsload/tf_status.h"

namespace fsload {
namespace {

struct Row {
  std::string_view name;
  const void* address;
};

const void* Address(void (*function)()) {
  return reinterpret_cast<const void*>(function);
}

}  // namespace

const void* HostSymbol(std::string_view name) {
#define FSLOAD_ROW(function) \
  {#function, Address(reinterpret_cast<void (*)()>(&(function)))},
  static const Row kTable[] = {FSLOAD_FOR_EACH_HOST_SYMBOL(FSLOAD_ROW)};
#undef FSLOAD_ROW
  for (const Row& row : kTable) {
    if (row.name == name) return row.address;
  }
  return nullptr;
}

}  // namespace fsload
