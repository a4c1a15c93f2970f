import type { Standing } from "../../../../../src/control/api/common.ts";
import type { Palette } from "./pixels.ts";
import { staleBit, standingsByCode } from "./standing-codes.ts";

/** A colour as red, green and blue. */
export type Rgb = readonly [number, number, number];

export interface HeatColours {
  readonly palette: Palette;
  /** Behind the cells. */
  readonly ground: Rgb;
  readonly ink: Rgb;
  readonly faint: Rgb;
  readonly accent: Rgb;
  /** What can be read on a cell, by code. */
  readonly onCell: readonly Rgb[];
}

/** What asks for nobody steps back, so that the others stand out: most of a fleet passes. */
const shares: Readonly<Partial<Record<Standing, number>>> = { pass: 0.5, untested: 0.35 };
const staleShare = 0.4;
const dimShare = 0.14;

/** The colours of the map from those of the theme: old evidence is paler, what was not found too. */
export function heatColours(theme: {
  readonly standings: Readonly<Record<Standing, Rgb>>;
  readonly ground: Rgb;
  readonly ink: Rgb;
  readonly faint: Rgb;
  readonly accent: Rgb;
}): HeatColours {
  const plain = new Uint32Array(staleBit * 2);
  const dimmed = new Uint32Array(staleBit * 2);
  const onCell: Rgb[] = [];
  for (const [code, standing] of standingsByCode.entries()) {
    const own = theme.standings[standing];
    const full = mix(theme.ground, own, shares[standing] ?? 1);
    for (const isStale of [false, true]) {
      const shown = isStale ? mix(theme.ground, full, staleShare) : full;
      const at = isStale ? code | staleBit : code;
      plain[at] = packed(shown);
      dimmed[at] = packed(mix(theme.ground, shown, dimShare));
      onCell[at] = readableOn(shown);
    }
  }
  const { ground, ink, faint, accent } = theme;
  return { palette: { plain, dimmed }, ground, ink, faint, accent, onCell };
}

/** So much of `over`, the rest of `under`. */
export function mix(under: Rgb, over: Rgb, share: number): Rgb {
  const channel = (at: 0 | 1 | 2) => Math.round(under[at] * (1 - share) + over[at] * share);
  return [channel(0), channel(1), channel(2)];
}

/** As the pixels of a picture on a little-endian machine, which every browser's is. */
export function packed([red, green, blue]: Rgb): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Black or white, whichever stands out more. */
export function readableOn(colour: Rgb): Rgb {
  const light = luminance(colour);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? [0, 0, 0] : [255, 255, 255];
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}
