#include "tools/text/name_text.h"

#include <unistd.h>

#include <string>

#include "tools/text/output.h"
#include "tools/text/visible_text.h"

namespace fsload {

std::string NameText(std::string_view name) {
  static const bool terminal = isatty(OutputDescriptor()) == 1;
  return terminal ? Visible(name) : std::string(name);
}

}  // namespace fsload
