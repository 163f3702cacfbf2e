#!/usr/bin/env python3
"""Writes man pages: fsload.1, and fsload-COMMAND.1 for each command.

usage: manual.py DESCRIPTION VERBS_MD FOLDER

DESCRIPTION is what `describe` prints. Exit codes and environment variables
are those of docs/verbs.md.
"""
import json
import os
import re
import sys


def roff(text):
    """`text` as roff shows it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"[^\0-\x7f]", lambda found: f"\\[u{ord(found[0]):04X}]", text)
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def without_markdown(text):
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return text.replace("`", "")


def rows(verbs_md, chapter, pattern):
    """What `pattern` finds in the rows of the first table of a chapter, without markup."""
    with open(verbs_md, encoding="utf-8") as file:
        table = file.read().split(f"\n## {chapter}\n")[1].lstrip().split("\n\n")[0]
    found = re.findall(pattern, table, re.M)
    if len(found) < 10:
        sys.exit(f"manual: no table of {chapter.lower()} in {verbs_md}")
    return [[without_markdown(cell) for cell in row] for row in found]


def exit_codes(verbs_md):
    """(code, meaning) of each row under "Exit codes"."""
    return rows(verbs_md, "Exit codes", r"^\| (\d+) \| (.*?) \|")


def environment(verbs_md):
    """(variables, meaning) of each row under "Environment variables"."""
    return rows(verbs_md, "Environment variables", r"^\| (`.*?) \| .*? \| (.*?) \|")


def heading(name, version, about):
    return [f'.TH {name.upper()} 1 "" "fsload {version}" "User commands"', ".SH NAME",
            f"{roff(name)} \\- {roff(about[:1].lower() + about[1:])}"]


def option_term(option):
    value = f" \\fI{roff(option['value'])}\\fR" if option["value"] else ""
    return ", ".join(f"\\fB{roff(name)}\\fR" for name in option["names"]) + value


def option_notes(option):
    notes = []
    if option["default"]:
        notes.append(f"Default: {option['default']}.")
    for key, words in (("not_with", "Not with"), ("only_with", "Only with")):
        if option[key]:
            notes.append(f"{words} {', '.join(option[key])}.")
    return " ".join(notes)


def sentence(text):
    return text if text.endswith((".", "?")) else text + "."


def options(rows):
    lines = []
    for option in rows:
        text = " ".join(filter(None, [sentence(option["description"]), option_notes(option)]))
        lines += [".TP", option_term(option), roff(text)]
    return lines


def command_page(command, version):
    name = f"fsload-{command['name']}"
    operands = " ".join(f"\\fI{roff(row['name'])}\\fR" if row["required"]
                        else f"[\\fI{roff(row['name'])}\\fR]" for row in command["operands"])
    lines = heading(name, version, command["description"])
    lines += [".SH SYNOPSIS", f"\\fBfsload {roff(command['name'])}\\fR [\\fIoptions\\fR] {operands}"]
    if command["operands"]:
        lines += [".SH ARGUMENTS"]
        for row in command["operands"]:
            lines += [".TP", f"\\fI{roff(row['name'])}\\fR", roff(sentence(row["description"]))]
    lines += [".SH OPTIONS", *options(command["options"])]
    if command["footer"]:
        lines += [".SH NOTES", roff(command["footer"].strip())]
    lines += [".SH SEE ALSO", "\\fBfsload\\fR(1)"]
    return lines


def program_page(program, codes, variables):
    lines = heading("fsload", program["version"], program["description"].rstrip("."))
    lines += [".SH SYNOPSIS", "\\fBfsload\\fR \\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]",
              ".SH COMMANDS", "Each has a page of its own, such as \\fBfsload\\-cp\\fR(1)."]
    for command in program["commands"]:
        lines += [".TP", f"\\fB{roff(command['name'])}\\fR", roff(sentence(command["description"]))]
    lines += [".SH OPTIONS", *options(program["options"]), ".SH EXIT STATUS"]
    for code, meaning in codes:
        lines += [".TP", f"\\fB{code}\\fR", roff(sentence(meaning[:1].upper() + meaning[1:]))]
    lines += [".SH ENVIRONMENT"]
    for name, meaning in variables:
        lines += [".TP", f"\\fB{name}\\fR", roff(meaning)]
    return lines


def main():
    description, verbs_md, folder = sys.argv[1:]
    with open(description, encoding="utf-8") as file:
        program = json.load(file)
    pages = {"fsload": program_page(program, exit_codes(verbs_md), environment(verbs_md))}
    for command in program["commands"]:
        pages[f"fsload-{command['name']}"] = command_page(command, program["version"])
    os.makedirs(folder, exist_ok=True)
    for name, lines in pages.items():
        with open(os.path.join(folder, name + ".1"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
