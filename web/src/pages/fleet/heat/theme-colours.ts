import { themeColor } from "../../../theme.ts";
import { type HeatColours, heatColours, type Rgb } from "./colours.ts";
import { standingsByCode } from "./standing-codes.ts";

const grey: Rgb = [128, 128, 128];

/** The colours the style sheet has right now. */
export function readThemeColours(): HeatColours {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1, 1];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const colour = (name: string): Rgb => {
    const text = themeColor(name);
    if (context === null || text === "") return grey;
    // The browser reads every way to write a colour; a pixel has it as numbers.
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  };
  const standings = Object.fromEntries(
    standingsByCode.map((standing) => [standing, colour(`--${standing}`)]),
  ) as Record<(typeof standingsByCode)[number], Rgb>;
  return heatColours({
    standings,
    ground: colour("--panel"),
    ink: colour("--ink"),
    faint: colour("--ink-2"),
    accent: colour("--accent"),
  });
}
