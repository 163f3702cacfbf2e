// What the static pass finds, and the messages: each plugin that breaks one of
// its rules.
#include "loader/static_pass/static_pass.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/elf/elf_testing.h"
#include "loader/machine/machine.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string Linking(std::string_view name) {
  return "testdata/linking/" + std::string(name) + ".so";
}

// `text` with FOLDER in place of the folder of `path`, and without what depends
// on the system.
std::string Hide(std::string text, const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  for (size_t at = text.find(folder); at != std::string::npos;
       at = text.find(folder)) {
    text.replace(at, folder.size(), "FOLDER");
  }
  const size_t system = text.find(" has up to GLIBC");
  if (system == std::string::npos) return text;
  const size_t begin = text.rfind('(', system) + 1;
  return text.replace(begin, text.find(')', system) - begin, "THE SYSTEM'S");
}

template <typename All>
std::vector<std::string> Texts(const All& findings, const std::string& path) {
  std::vector<std::string> texts;
  for (const Finding& each : findings) {
    texts.push_back(Hide(ToString(each), path));
  }
  return texts;
}

std::vector<std::string> Check(const std::string& path) {
  return Texts(CheckStatically(path).all(), path);
}

std::vector<std::string> Load(const std::string& path) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin(path, options);
  for (const std::string& scheme : registry.Schemes()) {
    EXPECT_EQ(registry.RetireAndWait(scheme, absl::ZeroDuration()),
              absl::OkStatus());
  }
  return Texts(report.findings, path);
}

// Puts a plugin at `path`, with what it needs beside it.
using Prepare = void (*)(const std::string& path);

struct Variant {
  std::string_view name;
  Prepare prepare;  // null: the plugin of this name, as it was built
  std::string_view finding;
};

std::string PathOf(const Variant& variant) {
  return NewPath(std::string(variant.name) + ".so");
}

// The plugin of this name as it was built, in a file of its own.
void CopyPlugin(std::string_view name, const std::string& path) {
  WriteFile(path, ReadFile(Linking(name)) + "copy " + path);
}

std::string Beside(const std::string& path, std::string_view name) {
  return std::filesystem::path(path).parent_path() / "beside" / name;
}

void WithNeighbour(const std::string& path, std::string_view plugin,
                   std::string_view name, std::string_view library) {
  CopyPlugin(plugin, path);
  WriteFile(Beside(path, name), ReadFile(Linking(library)));
}

// A file that names libfsload_test_unversed.so instead.
std::string Renamed(std::string bytes) {
  constexpr std::string_view kName = "libfsload_test_versions.so";
  for (size_t at = bytes.find(kName); at != std::string::npos;
       at = bytes.find(kName)) {
    bytes.replace(at, kName.size(), "libfsload_test_unversed.so");
  }
  return bytes;
}

// A file that can do without the versions that it needs.
std::string WithWeakNeeds(std::string bytes) {
  Findings findings;
  const auto image =
      ElfImage::Parse({bytes.data(), bytes.size()}, nullptr, findings);
  uint64_t next = 1;
  for (size_t at = image->OffsetOf(DT_VERNEED).value(); next != 0; at += next) {
    const auto& need = At<Elf64_Verneed>(bytes, at);
    next = need.vn_next;
    for (size_t i = at + need.vn_aux;;) {
      auto& wanted = At<Elf64_Vernaux>(bytes, i);
      wanted.vna_flags = VER_FLG_WEAK;
      if (wanted.vna_next == 0) break;
      i += wanted.vna_next;
    }
  }
  return bytes;
}

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

class BrokenRule : public testing::TestWithParam<Variant> {};

// Without its code, and by a load: in the same words.
TEST_P(BrokenRule, IsTheOnlyFinding) {
  const std::string path = PathOf(GetParam());
  if (GetParam().prepare != nullptr) {
    GetParam().prepare(path);
  } else {
    CopyPlugin(GetParam().name, path);
  }
  const std::string_view finding = GetParam().finding;
  EXPECT_THAT(Check(path), ElementsAre(finding));
  if (finding.substr(0, 6) == "FSP025") {
    EXPECT_THAT(Load(path), Contains(finding));  // glibc 2.41 refuses it, too
  } else {
    EXPECT_THAT(Load(path), ElementsAre(finding));
  }
}

