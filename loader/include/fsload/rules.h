// The rules that a plugin must follow to be loaded, with their numbers.
#ifndef FSLOAD_RULES_H_
#define FSLOAD_RULES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "fsload/export.h"

namespace FSLOAD_API fsload {

enum class Severity : uint8_t {
  kMust,    // the plugin, or the scheme, is refused
  kShould,  // a warning
  kNote,
};

// Numbers are never reused. 0xx: the file and the dynamic linker; 1xx:
// registration and tables; 2xx: life cycle.
enum class RuleId : uint16_t {
  kFileExists = 1,
  kRegularFile = 2,
  kFileSize = 3,
  kElf = 4,
  kWellFormed = 5,
  kElfClass = 6,
  kMachine = 7,
  kSharedObject = 8,
  kEntryPoint = 9,
  kEntryGeneration = 10,
  kFrameworkVersions = 11,
  kRoomForImports = 12,
  kDynamicLinking = 13,
  kStatusProvider = 14,
  kPrivateCopy = 15,
  kNeededLibraries = 16,
  kHostFunctions = 17,
  kTensorFlowSymbols = 18,
  kOtherSymbols = 19,
  kGlibcVersion = 20,
  kLibstdcxxVersion = 21,
  kOtherVersions = 22,
  kVersionsSomewhere = 23,
  kCodeNotWritten = 24,
  kStackNotExecutable = 25,
  kTlsOnDemand = 26,
  kEntryUnmangled = 27,
  kEntryVisible = 28,
  kEntryIsFunction = 29,
  kFileNotWorldWritable = 30,
  kFolderNotWorldWritable = 31,
  kAllowed = 32,
  kAllowListReadable = 33,
  kReadable = 34,
  kWhole = 35,
  kByteOrder = 36,
  kWithinLimits = 37,
  kNoStubs = 38,

  kSystem = 95,
  kCacheUsable = 96,
  kWheelHasPlugin = 97,
  kWheelWithinLimits = 98,
  kWheelWellFormed = 99,

  kEntryReturns = 101,
  kHasSchemes = 102,
  kFewSchemes = 103,
  kOpsArray = 104,
  kSchemeString = 105,
  kSchemeGrammar = 106,
  kSchemeOnce = 107,
  kSchemeFree = 108,
  kFilesystemTable = 109,
  kTableReadable = 110,
  kTableHoldsRequired = 111,
  kTableOfPointers = 112,
  kTableKnown = 113,
  kTableHasSize = 114,
  kAbi = 115,
  kApi = 116,
  kOpIsCode = 117,
  kRequiredOp = 118,
  kConditionalTable = 119,
  kHooksSet = 120,
  kHooksTogether = 121,
  kHooksAreCode = 122,
  kHooksReplaced = 123,
  kMemoryAllocated = 124,
  kMappingsKnown = 125,
  kSealed = 126,

  kTableSizeSane = 198,
  kHooksWork = 199,

  kInitSucceeds = 201,
  kNoFatalSignal = 202,
  kKeepsToItsStack = 203,
  kLeavesProcessRunning = 204,
  kLeavesThreadRunning = 205,
  kComesToAnEnd = 206,
  kThrowsNothing = 207,
  kLeavesNoProcesses = 208,
  kKeepsDescriptors = 209,
  kKeepsSignalHandlers = 210,
  kTakesLittleMemory = 211,
  kPrintsLittle = 212,
  kNeedsNoRefusedCalls = 213,
  kKeepsWorkingDirectory = 214,
  kKeepsUmask = 215,
  kKeepsSignalMask = 216,
  kKeepsEnvironment = 217,
  kKeepsUser = 218,
  kKeepsFloatingPoint = 219,
  kKeepsTimers = 220,
  kKeepsTerminateHandler = 221,

  kLeavesDescriptors = 297,
  kCleanupThrowsNothing = 298,
  kReportArrives = 299,
};

struct Rule {
  RuleId id;
  Severity severity;
  std::string_view title;   // what is true of a plugin that follows the rule
  std::string_view clause;  // the contract's lines; "" if there are none
  std::string_view why;     // what would happen to one that breaks it
  std::string_view repair;  // what the plugin's author or user can do
};

// Returns all rules, ordered by number.
absl::Span<const Rule> AllRules();

// Returns the rule `id`, which must be an enumerator: RuleIdOf checks a number.
const Rule& Describe(RuleId id);

// Returns the id of the rule with this number; nullopt if there is none.
std::optional<RuleId> RuleIdOf(int number);

// Returns "FSP107".
std::string Name(RuleId id);

}  // namespace fsload

#endif  // FSLOAD_RULES_H_
