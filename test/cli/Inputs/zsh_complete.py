#!/usr/bin/env python3
"""zsh_complete.py FILE LINE: what zsh makes of a line when Tab is pressed."""
import os
import pty
import re
import select
import sys
import tempfile
import time

completion, line = os.path.abspath(sys.argv[1]), sys.argv[2]


def read_until(terminal, wanted, seconds=20):
    text = ""
    deadline = time.monotonic() + seconds
    while not re.search(wanted, text):
        if not select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
            sys.exit(f"zsh did not say {wanted!r}: {text!r}")
        text += os.read(terminal, 65536).decode(errors="replace")
    return text


with tempfile.TemporaryDirectory() as home:
    child, terminal = pty.fork()
    if child == 0:
        environment = {**os.environ, "HOME": home, "TERM": "dumb", "PS1": "", "ZDOTDIR": home}
        os.execvpe("zsh", ["zsh", "-f", "-i", "-o", "no_prompt_sp"], environment)
    setup = (f"fpath=({os.path.dirname(completion)} $fpath); autoload -Uz compinit; compinit -u -D; "
             # Enter prints the line and runs nothing.
             "show() { print -r -- \"<${BUFFER% }>\"; BUFFER=; zle accept-line }; zle -N show; bindkey '^X' show; "
             "print rea''dy\n")
    os.write(terminal, setup.encode())
    read_until(terminal, "ready\r?\n")
    os.write(terminal, line.encode() + b"\t\x18")
    answer = read_until(terminal, r"<kplan[^>]*>")
    print(re.search(r"<(kplan[^>]*)>", answer)[1])
    os.write(terminal, b"exit\n")
    os.close(terminal)
    os.waitpid(child, 0)
