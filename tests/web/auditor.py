"""Auditor of pages: finds overlapping texts, cut texts, broken words, and parts of a decision out of reach.

It looks at an open page at the size of its window, and knows none of our pages: a selector names what a decision
needs. The window sizes are fixed ones that failed once, and sizes drawn at random from a seed that is printed.
"""

import os
from collections.abc import Iterable
from random import Random
from typing import Final

from playwright.sync_api import Page

from profiles import PROFILE

Size = tuple[int, int]

LANGUAGES: Final = ("en", "de", "fr", "it", "ja")

FIXED_SIZES: Final[tuple[Size, ...]] = (
    (1280, 720), (1366, 768), (1366, 650), (1600, 900), (1680, 1050), (2560, 1440), (1024, 768), (1920, 1080),
    (768, 1024), (390, 844),
)  # fmt: skip
"""Sizes of windows in which something was unreadable once."""

WIDTHS: Final = (360, 2560)
HEIGHTS: Final = (600, 1440)

NEEDED: Final = "#now, [data-decision] button, [data-decision] input, [data-needed]"
"""Selector of what a decision needs: it has to be in the window, uncovered, without any scrolling."""

SEED_VARIABLE: Final = "KONTOR_WINDOWS"

SETTLED: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"

AUDIT: Final = r"""(needed) => {
  const findings = new Set();
  const LETTER = /[\p{L}\p{N}]/u;
  const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
  const SLACK = 2;
  const UNREAD = "svg, script, style, noscript, option, template";

  const nameOf = (element) => {
    for (let one = element, depth = 0; one && depth < 4; one = one.parentElement, depth++) {
      if (one.id) return one === element ? `#${one.id}` : `${element.localName} in #${one.id}`;
    }
    const kind = element.getAttribute("class")?.trim().split(/\s+/)[0];
    return element.localName + (kind ? `.${kind}` : "");
  };
  const quote = (text) => `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;

  const chain = function* (element) { for (let one = element; one; one = one.parentElement) yield one; };
  const isGround = (element) => element === document.body || element === document.documentElement;
  const isHidden = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return true;
    let opacity = 1;
    for (const one of chain(element)) {
      const style = getComputedStyle(one);
      opacity *= Number(style.opacity);
      if (style.clipPath.startsWith("inset(50%")) return true;
      const isTiny = one.offsetWidth <= 2 || one.offsetHeight <= 2;
      if (isTiny && style.position === "absolute" && style.overflow === "hidden") return true;
    }
    return opacity < 0.3;
  };
  const isPainted = (element) => {
    const style = getComputedStyle(element);
    if (Number(style.opacity) < 0.3) return false;
    if (style.backgroundImage !== "none") return true;
    const alpha = style.backgroundColor.match(/^rgba\(.*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/);
    return !alpha || Number(alpha[1] ?? alpha[2]) > 0.5;
  };
  // What is painted under a point of an element; a text may reach beyond the ground of its own box.
  const layerOf = (element, x, y) => {
    const reaches = ({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom;
    const isUnder = (one) => !isGround(one) && isPainted(one) && reaches(one.getBoundingClientRect());
    return [...chain(element)].find(isUnder) ?? null;
  };

  // The part of a box that its ancestors leave, and the ancestor that hides the rest for good.
  const clip = (box, element) => {
    let { left, top, right, bottom } = box;
    let by = null;
    let scrolls = false;
    for (let one = element, fixed = false; one && one !== document.body && !fixed; one = one.parentElement) {
      const style = getComputedStyle(one);
      fixed = style.position === "fixed";
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      if (one instanceof SVGElement && one !== one.ownerSVGElement && one.localName !== "svg") continue;
      const edge = one.getBoundingClientRect();
      const across = style.overflowX !== "visible" && (left < edge.left - SLACK || right > edge.right + SLACK);
      const along = style.overflowY !== "visible" && (top < edge.top - SLACK || bottom > edge.bottom + SLACK);
      if (across || along) {
        const overflow = across ? style.overflowX : style.overflowY;
        if (scrolls === false && by === null && (overflow === "hidden" || overflow === "clip")) by = one;
        else if (by === null) scrolls = one;
      }
      if (style.overflowX !== "visible") [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      if (style.overflowY !== "visible") [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { box: { left, top, right, bottom }, by, scrolls };
  };

  // Every line of every text, as high as its letters are.
  const lines = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const element = node.parentElement;
    const text = node.data.trim().replace(/\s+/g, " ");
    if (!LETTER.test(text) || element.closest(UNREAD) || isHidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < 1) continue;
    for (const rect of range.getClientRects()) {
      if (rect.width < 2) continue;
      const spare = Math.max(0, (rect.height - 0.72 * size) / 2);
      const ink = { left: rect.left, right: rect.right, top: rect.top + spare, bottom: rect.bottom - spare };
      const clipped = clip(ink, element);
      lines.push({ node, element, text, ink, ...clipped });
    }
    if (element.closest("code")) continue;  // digits of a code have no words to be kept whole
    // An address longer than its line has to break somewhere.
    const addresses = [...node.data.matchAll(/\S+(?:@|:\/\/)\S+/gu)];
    const holds = (one, at) => at >= one.index && at < one.index + one[0].length;
    const isOfAddress = ({ index }) => addresses.some((one) => holds(one, index));
    for (const word of node.data.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      if (UNSPACED.test(word[0]) || isOfAddress(word)) continue;
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const parts = [...range.getClientRects()].filter((rect) => rect.width > 1);
      const tops = new Set(parts.map((rect) => Math.round(rect.top)));
      if (tops.size > 1) findings.add(`word broken: ${quote(word[0])} in ${nameOf(element)}`);
    }
  }

  const inWindow = ({ left, top, right, bottom }) => (
    right > 4 && left < innerWidth - 4 && bottom > 4 && top < innerHeight - 4
  );
  const hasRoom = ({ left, top, right, bottom }) => right - left > SLACK && bottom - top > SLACK;

  // A dock is fixed to an edge of the window; what it covers can be scrolled free of it.
  const scrollsFree = (layer, box) => {
    for (const one of chain(layer)) {
      if (one.matches(":popover-open, dialog[open]")) return true;
      const { position } = getComputedStyle(one);
      if (position !== "fixed" && position !== "sticky") continue;
      const edge = one.getBoundingClientRect();
      const below = document.documentElement.scrollHeight - innerHeight - scrollY;
      if (edge.bottom >= innerHeight - SLACK && below >= box.bottom - edge.top - SLACK) return true;
      if (edge.top <= SLACK && scrollY >= edge.bottom - box.top - SLACK) return true;
    }
    return false;
  };

  for (const { element, text, ink, box, by } of lines) {
    const isLeftOut = element.closest("[data-yields]") && !hasRoom(box);  // a slip without room, or an old line
    if (by && !isLeftOut) findings.add(`text cut: ${quote(text)} in ${nameOf(element)}, by ${nameOf(by)}`);
    const isAbove = ink.top + scrollY < -SLACK && ink.bottom + scrollY > 0;  // where no scrolling leads
    const isOut = isAbove || (ink.left < -SLACK || ink.right > innerWidth + SLACK) && ink.right > 0;
    const scrolls = (one) => !isGround(one) && /auto|scroll/.test(getComputedStyle(one).overflowX);
    if (isOut && !by && ![...chain(element)].some(scrolls)) {
      findings.add(`text out of the window: ${quote(text)} in ${nameOf(element)}`);
    }
  }
  for (const element of new Set(lines.map((line) => line.element))) {
    const style = getComputedStyle(element);
    const dots = style.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth + 1;
    const clamped = style.webkitLineClamp !== "none" && element.scrollHeight > element.clientHeight + 1;
    const text = quote(element.textContent.trim());
    if (dots || clamped) findings.add(`text ended by dots: ${text} in ${nameOf(element)}`);
  }

  // What is chosen in a list can be read there, if the window is wide enough at all.
  for (const element of document.querySelectorAll("select")) {
    if (isHidden(element)) continue;
    const unclipped = element.cloneNode(true);
    unclipped.removeAttribute("id");
    unclipped.replaceChildren(...[...element.selectedOptions].map((option) => option.cloneNode(true)));
    Object.assign(unclipped.style, { position: "absolute", width: "max-content", minWidth: 0, maxWidth: "none" });
    element.after(unclipped);
    const lacking = unclipped.offsetWidth - element.offsetWidth;
    unclipped.remove();
    const isWide = element.offsetWidth > 0.66 * document.documentElement.clientWidth;
    if (lacking > SLACK && !isWide) findings.add(`choice cut by ${lacking} px: ${nameOf(element)}`);
  }

  // Decisions first, as a pointer meets them; then texts, whatever a pointer would do there.
  const reported = new Set();
  for (const element of document.querySelectorAll(needed)) {
    const shown = isHidden(element) && element.matches("input") ? element.closest("label") : element;
    if (!shown || isHidden(shown) || element.type === "hidden") continue;
    const box = shown.getBoundingClientRect();
    const name = nameOf(element);
    const { left, top, right, bottom } = box;
    const beyond = Math.round(Math.max(-left, -top, right - innerWidth, bottom - innerHeight));
    if (beyond > 1) { findings.add(`needed, out of the window: ${name} by ${beyond} px`); continue; }
    const { scrolls, by } = clip(box, shown);
    if (scrolls || by) {
      reported.add(shown);
      findings.add(`needed, cut: ${name} by ${nameOf(scrolls || by)}`);
      continue;
    }
    const inset = Math.min(5, box.width / 4, box.height / 4);
    const middle = [(left + right) / 2, (top + bottom) / 2];
    const corners = [left + inset, right - inset].flatMap((x) => [top + inset, bottom - inset].map((y) => [x, y]));
    for (const [x, y] of [middle, ...corners]) {
      const hit = document.elementFromPoint(x, y);
      const isSame = hit && (shown.contains(hit) || hit.contains(shown));
      const isReached = isSame || hit?.closest("label")?.control === element;
      if (isReached || hit?.closest(":popover-open")) continue;
      findings.add(`needed, covered: ${name} by ${hit ? nameOf(hit) : "nothing that can be pressed"}`);
    }
  }
  for (const { element, text, scrolls } of lines) {
    const part = scrolls && element.closest(needed);
    if (!part || [...chain(part)].some((one) => reported.has(one))) continue;
    findings.add(`needed, scrolled away: ${quote(text)} in ${nameOf(element)}, by ${nameOf(scrolls)}`);
  }

  // A style sheet for all elements would take most of the audit's time.
  const untouchable = [...document.querySelectorAll("body *")].filter(
    (one) => getComputedStyle(one).pointerEvents === "none");
  for (const one of untouchable) one.style.setProperty("pointer-events", "auto", "important");
  const seen = lines.filter(({ box }) => hasRoom(box) && inWindow(box));
  for (const { element, text, box } of seen) {
    const y = (box.top + box.bottom) / 2;
    for (const x of [box.left + 3, (box.left + box.right) / 2, box.right - 3]) {
      const hit = document.elementFromPoint(x, y);
      if (!hit || hit.contains(element) || element.contains(hit) || hit.closest("svg")) continue;
      const layer = layerOf(hit, x, y);
      if (!layer || layer.contains(element) || scrollsFree(layer, box)) continue;
      findings.add(`text covered: ${quote(text)} in ${nameOf(element)}, by ${nameOf(layer)}`);
    }
  }

  // Two texts at one place: both are seen if nothing painted lies between them.
  for (let first = 0; first < seen.length; first++) for (let second = first + 1; second < seen.length; second++) {
    const [one, other] = [seen[first], seen[second]];
    if (one.node === other.node) continue;
    const left = Math.max(one.box.left, other.box.left), right = Math.min(one.box.right, other.box.right);
    const top = Math.max(one.box.top, other.box.top), bottom = Math.min(one.box.bottom, other.box.bottom);
    if (right - left <= SLACK || bottom - top <= SLACK) continue;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const hit = document.elementFromPoint(x, y);
    const layer = hit && layerOf(hit, x, y);
    if (layer && !(layer.contains(one.element) && layer.contains(other.element))) continue;
    const [lower, upper] = [one, other].map(({ text, element }) => `${quote(text)} in ${nameOf(element)}`);
    findings.add(`texts over each other: ${lower}, ${upper}`);
  }

  // A picture that sticks out of the ground it belongs to may lie on bare ground, but on nothing else.
  const pictures = [...document.querySelectorAll("main :is(svg, img)")].filter(
    (one) => !one.parentElement.closest("svg") && !isHidden(one));
  for (const picture of pictures) {
    const isGroundOf = (one) => one !== picture && !isGround(one) && isPainted(one);
    const ground = [...chain(picture)].find(isGroundOf)?.getBoundingClientRect();
    const { box } = clip(picture.getBoundingClientRect(), picture);
    if (!ground || !hasRoom(box) || !inWindow(box)) continue;
    const OUT = 6;
    const y = (box.top + box.bottom) / 2;
    const ends = [[box.right > ground.right + OUT, box.right - 2], [box.left < ground.left - OUT, box.left + 2]];
    for (const [isOut, x] of ends) {
      if (!isOut) continue;
      const isFree = (one) => one !== picture && !picture.contains(one) && !isGround(one) && isPainted(one);
      const layer = document.elementsFromPoint(x, y).find(isFree);
      if (!layer || layer.contains(picture)) continue;
      findings.add(`picture beyond its ground: ${nameOf(picture)} on ${nameOf(layer)}`);
    }
  }
  // A small picture at the place of a text that has no ground of its own: one of them can't be made out.
  const LARGE = 200;
  for (const picture of pictures) {
    const { box } = clip(picture.getBoundingClientRect(), picture);
    if (!hasRoom(box) || !inWindow(box) || box.right - box.left > LARGE) continue;
    for (const { element, text, box: other } of seen) {
      if (picture.parentElement.contains(element)) continue;
      const left = Math.max(box.left, other.left), right = Math.min(box.right, other.right);
      const top = Math.max(box.top, other.top), bottom = Math.min(box.bottom, other.bottom);
      if (right - left <= 2 * SLACK || bottom - top <= 2 * SLACK) continue;
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const isLayer = (one) => picture.contains(one) || !isGround(one) && isPainted(one);
      const hit = document.elementsFromPoint(x, y).find(isLayer);
      const layer = picture.contains(hit) ? layerOf(picture.parentElement, x, y) : hit;
      if (!hit || layer && !(layer.contains(element) && layer.contains(picture))) continue;
      findings.add(`picture on a text: ${nameOf(picture)} on ${quote(text)} in ${nameOf(element)}`);
    }
  }
  for (const one of untouchable) one.style.removeProperty("pointer-events");

  // What is placed by coordinates escapes a box that scrolls, and lets the page go on below its end.
  const root = document.documentElement;
  const end = Math.max(innerHeight, document.body.getBoundingClientRect().bottom + scrollY);
  if (root.scrollHeight > end + SLACK) {
    findings.add(`page goes on below its end: by ${Math.round(root.scrollHeight - end)} px`);
  }
  return [...findings];
}"""