constexpr std::string_view kInvisibleEntry =
    "FSP028: its function TF_InitPlugin is local or hidden, so the dynamic "
    "linker does not see it; make it neither static nor local in the linker's "
    "version script, and give it __attribute__((visibility(\"default\")))";

const Variant kVariants[] = {
    {"missing_library", nullptr,
     "FSP016: 1 library that the plugin needs is missing: "
     "'libfsload_test_neighbour.so'; install it, or add its directory to "
     "RUNPATH or LD_LIBRARY_PATH"},
    {"lacking_host_function", nullptr,
     "FSP017: fsload does not provide 1 C function that the plugin imports: "
     "'TF_FsloadTestUndefined'; use only functions of the filesystem "
     "interface"},
    {"calls_tensorflow", nullptr,
     "FSP018: 1 TensorFlow C++ symbol that the plugin needs is undefined: "
     "'tsl::FsloadTestUndefined(char const*, int)'; use only TensorFlow's C "
     "API, or link the code into the plugin"},
    {"undefined_symbol", nullptr,
     "FSP019: 1 symbol is undefined: 'FsloadTestUndefined'; link the plugin "
     "with the library that defines it (-z defs reports it)"},
    {"newer_glibc", nullptr,
     "FSP020: cannot find 1 of the symbol versions that the plugin was linked "
     "with: 'GLIBC_2.99' (THE SYSTEM'S); build the plugin on the oldest system "
     "that it must run on, or upgrade this one"},
    {"newer_libstdcxx", nullptr,
     "FSP021: cannot find 1 of the symbol versions that the plugin was linked "
     "with: 'GLIBCXX_9.9.9' (THE SYSTEM'S); build the plugin on the "
     "oldest system that it must run on, or install a newer libstdc++"},
    {"newer_neighbour",
     [](const std::string& path) {
       WithNeighbour(path, "newer_neighbour", "libfsload_test_versions.so",
                     "libfsload_test_versions_old");
     },
     "FSP022: cannot find 1 of the symbol versions that the plugin was linked "
     "with: 'FSLOAD_TEST_2' (FOLDER/beside/libfsload_test_versions.so has up "
     "to FSLOAD_TEST_1); install the versions of these libraries that the "
     "plugin was linked with"},
    // The dynamic linker would end this process. A loaded library is found by
    // its name, so this one has another.
    {"unversioned_neighbour",
     [](const std::string& path) {
       WriteFile(path, Renamed(ReadFile(Linking("newer_neighbour"))));
       WriteFile(Beside(path, "libfsload_test_unversed.so"),
                 Renamed(ReadFile(Linking("libfsload_test_versions_none"))));
     },
     "FSP023: cannot look up 1 of the symbol versions: 'FSLOAD_TEST_2' (of "
     "libfsload_test_unversed.so, which has no versions); the dynamic linker "
     "would abort the process"},
    // It does so even if the version may be missing.
    {"unversioned_neighbour_of_weak",
     [](const std::string& path) {
       WriteFile(path,
                 WithWeakNeeds(Renamed(ReadFile(Linking("newer_neighbour")))));
       WriteFile(Beside(path, "libfsload_test_unversed.so"),
                 Renamed(ReadFile(Linking("libfsload_test_versions_none"))));
     },
     "FSP023: cannot look up 1 of the symbol versions: 'FSLOAD_TEST_2' (of "
     "libfsload_test_unversed.so, which has no versions); the dynamic linker "
     "would abort the process"},
    {"text_relocation", nullptr,
     "FSP024: it has text relocations; hardened systems refuse to write to "
     "code: compile the plugin with -fPIC"},
    {"executable_stack", nullptr,
     "FSP025: it asks for an executable stack; all stacks of the process "
     "become executable, and glibc 2.41 "
     "refuses to load it: link it with -z noexecstack"},
    {"unknown_stack",
     [](const std::string& path) {
       std::string bytes = ReadFile(Linking("named")) + "copy " + path;
       Segment(bytes, PT_GNU_STACK).p_type = PT_NULL;
       WriteFile(path, bytes);
     },
     "FSP025: it does not declare that it needs no executable stack (no "
     "PT_GNU_STACK); all stacks of the process become executable, and glibc "
     "2.41 refuses to load it: link it with -z noexecstack"},
    {"static_tls", nullptr,
     "FSP026: it uses static TLS; loading fails once the "
     "process has run out of static TLS space: compile the plugin with -fPIC "
     "and without -ftls-model=initial-exec"},
    {"entry_mangled", nullptr,
     "FSP027: it exports TF_InitPlugin only as the C++ function "
     "'TF_InitPlugin(TF_FilesystemPluginInfo*)' (symbol "
     "_Z13TF_InitPluginP23TF_FilesystemPluginInfo); declare it extern \"C\", "
     "as the interface header does"},
    {"entry_hidden", nullptr, kInvisibleEntry},
    {"entry_local", nullptr, kInvisibleEntry},
    {"entry_data", nullptr,
     "FSP029: TF_InitPlugin is data, not a function; define it as a "
     "function"},
    {"world_writable",
     [](const std::string& path) {
       CopyPlugin("named", path);
       ASSERT_EQ(chmod(path.c_str(), 0757), 0);
     },
     "FSP030: 'FOLDER/world_writable.so' is world-writable (mode 0757), so "
     "anyone can change the plugin; run `chmod o-w FOLDER/world_writable.so`"},
    {"in_world_writable_folder",
     [](const std::string& path) {
       CopyPlugin("named", path);
       const std::string folder = std::filesystem::path(path).parent_path();
       ASSERT_EQ(chmod(folder.c_str(), 0777), 0);
     },
     "FSP031: 'FOLDER' is world-writable (mode 0777), so anyone can replace "
     "the plugin; run `chmod o-w FOLDER`"},
};

