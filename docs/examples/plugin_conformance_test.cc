// A plugin author's own test program: the conformance suite against one plugin.
#include <gtest/gtest.h>

#include "fsload/conformance_gtest.h"

FSLOAD_CONFORMANCE_TESTS(Posix, "testdata/posix.so",
                         "posix://" + ::testing::TempDir() + "conformance");

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
