// Names of the processors that ELF files are for.
#pragma once

#include <elf.h>

#include <string>

#include "fsload/rules.h"

namespace fsload {

// Returns whether a finding of `rule` says that a file is for another
// processor.
bool IsAboutProcessor(RuleId rule);

// Returns the name of the processor that a file of either word size and byte
// order is for, as in the names of wheels: "aarch64", "ppc64le"; for one that
// has none here, its number in the header: "ELF machine 4711 (32-bit,
// big-endian)". `header` begins alike in all of them.
std::string ProcessorOf(const Elf64_Ehdr& header);

}  // namespace fsload
