#include "loader/elf/elf_image.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "loader/elf/processor.h"
#include "loader/machine/machine.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// More than any real plugin has; stops hostile strings, which may all share
// their bytes, from taking minutes.
constexpr uint64_t kMaxNameBytes = 1 << 16;
constexpr uint64_t kMaxStringBytes = 1 << 28;

// Of the dynamic section; a library has some thirty, and one for each library
// that it needs. Work and memory grow with their number.
constexpr size_t kMaxDynamicEntries = 1 << 10;

// A library has some ten. The dynamic linker copies them to its stack.
constexpr size_t kMaxProgramHeaders = 128;

bool AddCutOff(const std::string& problem, Findings& findings) {
  findings.Add(RuleId::kWhole, problem + "; the file is truncated");
  return false;
}

// One byte of e_ident, or one number of the header, with its required value.
struct HeaderField {
  RuleId rule;
  std::string_view name;
  int wanted;
  std::string_view meaning;
  int found;
  std::string_view consequence;
};

// Whether the header says which processor the file is for, and that is another
// one: `rule` is then the first of its properties that differs.
bool IsForAnother(const Elf64_Ehdr& header, RuleId rule) {
  const unsigned char word = header.e_ident[EI_CLASS];
  const unsigned char order = header.e_ident[EI_DATA];
  return (word == ELFCLASS32 || word == ELFCLASS64) &&
         (order == ELFDATA2LSB || order == ELFDATA2MSB) &&
         IsAboutProcessor(rule);
}

}  // namespace

bool AddDamaged(const std::string& problem, Findings& findings) {
  findings.Add(RuleId::kWellFormed, problem + "; the file is damaged");
  return false;
}

std::optional<ElfImage> ElfImage::Parse(absl::Span<const char> bytes,
                                        FileBytes* source, Findings& findings,
                                        Machines machines) {
  ElfImage image(bytes, source);
  if (image.CheckHeader(machines, findings) &&
      image.ReadProgramHeaders(findings) &&
      image.ReadDynamicSection(findings) &&
      image.CheckRelocationKinds(findings) && image.ReadStrings(findings)) {
    return image;
  }
  return std::nullopt;
}

bool ElfImage::CheckHeader(Machines machines, Findings& findings) {
  const std::optional<uint32_t> magic = Read<uint32_t>(0);
  if (!magic.has_value() || std::memcmp(&*magic, ELFMAG, SELFMAG) != 0) {
    constexpr char kZip[] = {'P', 'K', 3, 4};
    const bool is_zip =
        magic.has_value() && std::memcmp(&*magic, kZip, sizeof(kZip)) == 0;
    findings.Add(RuleId::kElf,
                 is_zip ? "not an ELF file but a zip archive; if it is a "
                          "wheel, name it in FSLOAD_PLUGIN_PATH, or load a "
                          "shared object that it contains"
                        : "not an ELF file, so not a shared object");
    return false;
  }
  const size_t whole_bytes =
      bytes_.size() > EI_CLASS && bytes_[EI_CLASS] == ELFCLASS32
          ? sizeof(Elf32_Ehdr)
          : sizeof(Elf64_Ehdr);
  const auto cut_off = [&] {
    return AddCutOff(
        Format("the ELF header has {} bytes, but the file has only {}",
               whole_bytes, bytes_.size()),
        findings);
  };
  // What says which processor it is for is at the beginning, in all formats.
  constexpr size_t kProcessorEnd =
      offsetof(Elf64_Ehdr, e_machine) + sizeof(Elf64_Half);
  if (bytes_.size() < kProcessorEnd) return cut_off();
  const size_t header_bytes = std::min(bytes_.size(), sizeof(Elf64_Ehdr));
  if (source_ != nullptr) source_->Fetch(0, header_bytes);
  Elf64_Ehdr header = {};
  std::memcpy(&header, bytes_.data(), header_bytes);
  constexpr std::string_view kCannotRun = "this process cannot run it";
  const HeaderField fields[] = {
      {RuleId::kElfClass, "class", ELFCLASS64, "64-bit",
       header.e_ident[EI_CLASS], kCannotRun},
      {RuleId::kByteOrder, "byte order", ELFDATA2LSB, "little-endian",
       header.e_ident[EI_DATA], kCannotRun},
      {RuleId::kMachine, "machine", machine_->elf, machine_->name,
       header.e_machine, kCannotRun},
      {RuleId::kWellFormed, "version", EV_CURRENT, "the current one",
       header.e_ident[EI_VERSION], "the dynamic linker does not load it"},
      {RuleId::kSystem, "system",
       header.e_ident[EI_OSABI] == ELFOSABI_GNU ? ELFOSABI_GNU : ELFOSABI_SYSV,
       "System V or GNU", header.e_ident[EI_OSABI], kCannotRun},
      {RuleId::kSharedObject, "type", ET_DYN, "a shared object", header.e_type,
       "the dynamic linker cannot load it"},
  };
  for (const HeaderField& field : fields) {
    if (field.found == field.wanted) continue;
    findings.Add(
        field.rule,
        IsForAnother(header, field.rule)
            ? Format("it is for {}; this program is {}: install its "
                     "build for {}",
                     ProcessorOf(header), machine_->name, machine_->name)
            : Format("wanted {} {} ({}), found {}; {}", field.name,
                     field.wanted, field.meaning, field.found,
                     field.consequence));
    const Machine* const other = FindMachine(header.e_machine);
    if (field.rule != RuleId::kMachine || machines == Machines::kThis ||
        other == nullptr) {
      return bytes_.size() >= whole_bytes ? false : cut_off();
    }
    machine_ = other;
  }
  return bytes_.size() >= whole_bytes || cut_off();
}

