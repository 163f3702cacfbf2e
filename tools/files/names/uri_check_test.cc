#include "core/walk/uri_check.h"

#include <string>

#include "absl/status/status.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/files/testing/key_store.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

TEST(UriCheckTest, RefusesWhatNamesNoObjectOrAnother) {
  struct Case {
    const char* scheme;
    const char* uri;
    const char* message;  // "": no error
  };
  for (const Case& each : {
           Case{"s3", "s3:///b/f", "write s3://BUCKET/b/f"},
           Case{"s3", "s3:///",
                "s3://: no bucket is named, and the s3 plugin cannot list "
                "buckets; write s3://BUCKET, or list them with `aws s3 ls`"},
           Case{"gs", "gs:///", "with `gcloud storage ls`"},
           Case{"s3", "s3://*/f", "a bucket cannot be a pattern"},
           Case{"gs", "gs:///b", "no bucket is named after 'gs://'"},
           Case{"az", "az:///b", "no account is named after 'az://'"},
           Case{"az", "az://a/", "no container is named, and the az plugin"},
           Case{"az", "az://a", "write az://a/CONTAINER, or list them with"},
           Case{"az", "az://a//b", "no container is named"},
           Case{"oss", "oss:///b/f", "no bucket is named after 'oss://'"},
           Case{"new", "new:///b", ""},
           Case{"new", "new:///", ""},
           Case{"new", "new:///b//", "the path has an empty component"},
           Case{"s3", "s3://b/d//f", "the path has an empty component"},
           Case{"s3", "s3://b//", "the path has an empty component"},
           Case{"s3", "s3://b/", ""},
           Case{"s3", "s3://b/d/", ""},
           Case{"gs", "gs://b/d//f", ""},  // it requests exactly this
           Case{"gs", "gs://b/d//", "the path has an empty component"},
           Case{"s3", "s3://b/..", "the path contains '.' or '..'"},
           Case{"gs", "gs://b/d/../f", "the path contains '.' or '..'"},
           Case{"az", "az://a/c/./f", "the path contains '.' or '..'"},
           Case{"hdfs", "hdfs://h/../f", "the path contains '.' or '..'"},
           Case{"s3", "s3://b/..d/e../.f", ""},
           Case{"s3", "s3://b/\xc3\xa9", ""},
           Case{"s3", "s3://b/\xe9", "the name is not UTF-8"},
           Case{"new", "new:///b/\xe9", ""},
           Case{"hdfs", "hdfs://h/d//", ""},
           Case{"hdfs", "hdfs:///f", ""},
           Case{"viewfs", "viewfs:///f", ""},
           Case{"har", "har:///f", ""},
       }) {
    KeyStore store(each.scheme);
    const absl::Status status = CheckUri(*store.Open(), each.uri);
    if (*each.message == '\0') {
      EXPECT_EQ(status, absl::OkStatus()) << each.uri;
      EXPECT_EQ(store.translations[each.uri], 1) << each.uri;
    } else {
      EXPECT_TRUE(absl::IsInvalidArgument(status)) << each.uri;
      EXPECT_THAT(std::string(status.message()), HasSubstr(each.message));
    }
    EXPECT_EQ(store.calls(), 0) << each.uri;
  }
}

TEST(UriCheckTest, LetsPluginsWhosePathsNameNoHostHaveAny) {
  KeyStore store("mem");
  store.keeps_host = false;
  EXPECT_EQ(CheckUri(*store.Open(), "mem:///a//b"), absl::OkStatus());
  EXPECT_EQ(CheckUri(*store.Open(), "mem://localhost/a/../b"),
            absl::OkStatus());
  EXPECT_TRUE(absl::IsInvalidArgument(CheckUri(*store.Open(), "mem://h/a/..")));
}

}  // namespace
}  // namespace fsload
