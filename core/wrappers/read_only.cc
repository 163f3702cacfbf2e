#include "fsload/read_only.h"

#include <memory>
#include <utility>

#include "core/tables/operations.h"
#include "core/wrappers/layer.h"

namespace fsload {
namespace {

class ReadOnlyLayer final : public Layer {
 public:
  using Layer::Layer;

  // What `inner` lacks is refused as well: its default would first ask, and
  // then fail with the name of a temporary file.
  bool Has(Op op) const override { return !Asks(op) || Layer::Has(op); }

  PluginTraits Traits() const override {
    PluginTraits traits = Layer::Traits();
    traits.refuses_changes = true;
    return traits;
  }

  void Pass(LayerCall& call) const override {
    if (Asks(call.op)) return call.Forward();
    TF_SetStatus(call.status, TF_PERMISSION_DENIED,
                 "the file system is read-only; nothing was changed");
  }
};

}  // namespace

absl::StatusOr<FileSystemPtr> ReadOnly(FileSystemPtr inner) {
  const absl::Status checked = CheckInner(inner, "ReadOnly");
  if (!checked.ok()) return checked;
  return MakeLayered(std::make_unique<ReadOnlyLayer>(std::move(inner)),
                     "read-only");
}

}  // namespace fsload
