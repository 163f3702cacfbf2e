"""One run: the same random tree twice, for fsload and for coreutils."""

import os
import random
import shutil
import subprocess
import tempfile
import time

from commands import random_command
from comparison import TOO_DEEP, Outcome, problems
from differences import DIFFERENCES
from entries import entries_of, remove_all
from situation import Situation
from tree_maker import make_tree, random_tree

DEADLINE = 20  # seconds
NOBODY = 65534


class Grounds:
    """Two new folders for trials, on different disks if there are two."""

    def __init__(self, fsload, user):
        self.user = user  # None: the current user
        self.top = os.fsencode(tempfile.mkdtemp(prefix="fsload-trees-"))
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.other = os.fsencode(tempfile.mkdtemp(prefix="fsload-trees-", dir=memory))
        for folder in self.top, self.other:
            os.chmod(folder, 0o755)
        # In a place where every user may execute it.
        self.fsload = shutil.copy(fsload, os.path.join(os.fsdecode(self.top), "fsload"))
        os.chmod(self.fsload, 0o755)
        self.work = self.top + b"/t/work"
        self.roots = [self.work, self.top + b"/t/aside", self.other + b"/disk"]
        for root in self.roots:
            os.makedirs(root)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.clear()
        for folder in self.top, self.other:
            shutil.rmtree(folder)

    def make(self, nodes):
        self.clear()
        make_tree(nodes)

    def clear(self):
        for root in self.roots:
            try:
                os.chmod(root, 0o700)
                remove_all(root)
            except (RecursionError, OSError):  # too deep, or deleted
                for command in ["chmod", "-R", "u+rwx"], ["rm", "-rf"]:
                    subprocess.run([*command, root], stderr=subprocess.DEVNULL, check=False)
                os.makedirs(root)

    def run(self, arguments, umask, deadline=DEADLINE):
        as_user = {} if self.user is None else {
            "user": self.user, "group": self.user, "extra_groups": []}
        began = time.time_ns() - 10**9
        try:
            ended = subprocess.run(
                arguments, cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, umask=umask, timeout=deadline, check=False, **as_user,
                env={"LC_ALL": "C", "PATH": "/usr/bin:/bin", "HOME": "/nowhere"})
            code, errors = ended.returncode, ended.stderr.decode(errors="backslashreplace")
        except subprocess.TimeoutExpired:
            code, errors = 124, "did not end"
        try:
            return Outcome(code, errors, entries_of(self.roots, began))
        except (RecursionError, OSError) as error:
            return Outcome(TOO_DEEP, f"the tree cannot be read any more: {error!r:.100}", {})


class Trial:
    """A tree and a command, determined by the seed."""

    def __init__(self, grounds, seed):
        self.grounds, self.seed = grounds, seed
        dice = random.Random(seed)
        self.user = os.geteuid() if grounds.user is None else grounds.user
        self.nodes = random_tree(dice, grounds.roots, self.user, os.geteuid() == 0)
        self.umask = dice.choice([0o022, 0o022, 0o077, 0o002, 0])
        grounds.make(self.nodes)
        self.is_made = True
        self.command = random_command(dice, self.nodes, grounds.roots, grounds.work)

    def problems(self):
        grounds = self.grounds
        if not self.is_made:
            grounds.make(self.nodes)
        self.is_made = False
        before = entries_of(grounds.roots, time.time_ns())
        situation = Situation(self.command, grounds.work, self.user)
        rows = [row for row in DIFFERENCES if row.applies(situation)]
        fsload = grounds.run([grounds.fsload, *self.command.arguments()], self.umask)
        coreutils = None
        if not any(row.no_oracle for row in rows):
            grounds.make(self.nodes)
            self.make_folders(situation, rows)
            coreutils = self.run_coreutils(situation, rows)
        self.rows, self.fsload, self.coreutils = rows, fsload, coreutils
        return list(problems(situation, before, fsload, coreutils, rows))

    def run_coreutils(self, situation, rows):
        """Continues with the next argument after an error, as coreutils do."""
        outcome, failed = self.run_each(self.of_coreutils(situation, rows))
        last = [one for row in rows if row.last for one in row.last(situation)]
        if last and not failed:
            outcome, failed = self.run_each(last)
        return outcome._replace(code=failed.code, errors=failed.errors) if failed else outcome

    def run_each(self, lists):
        """What the last command and the first that failed, if one did, came to."""
        failed = None
        for commands in lists:
            for arguments in commands:
                outcome = self.grounds.run(arguments, self.umask)
                if outcome.code != 0:
                    failed = failed or outcome
                    break
        return outcome, failed

    def of_coreutils(self, situation, rows):
        """The equivalent commands: lists, each of which continues until one fails."""
        for row in rows:
            if row.instead:
                return list(row.instead(situation))
        command = self.command
        for row in rows:
            if row.rewrite:
                command = command._replace(sources=row.rewrite(situation))
        verb, *rest = command.of_coreutils()
        return [[[verb, *(option for row in rows for option in row.prepare), *rest]]]

    def make_folders(self, situation, rows):
        folders = [folder for row in rows if row.makes for folder in row.makes(situation)]
        if folders:
            self.grounds.run(["mkdir", "-p", "--", *folders], self.umask)

    def story(self, found):
        """What was run on which tree, and the problems."""
        def short(path):
            for root in self.grounds.roots:
                path = path.replace(root, os.path.basename(root).upper())
            return repr(path.replace(b"x" * 255, b"x*255"))
        tree = [f"  {node.kind} {short(node.path)} {node.mode:o} {node.owner[0]}:{node.owner[1]}"
                + (f" -> {short(node.what)}" if node.kind in ("link", "hard link") else "")
                for node in self.nodes if node.path not in self.grounds.roots]
        coreutils = "not asked" if self.coreutils is None else \
            f"{self.coreutils.code} {self.coreutils.errors}"
        return "\n".join([
            *tree, f"  umask {self.umask:03o}; fsload {self.command.arguments()!r}",
            f"  fsload: {self.fsload.code} {self.fsload.errors.strip()}",
            f"  coreutils: {coreutils.strip()}",
            *[f"  rule: {row.name}" for row in self.rows], *[f"  => {text}" for text in found[:6]]])
