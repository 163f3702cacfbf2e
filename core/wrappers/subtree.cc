#include "fsload/subtree.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/optimization.h"
#include "core/calls/translated_path.h"
#include "core/paths/bucket.h"
#include "core/paths/uri.h"
#include "core/wrappers/layer.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kTranslate = Op::kFilesystem_translate_name;

// `path` without '/' at its end; a scheme and its "://" stay whole.
std::string_view WithoutSlashes(std::string_view path) {
  const size_t scheme = SchemeBytesOf(path);
  const size_t least = scheme == 0 ? 0 : scheme + 3;
  while (path.size() > least && path.back() == '/') path.remove_suffix(1);
  return path;
}

bool HasParentComponent(std::string_view path) {
  if (path.find("..") == std::string_view::npos) return false;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    if (name == "..") return true;
    path.remove_prefix(std::min(name.size() + 1, path.size()));
  }
  return false;
}

// `root` without '/' at its end, unless it is nothing else.
std::string_view RootOf(std::string_view root) {
  const std::string_view shorter = WithoutSlashes(root);
  return ParseUri(shorter).path.empty() ? root : shorter;
}

// A URI of the inner file system as its plugin sees it.
struct Inside {
  Inside(const PluginOps& ops, std::string inner_uri)
      : uri(std::move(inner_uri)),
        path(ops.tables(), ops.filesystem(), kTranslate, uri,
             SchemeBytesOf(uri)) {}

  const std::string uri;
  const TranslatedPath path;
};

class SubtreeLayer final : public Layer {
 public:
  // `root` is a URI of `inner`, and `canonical` what its plugin makes of it.
  SubtreeLayer(FileSystemPtr inner, std::string_view root,
               std::string_view canonical)
      : Layer(std::move(inner)),
        root_(RootOf(root)),
        before_(WithoutSlashes(root)),
        canonical_(WithoutSlashes(canonical)) {}

  // A glob of the plugin's own has its own idea of "..", and a creation of
  // several levels begins above the root.
  bool Has(Op op) const override {
    return op == kTranslate ||
           (op != Op::kFilesystem_get_matching_paths &&
            op != Op::kFilesystem_recursively_create_dir && Layer::Has(op));
  }

  void Pass(LayerCall& call) const override { Enter(call, 0); }

  PluginTraits Traits() const override {
    PluginTraits traits = Layer::Traits();
    traits.has_local_paths = false;
    traits.has_other_paths = true;
    if (!canonical_.empty()) traits.root_is_bucket = IsBucketRoot(canonical_);
    return traits;
  }

  // A path that is refused stays as it is, for the operation to refuse: there
  // is no status here.
  char* TranslateName(const char* uri) const override {
    const Uri parts = ParseUri(uri);
    if (*uri == '\0' || !parts.host.empty()) return Copy(uri);
    const std::string_view path = parts.path.empty() ? "/" : parts.path;
    const Inside inside(ops(), UriOf(path));
    const std::string_view canonical = inside.path.c_str();
    if (!inside.path.status().ok() || !Contains(canonical)) return Copy(path);
    const std::string_view below = canonical.substr(canonical_.size());
    return Copy(below.empty() ? "/" : below);
  }

  // Whether `path`, which the plugin sees, is the root or below it.
  bool Contains(std::string_view path) const {
    if (path.empty() || path.substr(0, canonical_.size()) != canonical_) {
      return false;
    }
    const std::string_view rest = path.substr(canonical_.size());
    const bool below = canonical_.empty() || rest.empty() || rest[0] == '/';
    return below && !HasParentComponent(rest);
  }

 private:
  // What is at `path`, a path of the subtree, as a URI of the inner one.
  std::string UriOf(std::string_view path) const {
    if (!path.empty() && path.front() == '/') path.remove_prefix(1);
    if (path.empty()) return root_;
    std::string uri;
    uri.reserve(before_.size() + 1 + path.size());
    return uri.append(before_).append(1, '/').append(path);
  }

