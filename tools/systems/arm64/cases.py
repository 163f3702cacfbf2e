"""What fsload for arm64 does in a guest, case by case, beside what it does on this machine.

Each case is a function of a Trial, which raises AssertionError.
"""
import dataclasses
import json
import os
import re
import subprocess

import agent
import downloads
import trees

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../../../docs/examples")
MACHINES = {"x86-64": "x86_64", "aarch64": "aarch64"}  # fsload's names and Linux's


@dataclasses.dataclass
class Trial:
    guest: object
    folder: str     # the guest has it too
    made: str       # the installation, packages, archive and wheel for arm64
    commands: dict  # {machine: the command}
    wheels: dict    # {machine: {scheme: the wheel with its plugin}}
    world: object   # the servers, on this machine
    reports: dict = dataclasses.field(default_factory=dict)  # {(scheme, machine): of `check`}

    def run(self, *argv, machine="aarch64", code=0, says=(), env=None):
        """Runs a command of a machine, which must end with `code` and say all of `says`. Returns
        what it printed."""
        if machine == "aarch64":
            ended, output = self.guest.run(*argv, cwd=self.folder, env=env)
        else:
            process = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     cwd=self.folder, env={**os.environ, **(env or {})},
                                     timeout=300, check=False, text=True)
            ended, output = process.returncode, process.stdout
        missing = [text for text in says if text not in output]
        if ended != code or missing:
            raise AssertionError(f"{' '.join(argv)}: exit code {ended}, expected {code}, without "
                                 f"{missing}:\n{output[-3000:]}")
        return output

    def sh(self, script, **options):
        return self.run("sh", "-exc", script, **options)

    def fsload(self, *arguments, machine="aarch64", **options):
        return self.run(self.commands[machine], *arguments, machine=machine, **options)

    def report(self, scheme, machine):
        """The report of `check` on the plugin of a scheme, of the machine's own wheel."""
        if (scheme, machine) not in self.reports:
            text = self.fsload("check", "--format", "json", self.wheels[machine][scheme],
                               machine=machine)
            self.reports[scheme, machine] = json.loads(text)
        return self.reports[scheme, machine]

    def plugins(self, machine):
        """The plugin of each scheme, from the machine's own wheel: {scheme: path}."""
        folder = os.path.join(self.folder, "plugins-" + machine)
        os.makedirs(folder, exist_ok=True)
        return downloads.unpack_plugins(folder, MACHINES[machine])

    def servers(self):
        """The variables that lead the guest's plugins to the servers, and to nothing else."""
        there = {name: value.replace("127.0.0.1", agent.HOST)
                 for name, value in self.world.environment().items()
                 if name not in ("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME")}
        account = os.path.join(self.folder, "account.json")
        with open(self.world.account, encoding="utf-8") as source, \
                open(account, "w", encoding="utf-8") as target:
            target.write(source.read().replace("127.0.0.1", agent.HOST))
        return {**there, "GOOGLE_APPLICATION_CREDENTIALS": account,
                "FSLOAD_PLUGIN_PATH": os.path.dirname(self.plugins("aarch64")["s3"])}


def main_job(trial):
    trial.fsload("--check", says=["scheme 'posix'"])


def every_rule_catches_its_plugin(trial):
    trial.fsload("self-test")


def bundled_plugin_conforms(trial):
    trial.sh(f"{trial.commands['aarch64']} conformance --level 1 --root posix://$HOME/empty posix")


def check_is_confined(trial):
    report = json.loads(trial.fsload("check", "--format", "json"))
    for text in "seccomp", "Landlock ABI", "no new privileges", "no capabilities":
        if not any(text in limit for limit in report["plugins"][0]["confinement"]):
            raise AssertionError(f"{text} is not in {report['plugins'][0]['confinement']}")


def archive(trial):
    trial.sh(f"cd $HOME; tar xf {trial.made}/fsload-*.tar.gz; fsload-*/bin/fsload --check",
             says=["scheme 'posix'"])


def packages(trial):
    """The three of them: the command, and a program that is compiled with the library."""
    trial.sh(f"""
        cd $HOME
        for package in {trial.made}/*_arm64.deb; do dpkg-deb -x "$package" root; done
        export LD_LIBRARY_PATH=$HOME/root/usr/lib/aarch64-linux-gnu
        root/usr/bin/fsload --check
        gcc -Iroot/usr/include {EXAMPLES}/c_api.c -L$LD_LIBRARY_PATH -lfsload -o example
        ./example $LD_LIBRARY_PATH/fsload/plugins/posix.so posix://$HOME/new""",
             says=["scheme 'posix'"])


def wheel(trial):
    """Python's, with cffi's own wheel, unpacked as pip would."""
    trial.sh(f"""
        cd $HOME
        for wheel in {trial.made}/*.whl; do python3 -m zipfile -e $wheel site; done
        chmod +x site/fsload/bin/fsload
        mkdir tour
        PYTHONPATH=site python3 {EXAMPLES}/tour.py $HOME/tour""", says=["Python 3", ": verified"])


def _without_place(text):
    """A report without what depends on where and on which kernel it was made."""
    text = re.sub(r'"/[^"]*/', '"', text)
    return re.sub(r"\d+(?= MiB per file)|(?<=Landlock ABI )\d+", "N", text)


def _same_report(trial, scheme):
    one, other = (_without_place(json.dumps(trial.report(scheme, machine), indent=1))
                  for machine in MACHINES)
    for left, right in zip(one.splitlines(), other.splitlines()):
        if left != right:
            raise AssertionError(f"x86-64 has {left.strip()}, aarch64 {right.strip()}")
    if one.count("\n") != other.count("\n"):
        raise AssertionError("one of the reports has more lines")


