#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hdfs_model {

// Returns the absolute path that Hadoop takes from `text`: what precedes the
// second slash is dropped from "//host/path", "." and ".." are resolved, and
// repeated slashes are one. Throws for what names no file of HDFS.
std::string ParsePath(const char* text);

// Returns the names between the slashes of an absolute path; none for "/".
std::vector<std::string> NamesIn(std::string_view path);

}  // namespace hdfs_model