"""Script that returns the findings as sentences; its argument is the selector of what a decision needs."""


TARGETS: Final = r"""([needed, tight, least, leastByTouch, leastInTight]) => {
  const findings = new Set();
  const SLACK = 0.5;
  const touch = matchMedia("(pointer: coarse)").matches || navigator.maxTouchPoints > 0;
  const isOut = (one) => !one.checkVisibility({ visibilityProperty: true }) || one.closest(".unseen, .skip");
  const nameOf = (one) => one.id ? `#${one.id}` : `${one.localName} “${one.textContent.trim().slice(0, 30)}”`;
  // A link in a sentence is as high as its line (WCAG 2.5.8).
  const isInText = (one) => one.localName === "a" && getComputedStyle(one).display === "inline";
  for (const one of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (one.type === "hidden" || one.disabled || isInText(one)) continue;
    const label = one.closest("label") ?? (one.labels?.[0]?.checkVisibility() ? one.labels[0] : null);
    const parts = [one, label].filter((part) => part && !isOut(part));
    const boxes = parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width > 2 && box.height > 2);
    if (!boxes.length) continue;
    const width = Math.max(...boxes.map((box) => box.width)), height = Math.max(...boxes.map((box) => box.height));
    const isTight = one.closest(tight);
    const isLink = one.localName === "a" && !one.matches(".button");
    const isFree = !isTight && !isLink;  // it has its own ground, so it can be as large as a finger
    const floor = !touch || !(isFree || one.matches(needed)) ? least : isFree ? leastByTouch : leastInTight;
    if (Math.min(width, height) < floor - SLACK) {
      findings.add(`target too small: ${nameOf(one)} of ${Math.round(width)}×${Math.round(height)} px`);
    }
    const picture = (label ?? one).querySelector("svg, img")?.getBoundingClientRect();
    if (picture && (picture.width > width + 3 || picture.height > height + 3)) {
      findings.add(`smaller than its picture: ${nameOf(one)}`);
    }
  }
  return [...findings];
}"""
"""Script that returns the targets that are too small; arguments are two selectors and three sizes in pixels."""

