import type { Page } from "playwright-core";

/** A piece of text whose colour is too close to what lies behind it. */
export interface FaintText {
  readonly text: string;
  readonly ratio: number;
}

/** Texts of a page below a contrast ratio, as WCAG 2 computes it. Graphics are left out. */
export function findFaintTexts(page: Page, ratioMin: number): Promise<FaintText[]> {
  // Runs in the page, where nothing of this file exists.
  return page.evaluate(`(() => {
    const parse = (color) => {
      const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
      // Mixed colours come as color(srgb 0.5 ...), all others as rgb(128 ...).
      const scale = color.startsWith("color(") ? 255 : 1;
      return { rgb: [red * scale, green * scale, blue * scale], alpha };
    };
    const over = (front, back) =>
      front.rgb.map((value, at) => value * front.alpha + back[at] * (1 - front.alpha));
    const luminance = (rgb) => {
      const [red, green, blue] = rgb.map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element) => {
      if (element === null) return [255, 255, 255];
      const own = parse(getComputedStyle(element).backgroundColor);
      return own.alpha === 1 ? own.rgb : over(own, behind(element.parentElement));
    };
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.data.trim();
      if (text === "" || element.closest("svg, script, style, noscript") !== null) continue;
      if (element.getClientRects().length === 0) continue;
      const back = behind(element);
      const front = over(parse(getComputedStyle(element).color), back);
      const [dark, light] = [luminance(front), luminance(back)].sort((a, b) => a - b);
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio < ${ratioMin}) faint.push({ text, ratio });
    }
    return faint;
  })()`);
}
