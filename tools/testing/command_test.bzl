"""command_test: a test of the command in Python (command.py)."""

def command_test(
        name,
        srcs = None,
        args = [],
        plugins = [],
        data = [],
        isolated = None,
        **kwargs):
    """Declares a test that runs NAME.py with the command's path.

    Args:
      name: of the test.
      srcs: in place of NAME.py.
      args: that follow the command's path.
      plugins: names in testdata, such as "minimal.so" or "broken", a family.
      data: other files.
      isolated: the name of the same with plugins in processes of their own, another test.
      **kwargs: arguments of sh_test.
    """
    environment = {"PYTHONPATH": "tools/testing"}
    tests = {name: environment}
    if isolated:
        tests[isolated] = dict(environment, FSLOAD_TEST_ISOLATE = "1")
    for test, env in tests.items():
        native.sh_test(
            name = test,
            srcs = srcs or [name + ".py"],
            args = ["$(rootpath //tools:fsload)"] + args,
            data = [
                "//tools:fsload",
                "//tools/testing:command.py",
            ] + ["//testdata:" + plugin for plugin in plugins] + data,
            env = env,
            **kwargs
        )
