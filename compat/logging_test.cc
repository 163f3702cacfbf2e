#include "fsload/logging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "compat/captured_output.h"
#include "compat/log_format.h"
#include "fsload/log_sink.h"

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Format(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string text = fsload::FormatLog(format, arguments);
  va_end(arguments);
  return text;
}

// Compares the output of fsload's formatting with the C library's.
#define EXPECT_LIKE_PRINTF(...)                               \
  do {                                                        \
    char expected[8192];                                      \
    std::snprintf(expected, sizeof(expected), __VA_ARGS__);   \
    EXPECT_EQ(Format(__VA_ARGS__), expected) << #__VA_ARGS__; \
  } while (false)

TEST(LogFormatTest, FormatsIntegersAsPrintfDoes) {
  EXPECT_LIKE_PRINTF("%d %i %u", -1, INT_MIN, UINT_MAX);
  EXPECT_LIKE_PRINTF("%x %X %o %#x", 0xbeef, 0xbeef, 8, 255);
  EXPECT_LIKE_PRINTF("%ld %lu %lld %llu", LONG_MIN, ULONG_MAX, LLONG_MAX,
                     ULLONG_MAX);
  EXPECT_LIKE_PRINTF("%zu %jd %td %zx", SIZE_MAX, INTMAX_MIN, PTRDIFF_MIN,
                     SIZE_MAX);
  EXPECT_LIKE_PRINTF("%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42);
  EXPECT_LIKE_PRINTF("%.3d|%8.3d|%-8.3d|%.0d|%.d", 7, 7, 7, 0, 0);
}

TEST(LogFormatTest, ReducesShortIntegersAsPrintfDoes) {
  EXPECT_LIKE_PRINTF("%hd %hu %hhd %hhu %hhx", 70000, 70000, 300, 300, 0x1ff);
}

TEST(LogFormatTest, FormatsFloatingPointAsPrintfDoes) {
  EXPECT_LIKE_PRINTF("%f %e %g %a %F %E %G", 1.5, 1e300, 1e-5, 0.1, 2.0, 3.0,
                     4.0);
  EXPECT_LIKE_PRINTF("%8.3f|%-8.1f|%+.0f|%.10g", 3.14159, 2.5, 1.0, 1.0 / 3);
  EXPECT_LIKE_PRINTF("%Lf %.2Le", 1.25L, 1e100L);
  EXPECT_LIKE_PRINTF("%f %f", 1.0 / 0.0, 1e308);
}

TEST(LogFormatTest, FormatsTextAsPrintfDoes) {
  EXPECT_LIKE_PRINTF("%s and %s", "one", "");
  EXPECT_LIKE_PRINTF("%10s|%-10s|%.2s|%10.2s", "abc", "abc", "abc", "abc");
  EXPECT_LIKE_PRINTF("%c%c%5c", 'a', 'b', 'c');
  EXPECT_LIKE_PRINTF("100%% of %s", "it");
  EXPECT_LIKE_PRINTF("%p", reinterpret_cast<void*>(uintptr_t{0x1234}));
  EXPECT_LIKE_PRINTF("no conversion");
}

TEST(LogFormatTest, TakesSizesFromTheArgumentsAsPrintfDoes) {
  EXPECT_LIKE_PRINTF("%*d|%-*d|%*d", 6, 1, 6, 2, -6, 3);
  EXPECT_LIKE_PRINTF("%.*s|%*.*s", 2, "abc", 8, 2, "abc");
  EXPECT_LIKE_PRINTF("%.*s|%.*d", -1, "abc", -5, 7);
}

TEST(LogFormatTest, ReadsNoMoreOfATextThanItsPrecision) {
  const char unterminated[3] = {'a', 'b', 'c'};
  EXPECT_EQ(Format("%.3s", unterminated), "abc");
}

TEST(LogFormatTest, ReadsATextThatEndsWithItsPage) {
  const size_t page = sysconf(_SC_PAGESIZE);
  void* memory = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  char* end = static_cast<char*>(memory) + page;
  munmap(end, page);
  end[-3] = 'h';
  end[-2] = 'i';
  EXPECT_EQ(Format("%s", end - 3), "hi");
  end[-1] = '!';
  EXPECT_EQ(Format("%s", end - 3), "(unreadable)");
  munmap(memory, page);
}

TEST(LogFormatTest, NeverObeysN) {
  int written = 42;
  EXPECT_EQ(Format("abc%n", &written), "abc%n");
  EXPECT_EQ(written, 42);
  EXPECT_EQ(Format("abc%hhn%5lln"), "abc%hhn%5lln");
}

TEST(LogFormatTest, PrintsGarbageInPlaceOfTextAsUnreadable) {
  for (const uintptr_t garbage :
       {uintptr_t{1}, uintptr_t{0xdeadbeef}, UINTPTR_MAX, uintptr_t{1} << 63}) {
    EXPECT_EQ(Format("%s", garbage), "(unreadable)");
  }
}

TEST(LogFormatTest, PrintsANullTextAsNull) {
  EXPECT_EQ(Format("%s", static_cast<char*>(nullptr)), "(null)");
}

TEST(LogFormatTest, PrintsANullFormatAsNull) {
  EXPECT_EQ(Format(nullptr), "(null)");
}

TEST(LogFormatTest, SurvivesMissingArguments) {
  EXPECT_THAT(Format("/bucket/100%s/%d/%s%s%s%s%s%s%s%s"),
              StartsWith("/bucket/100"));
}

TEST(LogFormatTest, PrintsAFormatThatEndsWithinAConversionAsItStands) {
  for (const char* format : {"50%", "%", "%l", "%-08.3ll", "%%%"}) {
    EXPECT_THAT(Format(format), HasSubstr("%"));
  }
  EXPECT_EQ(Format("50%"), "50%");
  EXPECT_EQ(Format("%.3ll"), "%.3ll");
}

TEST(LogFormatTest, PrintsUnknownConversionsAsTheyStand) {
  EXPECT_EQ(Format("%y %5! %é"), "%y %5! %é");
}

TEST(LogFormatTest, BoundsTheWidthOfAField) {
  EXPECT_EQ(Format("%999999999999d", 1).size(), 4096);
  EXPECT_EQ(Format("%*d", INT_MAX, 1).size(), 4096);
  EXPECT_EQ(Format("%*d", INT_MIN, 1).size(), 4096);
  EXPECT_EQ(Format("%.999999999999d", 1).size(), 4096);
  EXPECT_EQ(Format("%2147483648s", "x").size(), 4096);
}

TEST(LogFormatTest, BoundsALongText) {
  EXPECT_EQ(Format("%s", std::string(100000, 'x').c_str()).size(), 4096);
}

TEST(LogFormatTest, DoesNotBoundTheFormatItself) {
  const std::string format(100000, 'x');
  EXPECT_EQ(Format(format.c_str()), format);
}

TEST(LogFormatTest, PrintsTheConversionsPastTheThirtySecondAsTheyStand) {
  std::string format;
  for (int i = 0; i < 1000; ++i) format += "%d";
  const std::string text = Format(format.c_str());
  EXPECT_EQ(text.size() - text.find('%'), 2 * (1000 - 32));
}

// The standard error output of a statement.
#define STDERR_OF(statement)                        \
  ([&] {                                            \
    fsload::CapturedOutput captured(STDERR_FILENO); \
    static_cast<void>(statement);                   \
    return captured.Stop();                         \
  }())

TEST(LoggingTest, ALineNamesItsLevel) {
  EXPECT_EQ(STDERR_OF(TF_Log(TF_INFO, "a %d", 1)), "fsload: info: a 1\n");
  EXPECT_EQ(STDERR_OF(TF_Log(TF_WARNING, "b")), "fsload: warning: b\n");
  EXPECT_EQ(STDERR_OF(TF_Log(TF_ERROR, "c")), "fsload: error: c\n");
}

TEST(LoggingTest, AFatalLineDoesNotEndTheHost) {
  EXPECT_EQ(STDERR_OF(TF_Log(TF_FATAL, "d")), "fsload: fatal: d\n");
  // A level can hold any int.
  for (const int level : {INT_MIN, -1, 4, INT_MAX}) {
    EXPECT_EQ(STDERR_OF(TF_Log(static_cast<TF_LogLevel>(level), "e")),
              "fsload: fatal: e\n");
  }
}

TEST(LoggingTest, DetailsAreShownAtLevelZeroAndBelow) {
  EXPECT_EQ(STDERR_OF(TF_VLog(0, "v%d", 0)), "fsload: info: v0\n");
  EXPECT_EQ(STDERR_OF(TF_VLog(-1, "v")), "fsload: info: v\n");
  EXPECT_EQ(STDERR_OF(TF_VLog(1, "v")), "");
}

// Appends to `lines`, a vector of strings.
void Keep(const fsload::LogRecord& record, void* lines) {
  const bool host = record.source == fsload::LogSource::kHost;
  static_cast<std::vector<std::string>*>(lines)->push_back(
      std::string(host ? "host " : "plugin ") + std::to_string(record.level) +
      " " + std::string(record.message));
}

TEST(LogSinkTest, GetsTheLinesOfPluginsAndOfTheHost) {
  std::vector<std::string> lines;
  EXPECT_EQ(fsload::SetLogTarget({&Keep, &lines}), fsload::LogTarget());
  TF_Log(TF_FATAL, "a %s%%", "path");
  TF_VLog(0, "shown");
  TF_VLog(1, "not shown");
  fsload::Log(TF_WARNING, "100%s");
  EXPECT_EQ(fsload::SetLogTarget({}), (fsload::LogTarget{&Keep, &lines}));
  EXPECT_THAT(
      lines, ElementsAre("plugin 3 a path%", "plugin 0 shown", "host 1 100%s"));
}

TEST(LogSinkTest, MayThrow) {
  fsload::SetLogTarget({[](const fsload::LogRecord&, void*) { throw 1; }});
  TF_Log(TF_INFO, "lost");
  fsload::SetLogTarget({});
}

TEST(LogSinkTest, IsStandardErrorAtFirst) {
  fsload::CapturedOutput captured(STDERR_FILENO);
  fsload::Log(TF_ERROR, "no room");
  EXPECT_EQ(captured.Stop(), "fsload: error: no room\n");
}

}  // namespace
