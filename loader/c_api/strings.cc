#include "loader/c_api/strings.h"

size_t fsload_strings_count(const fsload_strings* strings) {
  return strings == nullptr ? 0 : strings->strings.size();
}

const char* fsload_strings_get(const fsload_strings* strings, size_t index) {
  return index < fsload_strings_count(strings) ? strings->strings[index].c_str()
                                               : nullptr;
}

void fsload_strings_free(fsload_strings* strings) { delete strings; }