bool ElfImage::CheckSegment(const Elf64_Phdr& segment, uint64_t mapped_end,
                            Findings& findings) const {
  const bool loaded = segment.p_type == PT_LOAD;
  // A linker may put a segment without bytes in the file behind its end.
  const bool whole = segment.p_filesz == 0 ||
                     (segment.p_offset <= bytes_.size() &&
                      segment.p_filesz <= bytes_.size() - segment.p_offset);
  if (!whole && (loaded || segment.p_type == PT_DYNAMIC)) {
    return AddCutOff(
        Format("a segment of {} bytes begins at offset {}, but the file "
               "has only {} bytes",
               segment.p_filesz, segment.p_offset, bytes_.size()),
        findings);
  }
  if (loaded && (segment.p_memsz < segment.p_filesz ||
                 segment.p_memsz > UINT64_MAX - segment.p_vaddr)) {
    return AddDamaged(
        Format("{} bytes of a segment do not fit into its {} bytes at {:#x}",
               segment.p_filesz, segment.p_memsz, segment.p_vaddr),
        findings);
  }
  // The machine of a foreign file may have larger pages.
  constexpr uint64_t kMinPageBytes = 4096;
  const uint64_t page = is_foreign() ? kMinPageBytes : sysconf(_SC_PAGESIZE);
  if (loaded && (segment.p_vaddr - segment.p_offset) % page != 0) {
    const std::string repair =
        page == kMinPageBytes
            ? "the file is damaged"
            : Format("link the plugin with -z max-page-size={}", page);
    findings.Add(RuleId::kWellFormed,
                 Format("the segment at {:#x} cannot be mapped from offset "
                        "{:#x}: both must be at the same place in a page of {} "
                        "bytes; {}",
                        segment.p_vaddr, segment.p_offset, page, repair));
    return false;
  }
  if (loaded && segment.p_vaddr < mapped_end) {
    return AddDamaged(
        Format("the segment at {:#x} is not in the order of addresses",
               segment.p_vaddr),
        findings);
  }
  return true;
}

bool ElfImage::ReadProgramHeaders(Findings& findings) {
  const Elf64_Ehdr header = *Read<Elf64_Ehdr>(0);
  if (header.e_phentsize != sizeof(Elf64_Phdr)) {
    return AddDamaged(Format("wanted program headers of {} bytes, found "
                             "{}",
                             sizeof(Elf64_Phdr), header.e_phentsize),
                      findings);
  }
  if (header.e_phnum > kMaxProgramHeaders) {
    findings.Add(RuleId::kWithinLimits,
                 Format("there are {} program headers; no real plugin has that "
                        "many",
                        header.e_phnum));
    return false;
  }
  uint64_t mapped_end = 0;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = ReadElement<Elf64_Phdr>(header.e_phoff, i);
    if (!segment.has_value()) {
      return AddCutOff(
          Format("{} program headers begin at offset {}, but the file has only "
                 "{} bytes",
                 header.e_phnum, header.e_phoff, bytes_.size()),
          findings);
    }
    if (!CheckSegment(*segment, mapped_end, findings)) return false;
    if (segment->p_type == PT_LOAD) {
      mapped_end = segment->p_vaddr + segment->p_memsz;
    }
    segments_.push_back(*segment);
  }
  return CheckNotes(findings);
}

// The dynamic linker reads those that are aligned to words, before any
// code runs; others may be no part of what is loaded.
bool ElfImage::CheckNotes(Findings& findings) const {
  constexpr uint64_t kAlignmentOfRead = 8;
  for (const Elf64_Phdr& segment : segments_) {
    if ((segment.p_type != PT_NOTE && segment.p_type != PT_GNU_PROPERTY) ||
        segment.p_align != kAlignmentOfRead || segment.p_memsz == 0 ||
        IsMapped(segment.p_vaddr, segment.p_memsz)) {
      continue;
    }
    return AddDamaged(Format("{} bytes of notes at {:#x} are in no segment "
                             "that is loaded",
                             segment.p_memsz, segment.p_vaddr),
                      findings);
  }
  return true;
}

