"""A journal of a session with a store answers for it when the server is gone."""
import os

from case import case, equal, wanted
from processes import gs_server, s3_server

BYTES = bytes(range(256)) * 5000  # more than one block


@case("s3", "gs", seconds=120)
def a_recorded_session_replays_without_network_and_plugin(bench, shared):
    tree = bench.path("tree")
    bench.file("tree/large", BYTES)
    bench.file("tree/deep/small", b"small")
    bench.file("tree/deep/empty", b"")
    sessions = []
    serve, port = {"s3": (s3_server, "s3_port"), "gs": (gs_server, "gs_port")}[shared.scheme]
    with serve(bench.world.python) as server:
        store = type(shared)(server.port)
        # Words that can be looked for.
        there = {**bench.world.environment(**{port: server.port}),
                 "AWS_ACCESS_KEY_ID": "an-access-key", "AWS_SECRET_ACCESS_KEY": "a-secret-key"}
        bucket = bench.bucket(store)
        for command in [["cp", "-r", tree, store.uri(bucket, "up")],
                        ["ls", "-lR", store.uri(bucket)],
                        ["cat", store.uri(bucket, "up/large")],
                        ["cp", "-r", store.uri(bucket, "up"), bench.path("down")],
                        ["stat", store.uri(bucket, "up/deep/small")],
                        ["cat", store.uri(bucket, "missing")]]:
            journal = bench.path(f"{len(sessions)}.journal")
            ended = bench.run(command[0], "--record", journal, *command[1:], env=there)
            sessions.append((command, journal, ended))
    equal([ended.code for _, _, ended in sessions], [0, 0, 0, 0, 0, 4], "exit codes")
    os.rename(bench.path("down"), bench.path("recorded"))

    # The server is gone, and there is no plugin.
    nothing = {**there, "FSLOAD_PLUGIN_PATH": bench.path("nowhere")}
    for command, journal, before in sessions:
        again = bench.run("replay", journal, *command, env=nothing)
        equal(again.code, before.code, f"{again}: the exit code")
        equal(again.out, before.out, f"{again}: standard output")
        equal(again.error, before.error, f"{again}: the error")
    for name in ["large", "deep/small", "deep/empty"]:
        bench.good("cmp", bench.path("recorded", name), bench.path("down", name), env=nothing)
        bench.good("cmp", os.path.join(tree, name), bench.path("down", name), env=nothing)

    summary = bench.good("replay", sessions[0][1], env=nothing).out.decode()
    wanted("WritableFile.append" in summary, "the calls of the recording", summary)
    for _, journal, _ in sessions:
        equal(os.stat(journal).st_mode & 0o777, 0o600, "the mode of a journal")
        with open(journal, "rb") as file:
            text = file.read()
        for secret in b"an-access-key", b"a-secret-key":
            wanted(secret not in text, f"no {secret!r} in the journal", text)
