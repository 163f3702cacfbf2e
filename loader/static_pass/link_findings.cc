#include "loader/static_pass/link_findings.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loader/elf/demangle.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// In a message; the finding has more names, and the rest is only counted.
constexpr size_t kMaxShown = 5;
constexpr size_t kMaxNamed = 250;

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Names of one finding: "'a', 'b' (needed by /lib/c.so)".
class List {
 public:
  // `wanted_by` is omitted if it is the plugin itself.
  void Add(std::string_view name, const Libraries& libraries, size_t wanted_by,
           std::string_view remark = "") {
    if (++count_ > kMaxNamed) return;
    names_.push_back(Printable(name));
    if (count_ > kMaxShown) return;
    text_ += Format("{}'{}'", count_ > 1 ? ", " : "", Printable(name));
    const std::string by =
        wanted_by == 0 ? "" : "needed by " + libraries.found[wanted_by]->path;
    if (!by.empty() || !remark.empty()) {
      text_ += Format(" ({}{}{})", Printable(remark),
                      by.empty() || remark.empty() ? "" : "; ", Printable(by));
    }
  }

  // Whether another one would be in the text.
  bool shows_more() const { return count_ < kMaxShown; }
  size_t count() const { return count_; }
  std::string text() const {
    return count_ <= kMaxShown ? text_
                               : Format(
                                     "{} and {} more (`fsload check --static "
                                     "--format=json` lists them)",
                                     text_, count_ - kMaxShown);
  }

  // For Finding::names.
  std::vector<std::string> TakeNames() {
    return count_ <= kMaxShown ? std::vector<std::string>() : std::move(names_);
  }

 private:
  size_t count_ = 0;
  std::string text_;
  std::vector<std::string> names_;
};

void AddMissingLibraries(const Libraries& libraries, Findings& findings) {
  List list;
  for (const MissingLibrary& each : libraries.missing) {
    list.Add(each.name, libraries, each.wanted_by,
             each.why.empty() ? "" : "found " + each.why);
  }
  if (list.count() == 0) return;
  findings
      .Add(RuleId::kNeededLibraries,
           list.count() == 1
               ? Format("1 library that the plugin needs is missing: {}; "
                        "install it, or add its directory to RUNPATH or "
                        "LD_LIBRARY_PATH",
                        list.text())
               : Format("{} libraries that the plugin needs are missing: "
                        "{}; install them, or add their directories to "
                        "RUNPATH or LD_LIBRARY_PATH",
                        list.count(), list.text()))
      .names = list.TakeNames();
}

// --- Versions ---

// A family of versions numbered in release order.
struct Family {
  RuleId rule;
  std::string_view library;  // the start of its name
  std::string_view consequence;
};

constexpr Family kFamilies[] = {
    {RuleId::kGlibcVersion, "libc.so.6",
     "build the plugin on the oldest system that it must run on, or upgrade "
     "this one"},
    {RuleId::kLibstdcxxVersion, "libstdc++.so.",
     "build the plugin on the oldest system that it must run on, or install a "
     "newer libstdc++"},
    {RuleId::kOtherVersions, "",
     "install the versions of these libraries that the plugin was linked "
     "with"},
};

// The other libraries of glibc share its versions.
const Family& FamilyOf(const MissingVersion& version) {
  if (StartsWith(version.version, "GLIBC_")) return kFamilies[0];
  return *std::find_if(std::begin(kFamilies), std::end(kFamilies),
                       [&](const Family& family) {
                         return StartsWith(version.library, family.library);
                       });
}

// The numbers of "GLIBC_2.36".
std::vector<int> NumbersOf(std::string_view version) {
  std::vector<int> numbers;
  const char* const end = version.data() + version.size();
  for (const char* at = version.data(); at < end;) {
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = next == at ? at + 1 : next;
  }
  return numbers;
}

// "up to GLIBC_2.36": the newest version of the same family as `wanted` that
// `library` has.
std::string NewestLike(std::string_view wanted, const NeededLibrary& library) {
  const std::string_view start = wanted.substr(0, wanted.find('_') + 1);
  std::string_view newest;
  for (const std::string_view each : library.file->versions().definitions()) {
    const bool numbered =
        StartsWith(each, start) && !start.empty() && !NumbersOf(each).empty();
    if (numbered && (newest.empty() || NumbersOf(newest) < NumbersOf(each))) {
      newest = each;
    }
  }
  return newest.empty() ? "none like it" : "up to " + std::string(newest);
}

void AddMissingVersions(const Libraries& libraries,
                        const std::vector<MissingVersion>& versions,
                        Findings& findings) {
  for (const Family& family : kFamilies) {
    List list;
    for (const MissingVersion& each : versions) {
      if (IsFatal(each, libraries) || &FamilyOf(each) != &family) continue;
      const NeededLibrary& library = *libraries.found[*each.found];
      list.Add(each.version, libraries, each.wanted_by,
               list.shows_more() ? Format("{} has {}", library.path,
                                          NewestLike(each.version, library))
                                 : "");
    }
    if (list.count() == 0) continue;
    findings
        .Add(family.rule,
             Format("cannot find {} of the symbol versions that the "
                    "plugin was linked with: {}; {}",
                    list.count(), list.text(), family.consequence))
        .names = list.TakeNames();
  }
  List fatal;
  for (const MissingVersion& each : versions) {
    if (!IsFatal(each, libraries)) continue;
    fatal.Add(
        each.version, libraries, each.wanted_by,
        Format("of {}, which {}", each.library,
               each.found.has_value() ? "has no versions" : "nothing needs"));
  }
  if (fatal.count() == 0) return;
  findings
      .Add(RuleId::kVersionsSomewhere,
           Format("cannot look up {} of the symbol versions: {}; the "
                  "dynamic linker would abort the process",
                  fatal.count(), fatal.text()))
      .names = fatal.TakeNames();
}

