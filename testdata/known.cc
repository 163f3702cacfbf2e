// An exported function whose name makes a plugin known, like one of a published
// plugin: see KnownPlugin::symbol in loader/known_plugins/known_plugins.h.
namespace KNOWN_AS {

__attribute__((visibility("default"))) int Known() { return 0; }

}  // namespace KNOWN_AS
