"""Checks of site pages in a browser, for problems that are only visible when rendered."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.kubemerge.html.browser import chromium, served

if TYPE_CHECKING:
    from tests.kubemerge.html.browser import Browser

PAGES = (
    "index.html",
    "tutorial.html",
    "how-to/debug-an-apply.html",
    "reference/commands.html",
    "lint.html",
    "lint/KM022.html",
    "kinds/index.html",
    "kinds/Deployment.apps.html",
    "releases/index.html",
    "releases/1.25.html",
    "search.html",
)
"""One page of each sort."""
WIDTHS = (1400, 800, 390)
CONTRAST = """
const light = (colour) => {
  const part = colour.map((one) => { one /= 255; return one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4 })
  return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2]
}
const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number)
const over = (top, below) => [0, 1, 2].map((at) => top[at] * (top[3] ?? 1) + below[at] * (1 - (top[3] ?? 1)))
const behind = (element) => {
  const layers = []
  for (let one = element; one; one = one.parentElement) layers.push(parts(getComputedStyle(one).backgroundColor))
  return layers.reverse().reduce((below, top) => top.length ? over(top, below) : below, [255, 255, 255])
}
const found = new Map()
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement
  const shown = element.checkVisibility({visibilityProperty: true, opacityProperty: true})
  if (!shown || !walker.currentNode.textContent.trim()) continue
  const box = element.getBoundingClientRect()
  if (box.width < 2 || box.height < 2 || element.closest('script, style, svg, .headerlink, :disabled')) continue
  const style = getComputedStyle(element), ground = behind(element), colour = over(parts(style.color), ground)
  const [one, other] = [light(colour), light(ground)].sort((a, b) => b - a)
  const ratio = (one + 0.05) / (other + 0.05), size = parseFloat(style.fontSize)
  const wanted = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5
  if (ratio < wanted - 0.01) found.set(`${element.tagName.toLowerCase()}.${element.className}`, ratio.toFixed(2))
}
return [...found].map(([place, ratio]) => `${place} has a contrast of ${ratio}`)
"""
"""Elements with too little contrast: below 4.5 to 1, or 3 to 1 for large text; also used for the playground."""
WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
FOREIGN = """
const names = performance.getEntriesByType('resource').map((one) => one.name)
return names.filter((name) => !name.startsWith(location.origin))
"""
RESULTS = "return document.querySelectorAll('#search-results li a').length"


def show(folder: Path, pictures: Path) -> list[str]:
    """The problems of rendered pages. Saves screenshots in `pictures`."""
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    with (
        served(folder) as site,
        tempfile.TemporaryDirectory() as temporary,
        chromium(Path(temporary) / "profile") as browser,
    ):
        found = [
            one
            for name in PAGES
            for one in faults(browser, f"{site.address}/{name}", pictures / name.replace("/", "-"))
        ]
        return found + _search_problems(browser, site.address)


def faults(browser: Browser, address: str, picture: Path) -> list[str]:
    """The problems of a page, light and dark, at all widths."""
    found = []
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            browser.look(width=width, height=1000, scheme=scheme)
            browser.open(address)
            where = f"{address.partition('//')[2].partition('/')[2]} ({scheme}, {width} wide)"
            found += [f"{where}: {one}" for one in browser.run(CONTRAST)]
            if (beyond := browser.run(WIDE)) > 0:
                found.append(f"{where} is {beyond} wider than the window")
            found += [f"{where} asks for {one}" for one in browser.run(FOREIGN)]
            found += [f"{where}: {one}" for one in browser.complaints()]
            picture.with_suffix(f".{scheme}-{width}.png").write_bytes(browser.picture())
    return found


def _search_problems(browser: Browser, address: str) -> list[str]:
    """Problems of the search: results that are missing."""
    browser.open(f"{address}/search.html?q=retainKeys")
    try:
        browser.until(RESULTS)
    except AssertionError:
        return ["the search finds nothing"]
    return [f"the search: {one}" for one in browser.complaints()]
