// The first words of the messages that a confined load sends to its parent. A
// message is one line; loader/confined_load/confined_load.cc writes them, and
// loader/confined_load/make_confined_report.cc reads them.
#pragma once

#include <string_view>

// Crashes have their own words: loader/supervision/crash_reporter.h.
namespace fsload::load_messages {

inline constexpr std::string_view kConfined = "confined";  // one means
inline constexpr std::string_view kPhase = "phase";  // its number, the scheme
inline constexpr std::string_view kReport =
    "report";  // the LoadReport, as JSON

// What the plugin did to its host in the preceding phase.
inline constexpr std::string_view kDescriptors = "descriptors";  // which
inline constexpr std::string_view kExhausted =
    "exhausted";  // the limit on descriptors
inline constexpr std::string_view kOpened = "opened";  // a rule and the problem
inline constexpr std::string_view kHandlers = "handlers";  // of which signals
inline constexpr std::string_view kChanged = "changed";    // rule and change
inline constexpr std::string_view kMemory = "memory";      // the limit in MiB

inline constexpr std::string_view kCleanup = "cleanup";  // threw; the scheme
inline constexpr std::string_view kForked =
    "forked";  // a process of the plugin's also returned

inline constexpr std::string_view kThrew = "threw";    // the exception
inline constexpr std::string_view kThread = "thread";  // it was ended
inline constexpr std::string_view kExit = "exit";      // handlers ran; the code

}  // namespace fsload::load_messages
