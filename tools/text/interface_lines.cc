#include "tools/text/interface_lines.h"

#include <algorithm>

namespace fsload {

std::string LinesText(std::string_view clause) {
  const bool several = clause.find_first_of("-,") != std::string_view::npos;
  std::string numbers(clause);
  numbers.erase(std::remove(numbers.begin(), numbers.end(), 'L'),
                numbers.end());
  return (several ? "lines " : "line ") + numbers;
}

std::string InterfaceLinesNote() {
  return "Interface line numbers refer to " + std::string(kInterfaceHeader) +
         ".";
}

std::string InterfaceLinesText(std::string_view clause) {
  return clause.empty() ? "" : " (interface " + LinesText(clause) + ")";
}

}  // namespace fsload
