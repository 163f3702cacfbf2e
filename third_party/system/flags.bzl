"""A build setting."""

def _bool_flag_impl(_ctx):
    return []

bool_flag = rule(
    doc = "Set on the command line, or by a transition.",
    implementation = _bool_flag_impl,
    build_setting = config.bool(flag = True),
)