  // Makes the call with its paths from number `i` on as the plugin sees them;
  // refuses it if one of them is not in the subtree.
  void Enter(LayerCall& call, size_t i) const {
    if (i == 2 || call.paths[i] == nullptr) {
      call.Forward();
      if (ABSL_PREDICT_FALSE(call.code() != TF_OK)) CutRootOut(call);
      return;
    }
    const std::string_view path = call.paths[i];
    if (path.empty()) {
      return Refuse(call, TF_NOT_FOUND, "the path is empty");
    }
    if (SchemeBytesOf(path) != 0) {
      return Refuse(call, TF_INVALID_ARGUMENT,
                    Format("a subtree has no hosts; write '{}:///...'",
                           ParseUri(path).scheme));
    }
    const Inside inside(ops(), UriOf(path));
    const absl::Status& status = inside.path.status();
    if (!status.ok()) {
      Refuse(call, static_cast<TF_Code>(status.code()),
             std::string(status.message()));
      return CutRootOut(call);
    }
    if (!Contains(inside.path.c_str())) {
      return Refuse(call, TF_PERMISSION_DENIED,
                    Format("'{}' leads out of the subtree", path));
    }
    call.paths[i] = inside.path.c_str();
    Enter(call, i + 1);
  }

  static void Refuse(LayerCall& call, TF_Code code, const std::string& why) {
    TF_SetStatus(call.status, code, why.c_str());
  }

  // Cuts the root out of the paths in a plugin's message.
  void CutRootOut(LayerCall& call) const {
    if (canonical_.empty()) return;
    std::string message = TF_Message(call.status);
    const auto is_in_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             std::strchr("/._-", c) != nullptr;
    };
    for (size_t at = message.find(canonical_); at != std::string::npos;
         at = message.find(canonical_, at + 1)) {
      const size_t end = at + canonical_.size();
      const bool begins = at == 0 || !is_in_name(message[at - 1]);
      const char next = end < message.size() ? message[end] : ' ';
      if (!begins || (next != '/' && is_in_name(next))) continue;
      message.replace(at, canonical_.size(), next == '/' ? "" : "/");
    }
    if (message != TF_Message(call.status)) SetMessage(call.status, message);
  }

  // In the plugin's memory, as its host expects; null if there is none.
  char* Copy(std::string_view text) const {
    char* const copy =
        static_cast<char*>(tables().memory.allocate(text.size() + 1));
    if (copy == nullptr) return nullptr;
    text.copy(copy, text.size());
    copy[text.size()] = '\0';
    return copy;
  }

  const std::string root_;       // its URI in the inner file system
  const std::string before_;     // the same without '/' at its end
  const std::string canonical_;  // without '/' at its end
};

absl::Status BadRoot(std::string_view root, std::string_view problem) {
  return InvalidArgumentError("{}: cannot be the root of a subtree: {}", root,
                              problem);
}

}  // namespace

absl::StatusOr<FileSystemPtr> Subtree(FileSystemPtr inner,
                                      std::string_view root,
                                      std::string scheme) {
  absl::Status checked = CheckInner(inner, "Subtree");
  if (!checked.ok()) return checked;
  if (!IsScheme(scheme) || scheme.size() >= SchemeTables::kMaxSchemeBytes) {
    return InvalidArgumentError(
        "Subtree: '{}' is not a scheme: letters, digits and dots, 2 to {} of "
        "them, a letter first",
        scheme, SchemeTables::kMaxSchemeBytes - 1);
  }
  const PluginOps& ops = PluginFileSystem::Of(*inner).ops();
  checked = ops.Serves(kTranslate, root);
  if (!checked.ok()) return checked;
  if (SchemeBytesOf(root) == 0 && (root.empty() || root.front() != '/')) {
    return BadRoot(root, "it is relative; write an absolute path or a URI");
  }
  const Inside top(ops, std::string(RootOf(root)));
  if (!top.path.status().ok()) return top.path.status();
  const std::string canonical = top.path.c_str();
  if (canonical.empty() || HasParentComponent(canonical)) {
    return BadRoot(root, Format("the plugin makes it '{}'", canonical));
  }
  std::string what = Format("subtree {}", root);
  auto layer =
      std::make_unique<SubtreeLayer>(std::move(inner), root, canonical);
  return MakeLayered(std::move(layer), what, std::move(scheme));
}

}  // namespace fsload
