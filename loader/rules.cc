#include "loader/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fsload {
namespace {

constexpr Severity kMust = Severity::kMust;
constexpr Severity kShould = Severity::kShould;
constexpr Severity kNote = Severity::kNote;

constexpr Rule kRules[] = {
    {RuleId::kFileExists, kMust, "the file exists", ""},
    {RuleId::kRegularFile, kMust, "the file is a regular file", ""},
    {RuleId::kFileSize, kMust, "the file has at most 2 GiB", ""},
    {RuleId::kElf, kMust, "the file is an ELF file", ""},
    {RuleId::kWellFormed, kMust, "the ELF file is well-formed", ""},
    {RuleId::kElfClass, kMust, "the ELF file is 64-bit", ""},
    {RuleId::kMachine, kMust, "the ELF file is for this machine", ""},
    {RuleId::kSharedObject, kMust, "the ELF file is a shared object", ""},
    {RuleId::kEntryPoint, kMust, "the plugin exports TF_InitPlugin", "L1119"},
    {RuleId::kEntryGeneration, kMust,
     "TF_InitPlugin is of TensorFlow 2.2 or later", "L1119"},
    {RuleId::kFrameworkVersions, kMust,
     "no symbol versions are wanted of the framework library", ""},
    {RuleId::kRoomForImports, kMust,
     "the plugin names the framework library, or has room to name it", ""},
    {RuleId::kDynamicLinking, kMust, "the dynamic linker opens the plugin", ""},
    {RuleId::kStatusProvider, kMust,
     "whoever gives the plugin TF_SetStatus gives all of TF_Status", ""},
    {RuleId::kPrivateCopy, kMust, "the system lets the file be copied", ""},
    {RuleId::kNeededLibraries, kMust, "the needed libraries are there", ""},
    {RuleId::kHostFunctions, kMust,
     "the host has the C functions that the plugin calls", ""},
    {RuleId::kTensorFlowSymbols, kMust,
     "the plugin needs no C++ symbols of TensorFlow", ""},
    {RuleId::kOtherSymbols, kMust, "all other symbols are defined", ""},
    {RuleId::kGlibcVersion, kMust, "the system's glibc is new enough", ""},
    {RuleId::kLibstdcxxVersion, kMust, "the system's libstdc++ is new enough",
     ""},
    {RuleId::kOtherVersions, kMust,
     "other libraries have the symbol versions that are wanted of them", ""},
    {RuleId::kVersionsSomewhere, kMust,
     "symbol versions are wanted of libraries that have some", ""},
    {RuleId::kCodeNotWritten, kShould, "the plugin has no text relocations",
     ""},
    {RuleId::kStackNotExecutable, kShould,
     "the plugin needs no executable stack", ""},
    {RuleId::kTlsOnDemand, kShould, "the plugin needs no static TLS", ""},
    {RuleId::kEntryUnmangled, kMust, "TF_InitPlugin is extern \"C\"", "L1119"},
    {RuleId::kEntryVisible, kMust, "TF_InitPlugin is neither local nor hidden",
     "L1119"},
    {RuleId::kEntryIsFunction, kMust, "TF_InitPlugin is a function", "L1119"},
    {RuleId::kFileNotWorldWritable, kMust, "not everybody may write the file",
     ""},
    {RuleId::kFolderNotWorldWritable, kMust,
     "not everybody may replace the file", ""},
    {RuleId::kAllowed, kMust, "the file is on the allow list", ""},
    {RuleId::kAllowListReadable, kMust, "the allow list can be relied on", ""},
    {RuleId::kReadable, kMust, "the file can be opened and read", ""},
    {RuleId::kWhole, kMust, "the ELF file is whole", ""},
    {RuleId::kByteOrder, kMust, "the ELF file is little-endian", ""},
    {RuleId::kWithinLimits, kMust,
     "the static pass comes to an end within its limits", ""},

    {RuleId::kEntryReturns, kMust, "TF_InitPlugin returns", "L1102"},
    {RuleId::kHasSchemes, kMust, "the plugin registers a scheme", "L1112"},
    {RuleId::kFewSchemes, kMust, "the number of schemes is sane", "L1057"},
    {RuleId::kOpsArray, kMust, "the ops array can be read", "L1057"},
    {RuleId::kSchemeString, kMust, "the scheme is a string", "L1022"},
    {RuleId::kSchemeGrammar, kMust, "the scheme can stand in a URI", "L1020"},
    {RuleId::kSchemeOnce, kMust, "a scheme is registered once", "L1112"},
    {RuleId::kSchemeFree, kMust, "the scheme is not taken", "L1107"},
    {RuleId::kFilesystemTable, kMust, "each scheme has a TF_FilesystemOps",
     "L326"},
    {RuleId::kTableReadable, kMust, "the table can be read as far as declared",
     "L1029"},
    {RuleId::kTableHoldsRequired, kMust,
     "the table is large enough for its required operations", "L130"},
    {RuleId::kTableOfPointers, kMust,
     "the table's size is a multiple of a pointer's", "L933"},
    {RuleId::kTableKnown, kNote, "the table is no newer than fsload", "L194"},
    {RuleId::kTableHasSize, kMust, "a table that is set has a size", "L1112"},
    {RuleId::kAbi, kMust, "the table's ABI number is ours", "L954-L960"},
    {RuleId::kApi, kShould, "the table's API number is ours", "L943-L952"},
    {RuleId::kOpIsCode, kMust, "an operation is executable code", "L205-L925"},
    {RuleId::kRequiredOp, kMust, "required operations are there", "L130"},
    {RuleId::kConditionalTable, kMust,
     "what opens a file comes with that file's table", "L358-L415"},
    {RuleId::kHooksSet, kMust, "both allocator hooks are set", "L1116"},
    {RuleId::kHooksTogether, kMust, "the allocator hooks are replaced together",
     "L1116"},
    {RuleId::kHooksAreCode, kMust, "the allocator hooks are executable code",
     "L1074"},
    {RuleId::kHooksReplaced, kShould, "the plugin sets its own hooks", "L1116"},
    {RuleId::kMemoryAllocated, kShould,
     "what is handed over comes from the plugin's allocator", "L1029"},
    {RuleId::kMappingsKnown, kMust, "this process can read its memory map", ""},
    {RuleId::kSealed, kMust, "the tables can be sealed", "L144"},

    {RuleId::kInitSucceeds, kMust, "init succeeds", "L324"},
};

}  // namespace

const Rule& Describe(RuleId id) {
  return *std::find_if(std::begin(kRules), std::end(kRules),
                       [id](const Rule& rule) { return rule.id == id; });
}

std::string Name(RuleId id) {
  return fmt::format("FSP{:03}", static_cast<int>(id));
}

bool Findings::PluginRefused() const {
  return std::any_of(all_.begin(), all_.end(), [](const Finding& finding) {
    return !finding.of_scheme && Describe(finding.rule).severity == kMust;
  });
}

bool Findings::SchemeRefused(std::string_view scheme) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Finding& finding) {
    return finding.of_scheme && finding.scheme == scheme &&
           Describe(finding.rule).severity == kMust;
  });
}

bool Findings::AnyRefused() const {
  return std::any_of(all_.begin(), all_.end(), [](const Finding& finding) {
    return Describe(finding.rule).severity == kMust;
  });
}

std::string ToString(const Finding& finding) {
  const std::string_view clause = Describe(finding.rule).clause;
  std::string text = Name(finding.rule);
  if (!clause.empty()) text += fmt::format(" ({})", clause);
  text += ": ";
  if (finding.of_scheme) text += fmt::format("scheme '{}': ", finding.scheme);
  return text + finding.message;
}

}  // namespace fsload
