#!/usr/bin/env python3
"""Names each relative Markdown link that leads nowhere; exit status 1 then."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = [root / "README.md", *root.glob("docs/*.md"), *root.glob("examples/*/README.md"),
         root / "test/standin/README.md"]
links = [(page, link) for page in pages
         for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())]
dangling = [f"{page.relative_to(root)}: {link}" for page, link in links
            if not (page.parent / link).exists()]
print("\n".join(dangling))
sys.exit(1 if dangling or not links else 0)