INSTANTIATE_TEST_SUITE_P(Static, BrokenRule, testing::ValuesIn(kVariants),
                         [](const testing::TestParamInfo<Variant>& info) {
                           return std::string(info.param.name);
                         });

TEST(StaticPass, FindsNothingInGoodPlugins) {
  for (const std::string_view name : {"named", "unnamed"}) {
    EXPECT_THAT(Check(Linking(name)), IsEmpty()) << name;
  }
  const std::string bytes = ReadFile("testdata/posix.so");
  EXPECT_THAT(CheckBytesStatically({bytes.data(), bytes.size()}).all(),
              IsEmpty());
}

TEST(StaticPass, LooksForNoMoreInWhatIsNoPlugin) {
  EXPECT_THAT(Check(Linking("libfsload_test_neighbour")),
              ElementsAre("FSP009: it does not export "
                          "TF_InitPlugin, so it is not a filesystem plugin"));
}

// Nobody gives it the host's functions then.
TEST(StaticPass, KnowsWhatAPluginInPlaceLacks) {
  StaticOptions options;
  options.in_place = true;
  const std::string path = Linking("unnamed");
  EXPECT_THAT(Texts(CheckStatically(path, options).all(), path),
              ElementsAre("FSP017: fsload does not provide 1 C function that "
                          "the plugin imports: 'TF_SetStatus'; it provides "
                          "none to a plugin that is opened in place"));
}

TEST(StaticPass, NamesAllThatIsMissingAtOnce) {
  const std::string path = NewPath("with_neighbour.so");
  WriteFile(path, ReadFile(Linking("with_neighbour")));
  EXPECT_THAT(
      Check(path),
      ElementsAre(
          "FSP016: 1 library that the plugin needs is missing: "
          "'libfsload_test_neighbour.so'; install it, or add its directory to "
          "RUNPATH or LD_LIBRARY_PATH",
          "FSP019: 1 symbol is undefined: 'FsloadTestNeighbour'; install the "
          "missing libraries first"));
}

// The plugin calls memcpy of libc and `missing_function`, and has the address
// of `missing_data`.
class PluginForAProcessor : public testing::TestWithParam<const Machine*> {};

