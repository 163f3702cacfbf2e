#include "tools/files/verb_runner.h"

#include "tools/files/interruption.h"
#include "tools/session.h"

namespace fsload {

int RunVerb(const std::string& name, const VerbOptions& options,
            const Verb& verb) {
  CatchInterruptions();
  VerbOutput output(name, options.json);
  {
    Session session({}, options.calls.get());
    VerbRun run(session, options, output);
    verb(run);
  }
  if (options.continue_on_error && output.failures() > 0) {
    output.Note(std::to_string(output.failures()) + " failed\n", "summary",
                {{"failures", output.failures()}});
  }
  return output.exit_code();
}

}  // namespace fsload