// --- Symbols ---

bool IsHostFunction(const std::string& name, const std::string&) {
  return StartsWith(name, "TF_") || StartsWith(name, "TSL_");
}

// By the namespaces of TensorFlow's own libraries.
bool IsTensorFlow(const std::string& name, const std::string& shown) {
  if (!StartsWith(name, "_Z")) return false;
  for (const std::string_view space : {"tsl::", "tensorflow::", "xla::"}) {
    if (shown.find(space) != std::string::npos) return true;
  }
  for (const std::string_view part : {"3tsl", "10tensorflow", "3xla"}) {
    if (name == shown && name.find(part) != std::string::npos) return true;
  }
  return false;
}

bool IsAny(const std::string&, const std::string&) { return true; }

struct Wording {
  std::string_view problem;  // {}: how many symbols
  std::string_view repair;
};

struct Group {
  RuleId rule;
  bool (*holds)(const std::string& name, const std::string& shown);
  Wording one;
  Wording several;
};

constexpr std::string_view kUseInterface =
    "use only functions of the filesystem interface";
constexpr std::string_view kUseCApi =
    "use only TensorFlow's C API, or link the code into the plugin";

// A symbol belongs to the first group that matches it.
constexpr Group kGroups[] = {
    {RuleId::kHostFunctions,
     &IsHostFunction,
     {"fsload does not provide {} C function that the plugin imports",
      kUseInterface},
     {"fsload does not provide {} C functions that the plugin imports",
      kUseInterface}},
    {RuleId::kTensorFlowSymbols,
     &IsTensorFlow,
     {"{} TensorFlow C++ symbol that the plugin needs is undefined", kUseCApi},
     {"{} TensorFlow C++ symbols that the plugin needs are undefined",
      kUseCApi}},
    {RuleId::kOtherSymbols,
     &IsAny,
     {"{} symbol is undefined",
      "link the plugin with the library that defines it (-z defs reports it)"},
     {"{} symbols are undefined",
      "link the plugin with the libraries that define them (-z defs reports "
      "them)"}},
};

void AddUnresolved(const Libraries& libraries,
                   const std::vector<MissingVersion>& versions,
                   const UnresolvedSymbols& symbols, bool in_place,
                   Findings& findings) {
  Demangler demangler;
  std::set<std::string_view> missing_versions;
  for (const MissingVersion& each : versions) {
    missing_versions.insert(each.version);
  }
  List lists[std::size(kGroups)];
  for (const UnresolvedSymbol& each : symbols.all) {
    // The missing version has been reported already.
    if (missing_versions.count(each.version) > 0 && !each.version.empty()) {
      continue;
    }
    std::string shown = demangler.Demangle(each.name);
    const auto group = std::find_if(
        std::begin(kGroups), std::end(kGroups),
        [&](const Group& group) { return group.holds(each.name, shown); });
    if (!each.version.empty()) shown += "@" + each.version;
    lists[group - kGroups].Add(shown, libraries, each.wanted_by, each.remark);
  }
  for (size_t i = 0; i < std::size(kGroups); ++i) {
    if (lists[i].count() == 0) continue;
    const Group& group = kGroups[i];
    const Wording& wording = lists[i].count() == 1 ? group.one : group.several;
    std::string_view repair = wording.repair;
    if (group.rule == RuleId::kHostFunctions && in_place) {
      repair = "it provides none to a plugin that is opened in place";
    } else if (group.rule == RuleId::kOtherSymbols &&
               !libraries.missing.empty()) {
      repair = "install the missing libraries first";
    }
    findings
        .Add(group.rule,
             Format("{}: {}; {}",
                    Format(fmt::runtime(wording.problem), lists[i].count()),
                    lists[i].text(), repair))
        .names = lists[i].TakeNames();
  }
}

}  // namespace

void AddLinkFindings(const Libraries& libraries,
                     const std::vector<MissingVersion>& versions,
                     const UnresolvedSymbols& symbols, bool in_place,
                     Findings& findings) {
  AddMissingLibraries(libraries, findings);
  AddMissingVersions(libraries, versions, findings);
  AddUnresolved(libraries, versions, symbols, in_place, findings);
  if (libraries.complete && symbols.complete) return;
  findings.Add(RuleId::kWithinLimits,
               Format("search stopped after {} of its libraries; no real "
                      "plugin has as many libraries, folders and symbols",
                      libraries.found.size()));
}

void AddStubFinding(const std::vector<std::string>& functions,
                    Findings& findings) {
  List list;
  for (const std::string& each : functions) list.Add(each, {}, 0);
  findings
      .Add(RuleId::kNoStubs,
           Format(
               "no library defines {} of the functions that the plugin calls: "
               "{}; an operation that calls one fails with UNIMPLEMENTED",
               list.count(), list.text()))
      .names = list.TakeNames();
}

}  // namespace fsload
