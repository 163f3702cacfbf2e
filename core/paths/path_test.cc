#include "core/paths/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/paths/uri.h"

namespace fsload {
namespace {

TEST(PathTest, CleansPathsAsTensorFlowDoes) {
  constexpr struct {
    std::string_view path, clean;
  } kCases[] = {
      {"", "."},
      {".", "."},
      {"./", "."},
      {"./.", "."},
      {"/", "/"},
      {"//", "/"},
      {"///", "/"},
      {"/.", "/"},
      {"/..", "/"},
      {"/../..", "/"},
      {"/../a", "/a"},
      {"a", "a"},
      {"a/", "a"},
      {"a//b", "a/b"},
      {"/a", "/a"},
      {"/a/b/", "/a/b"},
      {"//a///b//", "/a/b"},
      {"/a/./b/.", "/a/b"},
      {"./a", "a"},
      {"a/..", "."},
      {"a/../", "."},
      {"a/../b", "b"},
      {"a/b/../../c", "c"},
      {"/a/..", "/"},
      {"/a/../..", "/"},
      {"/a/b/../c", "/a/c"},
      {"..", ".."},
      {"../", ".."},
      {"../..", "../.."},
      {"../a/..", ".."},
      {"../a/../..", "../.."},
      {"a/../..", ".."},
      {"a/../../b", "../b"},
      {".../a", ".../a"},
      {"a/...", "a/..."},
      {"..a/b", "..a/b"},
      {"a../b", "a../b"},
      {".a", ".a"},
      {"a.", "a."},
      {"a/.b/..", "a"},
      {" ", " "},
      {"a b/\xc3\xa9", "a b/\xc3\xa9"},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(CleanPath(each.path), each.clean) << "'" << each.path << "'";
  }
}

TEST(PathTest, WritesNoMoreThanOneByteMoreThanThePathHas) {
  for (const std::string_view path : {"", "a", "..", "a/b", "/", "../.."}) {
    std::string room(path.size() + 2, '#');
    const size_t written = CleanPathInto(path, room.data());
    EXPECT_EQ(room.substr(0, written), CleanPath(path));
    EXPECT_EQ(room.back(), '#') << path;
  }
}

// The meaning of a path, component by component.
std::string Resolve(std::string_view path) {
  const bool absolute = !path.empty() && path.front() == '/';
  std::vector<std::string> parts;
  std::string part;
  for (const char c : std::string(path) + "/") {
    if (c != '/') {
      part += c;
      continue;
    }
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!part.empty() && part != "." && !(part == ".." && absolute)) {
      parts.push_back(part);
    }
    part.clear();
  }
  std::string resolved = absolute ? "/" : "";
  for (size_t i = 0; i < parts.size(); ++i) {
    resolved += (i == 0 ? "" : "/") + parts[i];
  }
  return resolved.empty() ? "." : resolved;
}

TEST(PathTest, KeepsTheMeaningAndShortensAndIsDoneAfterOneTime) {
  std::mt19937 random(20200117);
  for (int i = 0; i < 100'000; ++i) {
    std::string path(random() % 24, '\0');
    for (char& c : path) c = "/.ab"[random() % 4];
    const std::string clean = CleanPath(path);
    ASSERT_EQ(clean, Resolve(path)) << path;
    ASSERT_EQ(CleanPath(clean), clean) << path;
    ASSERT_LE(clean.size(), std::max<size_t>(1, path.size())) << path;
  }
}

TEST(PathTest, JoinsWithOneSlash) {
  constexpr struct {
    std::string_view folder, path, joined;
  } kCases[] = {{"/a", "b", "/a/b"},
                {"/a/", "b", "/a/b"},
                {"/a", "/b", "/a/b"},
                {"/a/", "/b", "/a/b"},
                {"", "b", "b"},
                {"", "/b", "/b"},
                {"/a", "", "/a"},
                {"", "", ""},
                {"/", "b", "/b"},
                {"a//", "//b", "a///b"},
                {"s3://b", "k", "s3://b/k"}};
  for (const auto& each : kCases) {
    EXPECT_EQ(JoinPath(each.folder, each.path), each.joined)
        << each.folder << " + " << each.path;
  }
}

// Whatever is copied equals the result of CleanPath, for a URI without null
// bytes.
void ExpectCopiedOnlyIfClean(const std::string& uri) {
  std::string out(uri.size() + kCopySlack, '#');
  const size_t length = CopyCleanPath(uri, SchemeOf(uri).size(), out.data());
  if (length == 0) return;
  EXPECT_EQ(uri.find('\0'), std::string::npos) << uri;
  EXPECT_EQ(out.substr(0, length), ParseUri(uri).path) << uri;
  EXPECT_EQ(out.substr(0, length), CleanPath(ParseUri(uri).path)) << uri;
}

TEST(PathTest, CopiesOnlyWhatIsClean) {
  // All endings of five bytes, after beginnings of all block lengths.
  constexpr std::string_view kBytes("a/.\0", 4);
  constexpr int kEndings = 4 * 4 * 4 * 4 * 4;
  for (size_t before = 0; before < 72; ++before) {
    for (int i = 0; i < kEndings; ++i) {
      std::string ending;
      for (int rest = i; ending.size() < 5; rest /= 4) {
        ending += kBytes[rest % 4];
      }
      const std::string path = std::string(before, 'b') + ending;
      ExpectCopiedOnlyIfClean(path);
      ExpectCopiedOnlyIfClean("/" + path);
      ExpectCopiedOnlyIfClean("s3://h/" + path);
      ExpectCopiedOnlyIfClean("/" + path + std::string(before, 'b'));
    }
  }
}

TEST(PathTest, CopiesWhatMostPathsAre) {
  for (size_t bytes = 1; bytes < 300; ++bytes) {
    std::string path;
    while (path.size() < bytes) path += "/some_file.txt";
    path.resize(bytes - 1);
    path += 'f';
    for (const std::string prefix : {"", "s3://", "gs://a-bucket.of-mine"}) {
      if (!prefix.empty() && path[0] != '/') continue;
      const std::string uri = prefix + path;
      std::string out(uri.size() + kCopySlack, '#');
      ASSERT_EQ(CopyCleanPath(uri, SchemeOf(uri).size(), out.data()), bytes)
          << path;
      EXPECT_EQ(out.substr(0, bytes), path);
    }
  }
}

TEST(PathTest, TakesPathsApart) {
  constexpr struct {
    std::string_view uri, dirname, basename;
  } kCases[] = {{"/a/b.txt", "/a", "b.txt"},
                {"/a", "/", "a"},
                {"a", "", "a"},
                {"/", "/", ""},
                {"", "", ""},
                {"/a/", "/a", ""},
                {"a/b", "a", "b"},
                {"/a.d/b", "/a.d", "b"},
                {"/a/.hidden", "/a", ".hidden"},
                {"/a/b.", "/a", "b."},
                {"/a/b.tar.gz", "/a", "b.tar.gz"},
                {"s3://b/k/f.x", "s3://b/k", "f.x"},
                {"s3://b/f", "s3://b/", "f"},
                {"s3://b", "s3://b", ""},
                {"hdfs://host.name:8020", "hdfs://host.name:8020", ""}};
  for (const auto& each : kCases) {
    EXPECT_EQ(Dirname(each.uri), each.dirname) << each.uri;
    EXPECT_EQ(Basename(each.uri), each.basename) << each.uri;
  }
}

}  // namespace
}  // namespace fsload
