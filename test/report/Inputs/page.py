#!/usr/bin/env python3
"""Opens a report as people would, and checks what must hold.

    page.py REPORT.html [SCREENSHOTS]

The report compares two recordings of make_recording.py. With a folder, pictures
of it are kept there to be looked at.
"""
import pathlib
import sys

from browser import Browser

FACTS = []


def check(fact, holds):
    FACTS.append(fact)
    if not holds:
        sys.exit(f"page: does not hold: {fact}")


# How far what is drawn stands out from its ground, as WCAG counts it.
CONTRAST = """(() => {
  const part = c => { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = numbers(getComputedStyle(e).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
  };
  let worst = [99, ''];
  for (const element of document.querySelectorAll('main *, header *, nav *, footer')) {
    if (![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !element.getClientRects().length) continue;
    const [a, b] = [light(numbers(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < worst[0]) worst = [ratio, element.outerHTML.slice(0, 80)];
  }
  return worst;
})()"""

NAMELESS = """[...document.querySelectorAll('button, input, [tabindex], a')].filter(e =>
  !(e.getAttribute('aria-label') || e.textContent).trim()).map(e => e.outerHTML)"""


def look(page, name):
    """What holds on every screen."""
    check(f"{name}: no horizontal scrolling",
          page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
    worst, where = page.evaluate(CONTRAST)
    check(f"{name}: text stands out 4.5 to 1: {worst:.2f} {where}", worst >= 4.5)


def use(page):
    """As with mouse and keyboard."""
    page.evaluate("document.getElementById('lanes-0').focus()")
    before = page.evaluate("document.getElementById('range-0').textContent")
    page.key("n")
    call = page.evaluate("document.getElementById('call').textContent")
    check("n goes to a stall and says what it was", "stall" in call and "In flight" in call)
    page.key("+")
    check("+ shows less time", "in view" in page.evaluate("document.getElementById('range-0').textContent"))
    page.key("0")
    check("0 shows all", page.evaluate("document.getElementById('range-0').textContent") == before)
    page.key("/")
    check("/ leads to the search", page.evaluate("document.activeElement.id") == "search")
    for letter in "reduce":
        page.key(letter)
    found = page.evaluate("document.getElementById('found').textContent")
    check("the search counts calls", found.endswith("calls") and int(found.split()[0]) > 100)
    page.key("Enter")
    check("Enter selects a match", "reduce(" in page.evaluate("document.getElementById('call').textContent"))
    page.evaluate("document.querySelector('tr[data-begin] button').click()")
    page.frame()
    check("a row of the table leads to its call",
          page.evaluate("document.getElementById('call').textContent.includes('stall') && "
                        "document.activeElement.id.startsWith('lanes')"))


def without_script(browser, report):
    page = browser.open(report, script=False)
    # Asked from outside the page, which runs nothing.
    tree = page.call("DOM.getOuterHTML", nodeId=page.call("DOM.getDocument")["root"]["nodeId"])["outerHTML"]
    check("without JavaScript the stalls are a table", tree.count("<tr data-side") > 20)
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    roles = {}
    for node in nodes:
        roles.setdefault(node.get("role", {}).get("value"), []).append(node.get("name", {}).get("value", ""))
    check("its tables have headers, and its sections names",
          len(roles.get("columnheader", [])) > 10 and "Stalls" in roles.get("region", []))


def main():
    report = sys.argv[1]
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with Browser() as browser:
        for name, screen in {"laptop": {}, "laptop, dark": {"dark": True},
                             "phone": {"width": 360, "height": 740, "scale": 2, "phone": True}}.items():
            page = browser.open(report, **screen)
            page.frame()
            look(page, name)
            if name == "laptop":
                check("each control has a name", page.evaluate(NAMELESS) == [])
                use(page)
            if pictures:
                page.screenshot(pictures / f"{name.replace(', ', '-')}.png", whole=True)
            if page.errors:
                sys.exit(f"page: {name}: the console has: {page.errors}")
            if [url for url in page.requests if not url.startswith("file:")] or len(page.requests) != 1:
                sys.exit(f"page: {name}: fetched: {page.requests}")
        without_script(browser, report)
    print(f"page: {len(FACTS)} facts hold")


main()
