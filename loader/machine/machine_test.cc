#include "loader/machine/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace fsload {
namespace {

using ::testing::ElementsAre;

// So that no byte of an address is another's.
const void* const kTarget = reinterpret_cast<const void*>(0x1122334455667788);
const void* const kArgument = reinterpret_cast<const void*>(0x99aabbccddeeff01);

std::vector<uint32_t> WordsOf(const std::string& code) {
  std::vector<uint32_t> words(code.size() / sizeof(uint32_t));
  std::memcpy(words.data(), code.data(), words.size() * sizeof(uint32_t));
  return words;
}

TEST(MachineTest, IsThisOne) {
  EXPECT_EQ(FindMachine(ThisMachine().elf), &ThisMachine());
  EXPECT_EQ(FindMachine(EM_AARCH64), &kAarch64);
  EXPECT_EQ(FindMachine(EM_X86_64), &kX86_64);
  EXPECT_EQ(FindMachine(EM_RISCV), nullptr);
}

TEST(MachineTest, KnowsRelocationsByItsOwnNumbers) {
  EXPECT_TRUE(kX86_64.IsKnownRelocation(R_X86_64_JUMP_SLOT));
  EXPECT_FALSE(kX86_64.IsKnownRelocation(R_AARCH64_JUMP_SLOT));
  EXPECT_TRUE(kAarch64.IsKnownRelocation(R_AARCH64_TLSDESC));
  EXPECT_FALSE(kAarch64.IsKnownRelocation(R_X86_64_JUMP_SLOT));
  for (const Machine* machine : {&kX86_64, &kAarch64}) {
    for (const uint32_t kind :
         {machine->pointer, machine->global_slot, machine->call_slot}) {
      EXPECT_TRUE(machine->IsKnownRelocation(kind)) << machine->name;
      EXPECT_TRUE(machine->StoresSymbolAddress(kind)) << machine->name;
    }
    EXPECT_FALSE(machine->StoresSymbolAddress(0)) << machine->name;
  }
}

// As llvm-mc and objdump print them.
TEST(MachineTest, WritesCodeForAarch64) {
  std::string trampoline;
  kAarch64.append_trampoline(kTarget, trampoline);
  EXPECT_THAT(WordsOf(trampoline),
              ElementsAre(0xd503245f,  // bti c
                          0x58000071,  // ldr x17, #12
                          0xd61f0220,  // br x17
                          0xd4200000,  // brk #0
                          0x55667788, 0x11223344));
  std::string stub;
  kAarch64.append_stub(kTarget, kArgument, stub);
  EXPECT_THAT(WordsOf(stub),
              ElementsAre(0xd503245f,  // bti c
                          0x58000060,  // ldr x0, #12
                          0x58000091,  // ldr x17, #16
                          0xd61f0220,  // br x17
                          0xddeeff01, 0x99aabbcc, 0x55667788, 0x11223344));
}

// Code of these two lies in arrays, whose elements must stay aligned.
TEST(MachineTest, WritesFunctionsOfWholeWords) {
  for (const Machine* machine : {&kX86_64, &kAarch64}) {
    std::string code;
    machine->append_trampoline(kTarget, code);
    EXPECT_EQ(code.size() % 8, 0) << machine->name;
    machine->append_stub(kTarget, kArgument, code);
    EXPECT_EQ(code.size() % 8, 0) << machine->name;
  }
}

}  // namespace
}  // namespace fsload
