#include "loader/static_pass/plugin_file.h"

#include <elf.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "loader/elf/demangle.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr std::string_view kFramework = "libtensorflow_framework.so";
constexpr const char* kOldRegistration = "RegisterFilesystemPlugin";

// "13TF_InitPlugin", as it appears inside a mangled C++ name.
std::string MangledPart() {
  const std::string_view name = kInitName;
  return Format("{}{}", name.size(), name);
}

// More than any real plugin has; stops a hostile count from taking minutes.
constexpr uint64_t kMaxLocalSymbols = 1 << 24;

// The symbol `name` in the full symbol table (.symtab), which includes local
// ones. None if the file was stripped.
std::optional<Elf64_Sym> FindInDebugTable(const ElfImage& image,
                                          std::string_view name) {
  const std::string text = std::string(name) + '\0';
  const auto header = image.Read<Elf64_Ehdr>(0);
  for (uint64_t i = 0; header.has_value() && i < header->e_shnum; ++i) {
    const auto table = image.ReadElement<Elf64_Shdr>(header->e_shoff, i);
    if (!table.has_value() || table->sh_type != SHT_SYMTAB) continue;
    const auto strings =
        image.ReadElement<Elf64_Shdr>(header->e_shoff, table->sh_link);
    const uint64_t count =
        std::min(table->sh_size / sizeof(Elf64_Sym), kMaxLocalSymbols);
    for (uint64_t at = 0; strings.has_value() && at < count; ++at) {
      const auto symbol = image.ReadElement<Elf64_Sym>(table->sh_offset, at);
      if (!symbol.has_value()) break;
      if (symbol->st_shndx != SHN_UNDEF &&
          image.Holds(strings->sh_offset + symbol->st_name, text)) {
        return symbol;
      }
    }
    break;
  }
  return std::nullopt;
}

// Why there is no such function, as far as the file shows.
void AddNoEntryPoint(const ElfFile& file, Findings& findings) {
  const std::string part = MangledPart();
  for (const ElfFile::Symbol& symbol : file.symbols()) {
    const std::string name(symbol.name.value);
    if (!symbol.defined || !symbol.visible || name.compare(0, 2, "_Z") != 0 ||
        name.find(part) == std::string::npos) {
      continue;
    }
    findings.Add(
        RuleId::kEntryUnmangled,
        Format(
            "it exports {} only as the C++ function '{}' (symbol {}); declare "
            "it extern \"C\", as the interface header does",
            kInitName, Demangler().Demangle(name), name));
    return;
  }
  if (FindInDebugTable(file.image(), kInitName).has_value()) {
    // Linkers differ in whether they record a hidden function as hidden.
    findings.Add(
        RuleId::kEntryVisible,
        Format("its function {} is local or hidden, so the dynamic linker does "
               "not see it; make it neither static nor local in the linker's "
               "version script, and give it "
               "__attribute__((visibility(\"default\")))",
               kInitName));
    return;
  }
  findings.Add(RuleId::kEntryPoint,
               Format("it does not export {}, so it is not a filesystem plugin",
                      kInitName));
}

}  // namespace

bool IsFramework(std::string_view library) {
  return library.substr(0, kFramework.size()) == kFramework;
}

bool NamesFramework(const ElfFile& file) {
  return std::any_of(
      file.needed().begin(), file.needed().end(),
      [](const ElfFile::Text& needed) { return IsFramework(needed.value); });
}

bool CheckEntryPoint(const ElfFile& file, Findings& findings) {
  const ElfFile::Symbol* const entry = file.FindExported(kInitName);
  if (entry == nullptr) {
    AddNoEntryPoint(file, findings);
    return false;
  }
  if (!entry->function) {
    findings.Add(RuleId::kEntryIsFunction,
                 Format("{} is data, not a function; define it as a function",
                        kInitName));
    return false;
  }
  if (file.Imports(kOldRegistration)) {
    findings.Add(RuleId::kEntryGeneration,
                 Format("{} has the signature of TensorFlow 2.1 (it imports "
                        "{}); {}",
                        kInitName, kOldRegistration, kBuildAgainst));
    return false;
  }
  return true;
}

bool CheckFrameworkVersions(const ElfFile& file, Findings& findings) {
  for (const std::string_view library : file.versions().libraries()) {
    if (!IsFramework(library)) continue;
    findings.Add(RuleId::kFrameworkVersions,
                 Format("it needs symbol versions of {}, which has none, so "
                        "the dynamic linker would abort the process; link "
                        "it with a framework library that has no symbol "
                        "versions",
                        library));
    return false;
  }
  return true;
}

bool CheckNamesOfLibraries(const ElfFile& file, Findings& findings) {
  for (const auto* const list : {&file.needed(), &file.filters()}) {
    for (const ElfFile::Text& library : *list) {
      if (library.value.find("$ORIGIN") == std::string_view::npos &&
          library.value.find("${ORIGIN}") == std::string_view::npos) {
        continue;
      }
      findings.Add(RuleId::kDynamicLinking,
                   Format("it needs '{}', a path from its own directory, but "
                          "fsload opens a copy in memory; link it with the "
                          "library's name, and that directory in its RUNPATH",
                          library.value));
      return false;
    }
  }
  return true;
}

bool CheckRoomForImports(const ElfFile& file, bool imports,
                         Findings& findings) {
  for (const ElfFile::Text& needed : file.SharedNames()) {
    if (!IsFramework(needed.value)) continue;
    findings.Add(RuleId::kRoomForImports,
                 Format("the name {} shares its bytes with other names; "
                        "it cannot be replaced",
                        needed.value));
    return false;
  }
  if (!imports || NamesFramework(file) ||
      file.image().spare_dynamic_entry().has_value()) {
    return true;
  }
  findings.Add(RuleId::kRoomForImports,
               "the plugin neither names libtensorflow_framework.so.2 nor has "
               "a spare entry in its dynamic section; link it with "
               "-ltensorflow_framework or with -Wl,--spare-dynamic-tags=4");
  return false;
}

void WarnOfDangers(const ElfFile& file, Findings& findings) {
  const ElfImage& image = file.image();
  const uint64_t flags = image.Value(DT_FLAGS).value_or(0);
  if (image.Value(DT_TEXTREL).has_value() || (flags & DF_TEXTREL) != 0) {
    findings.Add(RuleId::kCodeNotWritten,
                 "it has text relocations; hardened systems refuse to write to "
                 "code: compile the plugin with -fPIC");
  }
  // Without the header the dynamic linker assumes an executable stack.
  const auto& segments = image.segments();
  const auto stack = std::find_if(
      segments.rbegin(), segments.rend(),
      [](const Elf64_Phdr& each) { return each.p_type == PT_GNU_STACK; });
  const bool silent = stack == segments.rend();
  if (silent || (stack->p_flags & PF_X) != 0) {
    findings.Add(
        RuleId::kStackNotExecutable,
        Format("it {}; "
               "all stacks of the process become executable, and glibc "
               "2.41 refuses to load it: link it with -z noexecstack",
               silent ? "does not declare that it needs no executable "
                        "stack (no PT_GNU_STACK)"
                      : "asks for an executable stack"));
  }
  if ((flags & DF_STATIC_TLS) != 0 || file.uses_static_tls()) {
    findings.Add(RuleId::kTlsOnDemand,
                 "it uses static TLS; loading fails once the process has run "
                 "out of static TLS space: compile the plugin with -fPIC and "
                 "without -ftls-model=initial-exec");
  }
}

}  // namespace fsload
