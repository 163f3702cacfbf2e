#include "loader/supervision/signal_text.h"

#include <cctype>

#include "third_party/fmt/format.h"

namespace fsload {

std::string SignalName(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name == nullptr ? Format("signal {}", signal) : Format("SIG{}", name);
}

std::string SignalText(int signal) {
  const char* const description = sigdescr_np(signal);
  if (description == nullptr) return SignalName(signal);
  std::string words = description;
  const auto is_lower = [](unsigned char c) { return std::islower(c) != 0; };
  // "CPU time limit exceeded" and "I/O possible" stay as they are.
  if (words.size() > 1 && is_lower(words[1])) {
    words[0] = std::tolower(static_cast<unsigned char>(words[0]));
  }
  return Format("{} ({})", SignalName(signal), words);
}

}  // namespace fsload
