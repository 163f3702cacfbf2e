#include "loader/elf/processor.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

struct Processor {
  uint16_t machine;
  unsigned char word;
  unsigned char order;
  std::string_view name;
};

// Those that elf.h does not name.
constexpr uint16_t kHexagon = 164;
constexpr uint16_t kE2k = 175;
constexpr uint16_t kL10m = 180;
constexpr uint16_t kK1om = 181;
constexpr uint16_t kIntelGt = 205;
constexpr uint16_t kAmdGpu = 224;
constexpr uint16_t kNfp = 250;
constexpr uint16_t kVe = 251;
constexpr uint16_t kArc64 = 253;
constexpr uint16_t kKvx = 256;
constexpr uint16_t kSw64 = 0x9916;

constexpr Processor kProcessors[] = {
    {EM_X86_64, ELFCLASS64, ELFDATA2LSB, "x86-64"},
    {EM_X86_64, ELFCLASS32, ELFDATA2LSB, "x32"},
    {EM_386, ELFCLASS32, ELFDATA2LSB, "i686"},
    {EM_AARCH64, ELFCLASS64, ELFDATA2LSB, "aarch64"},
    {EM_AARCH64, ELFCLASS64, ELFDATA2MSB, "aarch64_be"},
    {EM_ARM, ELFCLASS32, ELFDATA2LSB, "armv7l"},
    {EM_ARM, ELFCLASS32, ELFDATA2MSB, "armv7b"},
    {EM_PPC64, ELFCLASS64, ELFDATA2LSB, "ppc64le"},
    {EM_PPC64, ELFCLASS64, ELFDATA2MSB, "ppc64"},
    {EM_PPC, ELFCLASS32, ELFDATA2MSB, "ppc"},
    {EM_S390, ELFCLASS64, ELFDATA2MSB, "s390x"},
    {EM_S390, ELFCLASS32, ELFDATA2MSB, "s390"},
    {EM_RISCV, ELFCLASS64, ELFDATA2LSB, "riscv64"},
    {EM_RISCV, ELFCLASS32, ELFDATA2LSB, "riscv32"},
    {EM_LOONGARCH, ELFCLASS64, ELFDATA2LSB, "loongarch64"},
    {EM_MIPS, ELFCLASS64, ELFDATA2LSB, "mips64el"},
    {EM_MIPS, ELFCLASS64, ELFDATA2MSB, "mips64"},
    {EM_MIPS, ELFCLASS32, ELFDATA2LSB, "mipsel"},
    {EM_MIPS, ELFCLASS32, ELFDATA2MSB, "mips"},
    {EM_SPARCV9, ELFCLASS64, ELFDATA2MSB, "sparc64"},
    {EM_IA_64, ELFCLASS64, ELFDATA2LSB, "ia64"},
    {EM_ALPHA, ELFCLASS64, ELFDATA2LSB, "alpha"},
    {EM_PARISC, ELFCLASS64, ELFDATA2MSB, "hppa64"},
    {EM_PARISC, ELFCLASS32, ELFDATA2MSB, "hppa"},
    {EM_RISCV, ELFCLASS64, ELFDATA2MSB, "riscv64be"},
    {EM_BPF, ELFCLASS64, ELFDATA2LSB, "bpf"},
    {EM_AARCH64, ELFCLASS32, ELFDATA2LSB, "aarch64_ilp32"},
    {EM_LOONGARCH, ELFCLASS32, ELFDATA2LSB, "loongarch32"},
    {EM_PPC, ELFCLASS32, ELFDATA2LSB, "ppcle"},
    {EM_SPARC, ELFCLASS32, ELFDATA2MSB, "sparc"},
    {EM_SPARC32PLUS, ELFCLASS32, ELFDATA2MSB, "sparc"},
    {EM_68K, ELFCLASS32, ELFDATA2MSB, "m68k"},
    {EM_SH, ELFCLASS32, ELFDATA2LSB, "sh4"},
    {EM_ARCV2, ELFCLASS32, ELFDATA2LSB, "arc"},
    {EM_MICROBLAZE, ELFCLASS32, ELFDATA2LSB, "microblazeel"},
    {EM_MICROBLAZE, ELFCLASS32, ELFDATA2MSB, "microblaze"},
    {EM_OPENRISC, ELFCLASS32, ELFDATA2MSB, "or1k"},
    {EM_IA_64, ELFCLASS64, ELFDATA2MSB, "ia64be"},
    {kK1om, ELFCLASS64, ELFDATA2LSB, "k1om"},
    {EM_TILEGX, ELFCLASS64, ELFDATA2LSB, "tilegx"},
    {kE2k, ELFCLASS64, ELFDATA2LSB, "e2k"},
    {kKvx, ELFCLASS64, ELFDATA2LSB, "kvx"},
    {kSw64, ELFCLASS64, ELFDATA2LSB, "sw64"},
    {EM_CSKY, ELFCLASS32, ELFDATA2LSB, "csky"},
    {EM_ALTERA_NIOS2, ELFCLASS32, ELFDATA2LSB, "nios2"},
    {EM_XTENSA, ELFCLASS32, ELFDATA2LSB, "xtensa"},
    {kHexagon, ELFCLASS32, ELFDATA2LSB, "hexagon"},
    {EM_MMIX, ELFCLASS64, ELFDATA2MSB, "mmix"},
    {kL10m, ELFCLASS64, ELFDATA2LSB, "l10m"},
    {EM_CUDA, ELFCLASS64, ELFDATA2LSB, "cuda"},
    {EM_TILEGX, ELFCLASS64, ELFDATA2MSB, "tilegxbe"},
    {kIntelGt, ELFCLASS64, ELFDATA2LSB, "intelgt"},
    {kAmdGpu, ELFCLASS64, ELFDATA2LSB, "amdgpu"},
    {EM_BPF, ELFCLASS64, ELFDATA2MSB, "bpfeb"},
    {kNfp, ELFCLASS64, ELFDATA2LSB, "nfp"},
    {kVe, ELFCLASS64, ELFDATA2LSB, "ve"},
    {kArc64, ELFCLASS64, ELFDATA2LSB, "arc64"},
    {EM_SH, ELFCLASS32, ELFDATA2MSB, "sh4eb"},
    {EM_ARCV2, ELFCLASS32, ELFDATA2MSB, "arceb"},
    {EM_XTENSA, ELFCLASS32, ELFDATA2MSB, "xtensaeb"},
    {EM_M32R, ELFCLASS32, ELFDATA2MSB, "m32r"},
    {EM_CRIS, ELFCLASS32, ELFDATA2LSB, "cris"},
    {EM_TILEPRO, ELFCLASS32, ELFDATA2LSB, "tilepro"},
    {EM_NDS32, ELFCLASS32, ELFDATA2LSB, "nds32"},
    {EM_TI_C6000, ELFCLASS32, ELFDATA2LSB, "c6x"},
    {EM_BLACKFIN, ELFCLASS32, ELFDATA2LSB, "blackfin"},
    {EM_FR30, ELFCLASS32, ELFDATA2MSB, "fr30"},
    {EM_LATTICEMICO32, ELFCLASS32, ELFDATA2MSB, "lm32"},
};

}  // namespace

bool IsAboutProcessor(RuleId rule) {
  return rule == RuleId::kElfClass || rule == RuleId::kByteOrder ||
         rule == RuleId::kMachine;
}

std::string ProcessorOf(const Elf64_Ehdr& header) {
  const unsigned char word = header.e_ident[EI_CLASS];
  const unsigned char order = header.e_ident[EI_DATA];
  const uint16_t machine = order == ELFDATA2LSB
                               ? header.e_machine
                               : __builtin_bswap16(header.e_machine);
  const auto* const found =
      std::find_if(std::begin(kProcessors), std::end(kProcessors),
                   [&](const Processor& each) {
                     return each.machine == machine && each.word == word &&
                            each.order == order;
                   });
  if (found != std::end(kProcessors)) return std::string(found->name);
  return Format("ELF machine {} ({}, {})", machine,
                word == ELFCLASS64 ? "64-bit" : "32-bit",
                order == ELFDATA2LSB ? "little-endian" : "big-endian");
}

}  // namespace fsload
