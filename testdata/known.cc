// An exported function whose name makes a plugin known, like one of a published
// plugin (KnownPlugin::symbol in loader/known_plugins/known_plugins.h), or as
// fsload's own: what is copied from testdata/posix does not have it.
namespace KNOWN_AS {

__attribute__((visibility("default"))) int Known() { return 0; }

}  // namespace KNOWN_AS
