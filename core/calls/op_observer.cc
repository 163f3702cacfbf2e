#include "fsload/op_observer.h"

namespace fsload {

void OpObserverList::OnStart(const OpStart& start) {
  for (OpObserver* const each : observers_) each->OnStart(start);
}

void OpObserverList::OnCall(const OpCall& call) {
  for (OpObserver* const each : observers_) each->OnCall(call);
}

}  // namespace fsload