GROUND: Final = r"""([board, ground]) => {
  const area = document.querySelector(board)?.getBoundingClientRect();
  if (!area) return 0;
  const STEPS = 24;
  let bare = 0, all = 0;
  for (let row = 0; row < STEPS; row++) for (let column = 0; column < STEPS; column++) {
    const x = area.left + (column + 0.5) * area.width / STEPS, y = area.top + (row + 0.5) * area.height / STEPS;
    const hit = document.elementFromPoint(x, y);
    if (!hit) continue;
    all++;
    if (hit.matches(ground)) bare++;
  }
  return all ? bare / all : 0;
}"""
"""Script that returns the share of the board at which nothing lies on its ground."""

SHIFT: Final = r"""async (most) => {
  const entries = [];
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  await new Promise((done) => setTimeout(done, 20));
  observer.disconnect();
  const shifts = entries.filter((entry) => !entry.hadRecentInput);
  const sum = shifts.reduce((before, { value }) => before + value, 0);
  if (sum <= most) return [];
  const moved = shifts.flatMap(({ sources }) => sources.map(({ node }) => {
    const element = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement;
    return element?.id ? `#${element.id}` : element?.getAttribute("class") || element?.localName;
  }));
  return [`layout shift of ${sum.toFixed(2)}: ${[...new Set(moved)].join(", ")}`];
}"""
"""Script that returns how much moved by itself since the page was opened, and its names, if it is above ``most``."""

