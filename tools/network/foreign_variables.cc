#include "tools/network/foreign_variables.h"

#include <string>
#include <string_view>
#include <vector>

#include "compat/environment.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Of two with the same own variable, the first one counts.
constexpr ForeignVariable kVariables[] = {
    {"s3", "AWS_ENDPOINT_URL_S3", "S3_ENDPOINT", ""},
    {"s3", "AWS_ENDPOINT_URL", "S3_ENDPOINT", ""},
    {"s3", "AWS_DEFAULT_REGION", "AWS_REGION", ""},
    {"s3", "AWS_CA_BUNDLE", "S3_CA_FILE", ""},
    {"s3", "REQUESTS_CA_BUNDLE", nullptr, "set S3_CA_FILE to that file"},
    {"s3", "AWS_NO_SIGN_REQUEST", nullptr,
     "it signs each request, so use https:// for a public object"},
    {"gs", "STORAGE_EMULATOR_HOST", "CLOUD_STORAGE_EMULATOR_ENDPOINT", ""},
    {"gs", "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE",
     "GOOGLE_APPLICATION_CREDENTIALS", ""},
    {"gs", "CLOUDSDK_AUTH_ACCESS_TOKEN", nullptr,
     "set GOOGLE_APPLICATION_CREDENTIALS to a file with credentials"},
    {"gs", "REQUESTS_CA_BUNDLE", nullptr, "set SSL_CERT_FILE to that file"},
    {"az", "AZURE_STORAGE_KEY", "TF_AZURE_STORAGE_KEY", ""},
    {"az", "AZURE_STORAGE_SAS_TOKEN", "TF_AZURE_STORAGE_SAS", ""},
    {"az", "AZURE_STORAGE_CONNECTION_STRING", nullptr,
     "set TF_AZURE_STORAGE_KEY to its AccountKey, and "
     "TF_AZURE_STORAGE_BLOB_ENDPOINT to the host of its BlobEndpoint"},
    {"http", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", ""},
    {"https", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", ""},
};

bool IsSame(const char* a, const char* b) {
  return a != nullptr && b != nullptr && std::string_view(a) == b;
}

}  // namespace

absl::Span<const ForeignVariable> ForeignVariables() { return kVariables; }

void HandOnForeignVariables() {
  for (const ForeignVariable& each : kVariables) {
    const char* const value = EnvironmentVariable(each.name);
    if (each.own == nullptr || value == nullptr) continue;
    SetMissingEnvironmentVariable(each.own, value);
  }
}

std::string WithOrigin(const char* own) {
  for (const ForeignVariable& each : kVariables) {
    if (IsSame(each.own, own) &&
        IsSame(EnvironmentVariable(each.name), EnvironmentVariable(own))) {
      return Format("{} (from {})", own, each.name);
    }
  }
  return own;
}

std::vector<std::string> IgnoredVariables(std::string_view scheme) {
  std::vector<std::string> sentences;
  for (const ForeignVariable& each : kVariables) {
    const char* const value = EnvironmentVariable(each.name);
    if (each.scheme != scheme || value == nullptr) continue;
    if (each.own == nullptr) {
      sentences.push_back(
          Format("{} is set, but the {} plugin does not read it: {}", each.name,
                 scheme, each.instead));
    } else if (!IsSame(value, EnvironmentVariable(each.own))) {
      sentences.push_back(
          Format("{} is set, but {} counts", each.name, each.own));
    }
  }
  return sentences;
}

}  // namespace fsload
