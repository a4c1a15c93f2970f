import { signal } from "@preact/signals";

/** The root font's size on a laptop, for which everything that is painted was measured. */
const laptopPx = 14;
/** Finer steps would have plots painted anew for each pixel of a window that is being resized. */
const stepsPerUnit = 10;

/** How much larger what is painted has to be, for a root font of this size. */
export function scaleOf(rootFontPx: number): number {
  if (!Number.isFinite(rootFontPx)) return 1;
  return Math.max(1, Math.round((rootFontPx / laptopPx) * stepsPerUnit) / stepsPerUnit);
}

/** How much larger than on a laptop words are on this screen; what is painted on canvases follows it. */
export const rootScale = signal(read());

if (typeof window !== "undefined") {
  window.addEventListener("resize", () => {
    rootScale.value = read();
  });
}

/** Pixels of a canvas for what is one pixel on a laptop's page. */
export function paintRatio(): number {
  return devicePixelRatio * rootScale.peek();
}

function read(): number {
  if (typeof document === "undefined") return 1;
  return scaleOf(Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
}