// Like the dynamic linker, uses the last such header, and only its address.
bool ElfImage::ReadDynamicSection(Findings& findings) {
  const auto dynamic = std::find_if(
      segments_.rbegin(), segments_.rend(),
      [](const Elf64_Phdr& segment) { return segment.p_type == PT_DYNAMIC; });
  const std::optional<uint64_t> begin =
      dynamic == segments_.rend() ? std::nullopt : FileOffset(dynamic->p_vaddr);
  if (!begin.has_value()) {
    return AddDamaged("it has no dynamic section", findings);
  }
  const uint64_t entries = dynamic->p_filesz / sizeof(Elf64_Dyn);
  for (uint64_t i = 0; i < entries; ++i) {
    const auto entry = ReadElement<Elf64_Dyn>(*begin, i);
    if (!entry.has_value()) break;
    if (entry->d_tag == DT_NULL) {
      const auto next = ReadElement<Elf64_Dyn>(*begin, i + 1);
      if (i + 1 < entries && next.has_value() && next->d_tag == DT_NULL) {
        spare_entry_ = *begin + i * sizeof(Elf64_Dyn);
      }
      return true;
    }
    if (dynamic_.size() == kMaxDynamicEntries) {
      findings.Add(RuleId::kWithinLimits,
                   Format("the dynamic section has more than {} entries; no "
                          "real plugin has that many",
                          kMaxDynamicEntries));
      return false;
    }
    dynamic_.push_back(*entry);
  }
  return AddDamaged(
      Format("the dynamic section has {} entries and no end", dynamic_.size()),
      findings);
}

// What the dynamic linker asserts.
bool ElfImage::CheckRelocationKinds(Findings& findings) const {
  struct Kind {
    int64_t table, entry_bytes;
    size_t bytes;
  };
  for (const Kind kind : {Kind{DT_RELA, DT_RELAENT, sizeof(Elf64_Rela)},
                          Kind{DT_RELR, DT_RELRENT, sizeof(Elf64_Relr)}}) {
    const uint64_t bytes = Value(kind.entry_bytes).value_or(0);
    if (!Value(kind.table).has_value() || bytes == kind.bytes) continue;
    return AddDamaged(
        Format("wanted relocations of {} bytes, found {}", kind.bytes, bytes),
        findings);
  }
  const uint64_t calls = Value(DT_PLTREL).value_or(DT_RELA);
  if (calls == DT_RELA) return true;
  return AddDamaged(Format("wanted calls bound by relocations of kind {}, "
                           "found {}",
                           DT_RELA, calls),
                    findings);
}

bool ElfImage::Holds(uint64_t offset, std::string_view text) const {
  if (offset > bytes_.size() || bytes_.size() - offset < text.size()) {
    return false;
  }
  if (source_ != nullptr) source_->Fetch(offset, text.size());
  return std::string_view(bytes_.data() + offset, text.size()) == text;
}

std::optional<uint64_t> ElfImage::FileOffset(uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      return address - segment.p_vaddr + segment.p_offset;
    }
  }
  return std::nullopt;
}

bool ElfImage::IsMapped(uint64_t address, uint64_t bytes) const {
  return std::any_of(
      segments_.begin(), segments_.end(), [&](const Elf64_Phdr& segment) {
        return segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
               address - segment.p_vaddr < segment.p_memsz &&
               bytes <= segment.p_memsz - (address - segment.p_vaddr);
      });
}

std::optional<uint64_t> ElfImage::Value(int64_t tag) const {
  std::optional<uint64_t> value;
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == tag) value = entry.d_un.d_val;
  }
  return value;
}

std::optional<uint64_t> ElfImage::OffsetOf(int64_t tag) const {
  const std::optional<uint64_t> address = Value(tag);
  return address.has_value() ? FileOffset(*address) : std::nullopt;
}

std::optional<ElfImage::Text> ElfImage::String(uint64_t offset) const {
  if (offset >= strings_bytes_) return std::nullopt;
  const char* begin = bytes_.data() + strings_offset_ + offset;
  const size_t most = std::min(strings_bytes_ - offset, kMaxNameBytes);
  if (source_ != nullptr) source_->Fetch(strings_offset_ + offset, most);
  const size_t length = strnlen(begin, most);
  string_bytes_read_ += length;
  if (length == most || string_bytes_read_ > kMaxStringBytes) {
    return std::nullopt;
  }
  return Text{std::string_view(begin, length), strings_offset_ + offset};
}

bool ElfImage::ReadStrings(Findings& findings) {
  const std::optional<uint64_t> offset = OffsetOf(DT_STRTAB);
  const std::optional<uint64_t> bytes = Value(DT_STRSZ);
  if (!offset.has_value() || !bytes.has_value() ||
      *bytes > bytes_.size() - *offset) {
    return AddDamaged("the string table is missing or outside the file",
                      findings);
  }
  strings_offset_ = *offset;
  strings_bytes_ = *bytes;
  return true;
}

}  // namespace fsload