TEST_P(PluginForAProcessor, IsReadOnEach) {
  const bool is_this_one = GetParam() == &ThisMachine();
  const std::string path = std::string("testdata/fuzz/static_pass/") +
                           (GetParam() == &kAarch64 ? "aarch64" : "x86_64");
  const std::string for_other =
      "FSP007: it is for " + std::string(GetParam()->name) +
      "; this program is " + std::string(ThisMachine().name) +
      ": install its build for " + std::string(ThisMachine().name);
  const auto check = [&](const StaticOptions& options) {
    std::vector<std::string> texts =
        Texts(CheckStatically(path, options).all(), path);
    if (!is_this_one && !texts.empty() && texts[0] == for_other) {
      texts.erase(texts.begin());
    } else if (!is_this_one) {
      ADD_FAILURE() << for_other << " is missing";
    }
    return texts;
  };
  EXPECT_THAT(check({}),
              ElementsAre("FSP019: 2 symbols are undefined: "
                          "'missing_function', 'missing_data'; link "
                          "the plugin with the libraries that define "
                          "them (-z defs reports them)"));
  StaticOptions options;
  options.stub_missing_functions = true;
  EXPECT_THAT(
      check(options),
      ElementsAre("FSP019: 1 symbol is undefined: 'missing_data' (cannot be "
                  "replaced: its address is taken); link the plugin with the "
                  "library that defines it (-z defs reports it)"));
}

INSTANTIATE_TEST_SUITE_P(All, PluginForAProcessor,
                         testing::Values(&kAarch64, &kX86_64));

// A terminal would interpret the file's bytes as a command.
TEST(StaticPass, ShowsNamesThatAreNoText) {
  std::string bytes = ReadFile(Linking("undefined_symbol"));
  for (size_t at = bytes.find("FsloadTestUndefined"); at != std::string::npos;
       at = bytes.find("FsloadTestUndefined")) {
    bytes.replace(at, 6, "\x1b[31m\xff");
  }
  const Findings findings = CheckBytesStatically({bytes.data(), bytes.size()});
  ASSERT_EQ(findings.all().size(), 1);
  EXPECT_EQ(findings.all()[0].message.find("1 symbol is undefined: "
                                           "'\\x1b[31m\\xffTestUndefined'; "),
            0);
}

// The dynamic linker looks no further either.
TEST(StaticPass, SaysWhyALibraryThatIsThereDoesNotCount) {
  const std::string path = NewPath("with_neighbour.so");
  WriteFile(path, ReadFile(Linking("with_neighbour")));
  WriteFile(Beside(path, "libfsload_test_neighbour.so"), "no library");
  EXPECT_EQ(Check(path).at(0),
            "FSP016: 1 library that the plugin needs is missing: "
            "'libfsload_test_neighbour.so' (found "
            "FOLDER/beside/libfsload_test_neighbour.so, which is not an ELF "
            "file); install it, or add its directory to RUNPATH or "
            "LD_LIBRARY_PATH");
  WriteFile(Beside(path, "libfsload_test_neighbour.so"),
            ReadFile(Linking("libfsload_test_neighbour")).substr(0, 100));
  EXPECT_THAT(
      Check(path).at(0),
      AllOf(StartsWith("FSP016: 1 library that the plugin needs is missing: "
                       "'libfsload_test_neighbour.so' (found "
                       "FOLDER/beside/libfsload_test_neighbour.so ("),
            HasSubstr(" program headers begin at offset 64, but the file has "
                      "only 100 bytes")));
}

// A plugin for another processor gets the libraries that it brings for that.
TEST(StaticPass, TakesABroughtLibraryOfThePluginsProcessor) {
  const std::string names[] = {Linking("with_neighbour"),
                               Linking("libfsload_test_neighbour")};
  const std::string found =
      "'libfsload_test_neighbour.so' (found "
      "FOLDER/beside/libfsload_test_neighbour.so";
  for (const bool foreign_plugin : {false, true}) {
    for (const bool foreign_library : {false, true}) {
      SCOPED_TRACE(testing::Message() << foreign_plugin << foreign_library);
      const std::string path = NewPath("with_neighbour.so");
      const std::string plugin = ReadFile(names[0]);
      const std::string library = ReadFile(names[1]);
      WriteFile(path, foreign_plugin ? ForOther(plugin) : plugin);
      WriteFile(Beside(path, "libfsload_test_neighbour.so"),
                foreign_library ? ForOther(library) : library);
      std::string text;
      for (const std::string& each : Check(path)) text += each + "\n";
      EXPECT_EQ(foreign_plugin, absl::StrContains(text, "FSP007")) << text;
      EXPECT_EQ(foreign_plugin != foreign_library,
                absl::StrContains(text, found))
          << text;
      EXPECT_EQ(foreign_plugin != foreign_library,
                absl::StrContains(text, "FSP016"))
          << text;
    }
  }
}

