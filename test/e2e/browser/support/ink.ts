import type { Locator } from "playwright-core";

export interface Ink {
  /** Pixels that are more than grey. */
  readonly coloured: number;
  /** The longest run of red from left to right, as a share of the width. */
  readonly redLine: number;
}

/** As much of a canvas as is needed here, where there is no browser. */
interface Painted {
  readonly width: number;
  readonly height: number;
  getContext(kind: "2d"): {
    getImageData(...box: [number, number, number, number]): {
      readonly data: Readonly<ArrayLike<number>>;
    };
  };
}

/** What is painted on the canvas inside an element. */
export function inkOf(element: Locator): Promise<Ink> {
  // Runs in the page, where nothing else of this file exists.
  return element.locator("canvas").evaluate((found) => {
    const canvas = found as unknown as Painted;
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    let [coloured, redLine] = [0, 0];
    for (let y = 0; y < height; y++) {
      let run = 0;
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 4;
        const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
        const isDrawn = (data[at + 3] ?? 0) > 128;
        if (isDrawn && Math.max(red, green, blue) - Math.min(red, green, blue) > 40) coloured++;
        run = isDrawn && red > 150 && green < 90 && blue < 100 ? run + 1 : 0;
        redLine = Math.max(redLine, run);
      }
    }
    return { coloured, redLine: redLine / width };
  });
}