MOST_SHIFT: Final = 0.05
"""Highest cumulative layout shift of a page that nobody touches (web.dev/cls calls 0.1 good)."""

LEAST_TARGET: Final = 24
LEAST_BY_TOUCH: Final = 44
LEAST_IN_TIGHT: Final = 35
"""Pixels of a target (WCAG 2.5.8), of one where fingers press it, and of one that a decision on a board needs."""

TIGHT: Final = "#board, #choosing, #ending, .heading, .top"
"""Selector of what has no room for 44 px in each window: a board with its bar and dock."""

MOST_GROUND: Final = 0.25
"""Largest share of the board that may be bare while something on it is cut."""


def drawn_seed() -> int | None:
    """Return the seed from which window sizes are drawn, or None if none are drawn.

    ``KONTOR_WINDOWS=<seed>`` draws the same windows again. ``KONTOR_WINDOWS=any`` and the thorough profile draw
    others each time. The usual run looks only at the fixed windows, so its verdict follows from the code.
    """
    chosen = os.environ.get(SEED_VARIABLE, "any" if PROFILE == "thorough" else "")
    return (Random().randrange(10**6) if chosen == "any" else int(chosen)) if chosen else None


def drawn_sizes(count: int, seed: int | None) -> list[Size]:
    """Return ``count`` window sizes drawn at random, or none without a seed."""
    if seed is None:
        return []
    random = Random(seed)
    return [(random.randint(*WIDTHS), random.randint(*HEIGHTS)) for _ in range(count)]


