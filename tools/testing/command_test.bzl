"""command_test: a test of the command in Python (command.py)."""

def command_test(name, srcs = None, args = [], plugins = [], data = [], **kwargs):
    """Declares a test that runs NAME.py with the command's path.

    Args:
      name: of the test.
      srcs: in place of NAME.py.
      args: that follow the command's path.
      plugins: names in testdata, such as "minimal.so" or "broken", a family.
      data: other files.
      **kwargs: arguments of sh_test.
    """
    native.sh_test(
        name = name,
        srcs = srcs or [name + ".py"],
        args = ["$(rootpath //tools:fsload)"] + args,
        data = [
            "//tools:fsload",
            "//tools/testing:command.py",
        ] + ["//testdata:" + plugin for plugin in plugins] + data,
        env = {"PYTHONPATH": "tools/testing"},
        **kwargs
    )
