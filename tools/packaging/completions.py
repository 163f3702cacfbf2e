#!/usr/bin/env python3
"""Writes what bash, zsh and fish complete after `fsload`.

usage: completions.py DESCRIPTION FOLDER

DESCRIPTION is what `describe` prints. Writes fsload (bash), _fsload (zsh) and
fsload.fish. Words that are neither commands nor options are completed as paths.
"""
import json
import os
import shlex
import sys


def option_names(command):
    return [name for option in command["options"] for name in option["names"]]


def bash(program):
    cases = "".join(f"    {command['name']}) words={shlex.quote(' '.join(option_names(command)))} ;;\n"
                    for command in program["commands"])
    names = " ".join(command["name"] for command in program["commands"])
    return f"""# Completes fsload in bash.
_fsload() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words="" at=1
  [[ ${{COMP_WORDS[1]}} == replay ]] && ((COMP_CWORD > 2)) && at=3
  if ((COMP_CWORD == at)); then
    mapfile -t COMPREPLY < <(compgen -W {shlex.quote(names + ' ' + ' '.join(option_names(program)))} -- "$word")
    return
  fi
  local command=${{COMP_WORDS[at]#--}}
  case $command in
    help) words={shlex.quote(names)} ;;
{cases}  esac
  if [[ $word == -* || $command == help ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}}
complete -o default -F _fsload fsload
"""


def zsh_text(text):
    for character in "\\[]:":
        text = text.replace(character, "\\" + character)
    return text


def zsh_option(option):
    value = f":{zsh_text(option['value'])}:_files" if option["value"] else ""

    def joined(name):  # --option=VALUE, -oVALUE
        return name + ("=" if name.startswith("--") else "+") * bool(value)
    return [shlex.quote(f"{joined(name)}[{zsh_text(option['description'])}]{value}")
            for name in option["names"]]


def zsh(program):
    names = "\n".join(f"    {shlex.quote(zsh_text(command['name']) + ':' + zsh_text(command['description']))}"
                      for command in program["commands"])
    cases = ""
    for command in program["commands"]:
        words = [word for option in command["options"] for word in zsh_option(option)]
        cases += f"    {command['name']})\n      _arguments " + " \\\n        ".join(
            words + ["'*:path:_files'"]) + " ;;\n"
    return f"""#compdef fsload
# Completes fsload in zsh.
_fsload() {{
  local -a commands=(
{names}
  )
  if [[ $words[2] == replay ]] && ((CURRENT > 3)); then
    shift 2 words
    ((CURRENT -= 2))
  fi
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=${{words[2]#--}}
  shift words
  ((CURRENT--))
  case $command in
    help) _describe command commands ;;
{cases}  esac
}}
_fsload "$@"
"""


def fish_option(option, condition):
    line = f"complete -c fsload -n {shlex.quote(condition)}"
    for name in option["names"]:
        line += f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
    if option["value"]:
        line += " -r"
    return f"{line} -d {fish_quote(option['description'])}\n"


def fish_quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(program):
    text = "# Completes fsload in fish.\n"
    for command in program["commands"]:
        text += (f"complete -c fsload -n __fish_use_subcommand -a {command['name']}"
                 f" -d {fish_quote(command['description'])}\n")
    names = " ".join(command["name"] for command in program["commands"])
    text += f"complete -c fsload -n '__fish_seen_subcommand_from help' -f -a '{names}'\n"
    for option in program["options"]:
        text += fish_option(option, "__fish_use_subcommand")
    for command in program["commands"]:
        for option in command["options"]:
            text += fish_option(option, f"__fish_seen_subcommand_from {command['name']}")
    return text


def main():
    description, folder = sys.argv[1:]
    with open(description, encoding="utf-8") as file:
        program = json.load(file)
    os.makedirs(folder, exist_ok=True)
    for name, text in (("fsload", bash), ("_fsload", zsh), ("fsload.fish", fish)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text(program))


if __name__ == "__main__":
    main()
