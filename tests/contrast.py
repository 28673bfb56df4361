"""The contrast of all text that is seen on a page (WCAG 2, level AA)."""

from __future__ import annotations

from typing import Any

_LOW = """
() => {
  const painted = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    painted.clearRect(0, 0, 1, 1);
    painted.fillStyle = color;
    painted.fillRect(0, 0, 1, 1);
    return [...painted.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a)).concat(1);
  const light = (color) => {
    const [r, g, b] = color.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    const below = node.parentElement ? ground(node.parentElement) : [1, 1, 1, 1];
    return over(rgba(getComputedStyle(node).backgroundColor), below);
  };
  const isFaint = (node) => node && (node.closest("[aria-disabled], :disabled, [inert]") !== null);
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    if (node.closest("svg, script, style, noscript") || isFaint(node) || style.clipPath !== "none") continue;
    const back = ground(node);
    const [a, b] = [light(over(rgba(style.color), back)), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) {
      found.push(`${texts.currentNode.data.trim()} (${node.className || node.tagName}): ${ratio.toFixed(2)}`);
    }
  }
  return [...new Set(found)];
}
"""


def low_contrasts(page: Any) -> list[str]:
    """Each text whose contrast is below 4.5, of large text below 3; controls that are disabled do not count."""
    found: list[str] = page.evaluate(_LOW)
    return found