def findings(page: Page, needed: str = NEEDED) -> list[str]:
    """Return what is wrong on the page in its window, once its layout has settled.

    ``needed`` is a selector of what the reader needs for a decision.
    """
    page.evaluate(SETTLED)
    return list(page.evaluate(AUDIT, needed))


def findings_at(page: Page, sizes: Iterable[Size], needed: str = NEEDED) -> dict[str, list[Size]]:
    """Return the findings at windows of these sizes, each with the sizes at which it appears."""
    sizes_of: dict[str, list[Size]] = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for finding in findings(page, needed):
            sizes_of.setdefault(finding, []).append((width, height))
    return sizes_of


def small_targets(page: Page, needed: str = NEEDED) -> list[str]:
    """Return the targets on the page that are too small to be hit, or smaller than their pictures."""
    return list(page.evaluate(TARGETS, [needed, TIGHT, LEAST_TARGET, LEAST_BY_TOUCH, LEAST_IN_TIGHT]))


def shifts(page: Page) -> list[str]:
    """Return what moved by itself since the page was opened, if it is too much."""
    return list(page.evaluate(SHIFT, MOST_SHIFT))


def bare_ground(page: Page, board: str, ground: str) -> float:
    """Return the share of the board (a selector) where a pointer meets only its ground (a selector)."""
    return float(page.evaluate(GROUND, [board, ground]))


def report(sizes_of: dict[str, list[Size]], seed: int | None) -> str:
    """Return the findings as text, one a line, with the command that draws the same windows again."""
    lines = [
        f"{finding}: {', '.join(f'{width}×{height}' for width, height in at)}" for finding, at in sizes_of.items()
    ]
    again = [f"The same windows are drawn with {SEED_VARIABLE}={seed}."] if seed is not None else []
    return "\n".join([*lines, *again])