def reports_on_gs(trial):
    _same_report(trial, "gs")


def reports_on_s3(trial):
    _same_report(trial, "s3")


def _refuses_other(trial, machine):
    [other] = MACHINES.keys() - {machine}
    says = f"it is for {other}; this program is {machine}"
    for scheme, path in trial.plugins(other).items():
        missing = ["no library defines 19 of the functions"] if scheme == "s3" else []
        trial.fsload("check", trial.wheels[other][scheme], machine=machine, code=1,
                     says=[says, "pip install"])
        trial.fsload("check", path, machine=machine, code=1, says=["FSP007: " + says])
        for file in path, trial.wheels[other][scheme]:
            # An emulator takes more than the ten seconds of the default.
            trial.fsload("check", "--static", "--timeout=200", file, machine=machine, code=1,
                         says=["FSP007: " + says, *missing])
        trial.fsload("stat", "--plugin", path, f"{scheme}://bucket/key", machine=machine, code=1,
                     says=[says])


def here_the_other_wheels_are_refused(trial):
    _refuses_other(trial, "x86-64")


def there_the_other_wheels_are_refused(trial):
    _refuses_other(trial, "aarch64")


def _copies_a_tree(trial, scheme):
    """Copies a tree to a store and back, and compares it from outside."""
    store = trial.world.stores[scheme]
    store.make_bucket("bucket")
    servers = trial.servers()
    tree = trees.write(os.path.join(trial.folder, scheme + "-tree"), trees.MIXED)
    there = store.uri("bucket", "tree")
    back = os.path.join(trial.folder, scheme + "-back")
    trial.fsload("cp", "-r", f"posix://{tree}", there, env=servers)
    found = {key: store.get("bucket", key) for key in store.keys("bucket")
             if not key.endswith("/")}
    if found != {f"tree/{path}": contents for path, contents in trees.MIXED.items()}:
        raise AssertionError(f"{scheme}: the store has {sorted(found)}")
    listed = trial.fsload("ls", "-R", there, env=servers)
    for path in trees.MIXED:
        if os.path.basename(path) not in listed:
            raise AssertionError(f"{scheme}: ls lists no {path}:\n{listed}")
    trial.fsload("cp", "-r", there, f"posix://{back}", env=servers)
    trees.require_equal(tree, back)
    trial.fsload("rm", "-r", there, env=servers)
    if any(not key.endswith("/") for key in store.keys("bucket")):
        raise AssertionError(f"{scheme}: rm left {store.keys('bucket')}")


def tree_in_s3(trial):
    _copies_a_tree(trial, "s3")


def tree_in_gs(trial):
    _copies_a_tree(trial, "gs")


def tree_in_az(trial):
    _copies_a_tree(trial, "az")


CASES = {
    "the main job: `fsload --check`": main_job,
    "`fsload self-test`": every_rule_catches_its_plugin,
    "`fsload conformance`, level 1": bundled_plugin_conforms,
    "`check` is confined by seccomp and Landlock": check_is_confined,
    "the archive": archive,
    "the Debian packages, and a program compiled with them": packages,
    "the Python wheel": wheel,
    "`check` on the gs wheel: the x86-64 report": reports_on_gs,
    "`check` on the tensorflow-io wheel: the x86-64 report": reports_on_s3,
    "on x86-64, wheels for aarch64 are refused by name": here_the_other_wheels_are_refused,
    "on aarch64, wheels for x86-64 are refused by name": there_the_other_wheels_are_refused,
    "a tree to moto and back, by the s3 plugin": tree_in_s3,
    "a tree to the GCS emulator and back, by the gs plugin": tree_in_gs,
    "a tree to the Azure emulator and back, by the tensorflow-io plugin": tree_in_az,
}

# Those that depend on the size of a page.
OF_PAGES = ["the main job: `fsload --check`", "`fsload self-test`",
            "`check` is confined by seccomp and Landlock",
            "`check` on the gs wheel: the x86-64 report",
            "`check` on the tensorflow-io wheel: the x86-64 report"]


def run(trial, names):
    """Runs cases. Returns [(name, why it failed)]."""
    results = []
    for name in names:
        try:
            CASES[name](trial)
            results.append((name, ""))
        except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
            results.append((name, f"{type(error).__name__}: {error}"))
    return results


def _rules(plugin):
    """The rules of a plugin's findings, each with how often it was broken."""
    rules = [finding["rule"] for finding in plugin["findings"]]
    return ", ".join(f"{rule} ({rules.count(rule)})" for rule in sorted(set(rules))) or "none"


FACTS = {
    "verdict": lambda plugin: plugin["verdict"],
    "findings by rule": _rules,
    "schemes registered": lambda plugin: " ".join(
        each["scheme"] for each in plugin["schemes"] if each["registered"]),
    "operations present": lambda plugin: " ".join(
        str(len(each["present"])) for each in plugin["schemes"]),
    "bytes of the filesystem table": lambda plugin: " ".join(sorted(
        {str(each["tables"]["filesystem"]["bytes"]) for each in plugin["schemes"]})),
    "functions missing": lambda plugin: str(len(plugin["stubs"])),
    "sealed by": lambda plugin: plugin["sealing"],
    "confined by": lambda plugin: str(len(plugin["confinement"])) + " limits",
}


def side_by_side(trial):
    """What `check` found on each machine: {fact: {wheel and machine: value}}."""
    names = {"gs": "tensorflow-io-gcs-filesystem", "s3": "tensorflow-io"}
    plugins = {f"{name}, {machine}": trial.report(scheme, machine)["plugins"][0]
               for scheme, name in names.items() for machine in MACHINES}
    return {fact: {column: of(plugin) for column, plugin in plugins.items()}
            for fact, of in FACTS.items()}
