// The share of the window that factories and boards fill, the smallest letters in pixels, and where they stand.
() => {
  const parts = [...document.querySelectorAll('#board svg > [id]')].map((part) => part.getBoundingClientRect());
  const left = Math.max(0, Math.min(...parts.map((box) => box.left)));
  const right = Math.min(innerWidth, Math.max(...parts.map((box) => box.right)));
  const top = Math.max(0, Math.min(...parts.map((box) => box.top)));
  const bottom = Math.min(innerHeight, Math.max(...parts.map((box) => box.bottom)));
  const sizes = [...document.querySelectorAll('body *')]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((one) => one.checkVisibility() && !one.closest('script, template, .unseen') && one.getClientRects().length)
    .map((one) => {
      const { a, b } = one.getScreenCTM?.() ?? { a: 1, b: 0 };
      return [parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b), one.textContent.trim()];
    }).filter(([size]) => size > 0).sort((one, other) => one[0] - other[0]);
  return [(right - left) * (bottom - top) / (innerWidth * innerHeight), ...(sizes[0] ?? [0, ''])];
}