// As any that is compiled with -fstack-protector does on aarch64.
TEST(StaticPass, MissesNoDynamicLinkerOfAnotherProcessor) {
  const std::string path = NewPath("with_neighbour.so");
  WriteFile(path, ForOther(ReadFile(Linking("with_neighbour"))));
  std::string library = ReadFile(Linking("libfsload_test_neighbour"));
  // In place of libm, and of a name that nothing needs.
  std::string linker((&ThisMachine() == &kAarch64 ? kX86_64 : kAarch64).linker);
  const std::string name = "_ITM_deregisterTMCloneTable";
  linker.resize(name.size());
  const size_t at = library.find(name);
  library.replace(at, name.size(), linker);
  const uint64_t strings = DynamicEntry(library, DT_STRTAB).d_un.d_ptr;
  DynamicEntry(library, DT_NEEDED, 1).d_un.d_val = at - strings;
  WriteFile(Beside(path, "libfsload_test_neighbour.so"), ForOther(library));
  EXPECT_THAT(Check(path), Not(Contains(HasSubstr("FSP016"))));
}

TEST(StaticPass, NamesTheProcessorOfALibraryThatIsCutOff) {
  const std::string path = NewPath("with_neighbour.so");
  WriteFile(path, ReadFile(Linking("with_neighbour")));
  const std::string library =
      ForOther(ReadFile(Linking("libfsload_test_neighbour")));
  for (const size_t bytes : {20, 40, 63, 64, 100}) {
    WriteFile(Beside(path, "libfsload_test_neighbour.so"),
              library.substr(0, bytes));
    EXPECT_THAT(Check(path).at(0), HasSubstr(", which is for ")) << bytes;
  }
}

// A section of a thousand library names: the search must end.
TEST(StaticPass, GivesUpOnListsWithoutEnd) {
  constexpr int kNames = 900;  // some are equal
  std::string bytes = ReadFile("testdata/memory.so");
  Elf64_Phdr& dynamic = Segment(bytes, PT_DYNAMIC);
  std::vector<Elf64_Dyn> entries;
  uint64_t names_bytes = 0;
  for (size_t at = dynamic.p_offset;; at += sizeof(Elf64_Dyn)) {
    const auto entry = At<Elf64_Dyn>(bytes, at);
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_STRSZ) names_bytes = entry.d_un.d_val;
    if (entry.d_tag != DT_NEEDED) entries.push_back(entry);
  }
  for (uint64_t i = 1; i <= kNames; ++i) {
    entries.push_back({DT_NEEDED, {i % names_bytes}});
  }
  entries.push_back({DT_NULL, {0}});
  // They fit in the space of the code.
  const auto& header = At<Elf64_Ehdr>(bytes, 0);
  for (int i = 0; i < header.e_phnum; ++i) {
    const auto& segment =
        At<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const size_t size = entries.size() * sizeof(Elf64_Dyn);
    ASSERT_GE(segment.p_filesz, 2 * size);
    const size_t skipped = (segment.p_filesz - size) / 16 * 16;
    std::memcpy(&bytes.at(segment.p_offset + skipped), entries.data(), size);
    dynamic.p_vaddr = segment.p_vaddr + skipped;
    dynamic.p_filesz = size;
    break;
  }
  const Findings findings = CheckBytesStatically({bytes.data(), bytes.size()});
  EXPECT_THAT(ToString(findings.all().back()),
              testing::MatchesRegex(
                  "FSP037: search stopped after [0-9]+ of its libraries; no "
                  "real plugin has as many libraries, folders and symbols"));
}

TEST(StaticReportTest, HasTheStatusThatALoadWouldHave) {
  const LoadReport report = StaticReport("/a.so", CheckStatically("/a.so"));
  EXPECT_EQ(report.plugin, "/a.so");
  EXPECT_EQ(report.status.code(), absl::StatusCode::kNotFound);
  ASSERT_EQ(report.findings.size(), 1);
  EXPECT_EQ(report.status.message(),
            "/a.so: " + ToString(report.findings.front()));
  EXPECT_EQ(StaticReport("the plugin", Findings()).status, absl::OkStatus());
}

}  // namespace
}  // namespace fsload
