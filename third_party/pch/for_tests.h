// Headers that tests include besides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
