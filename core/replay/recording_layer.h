// The layer that records what passes it.
#ifndef FSLOAD_CORE_REPLAY_RECORDING_LAYER_H_
#define FSLOAD_CORE_REPLAY_RECORDING_LAYER_H_

#include <cstdint>
#include <memory>

#include "core/replay/journal_file.h"
#include "core/replay/token_numbers.h"
#include "core/wrappers/layer.h"
#include "fsload/file_system.h"

namespace fsload {

class Recorder;

// Thread-safe.
class RecordingLayer final : public Layer {
 public:
  // Records into `file`, which `recorder` owns; `number` is that of `inner` in
  // the journal.
  RecordingLayer(FileSystemPtr inner, std::shared_ptr<Recorder> recorder,
                 JournalFile& file, uint64_t number);

  // Has all that the plugin has, as the journal says.
  bool Has(Op op) const override;

  void Pass(LayerCall& call) const override { Record(call); }
  void PassPlainly(LayerCall& call) const override { Record(call); }

 private:
  void Record(LayerCall& call) const;

  const std::shared_ptr<Recorder> recorder_;
  JournalFile& file_;
  const uint64_t number_;
  mutable TokenNumbers tokens_;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_REPLAY_RECORDING_LAYER_H_
