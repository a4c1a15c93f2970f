import type { Tone } from "./tone.ts";

/** How a point is told besides its colour, and what it means where points are runs. */
export interface PointLook {
  readonly shape: "disc" | "triangle" | "diamond" | "square" | "ring" | "cross";
  /** The shape as a sign in a line of text. */
  readonly sign: string;
  readonly word: string;
}

const looks: Partial<Readonly<Record<Tone, PointLook>>> = {
  pass: { shape: "disc", sign: "●", word: "pass" },
  warn: { shape: "triangle", sign: "▲", word: "warn" },
  suspect: { shape: "diamond", sign: "◆", word: "suspect" },
  fail: { shape: "square", sign: "■", word: "fail" },
  unknown: { shape: "cross", sign: "✕", word: "unknown" },
};
const plain: PointLook = { shape: "ring", sign: "○", word: "not judged" };

export function pointLook(tone: Tone | undefined): PointLook {
  return (tone === undefined ? undefined : looks[tone]) ?? plain;
}

/** The tones that points of these have, each once, in the order in which they first come. */
export function tonesOf(tones: readonly (Tone | undefined)[]): readonly Tone[] {
  return [...new Set(tones.map((tone) => tone ?? "untested"))];
}

type Pen = Pick<
  CanvasRenderingContext2D,
  "beginPath" | "moveTo" | "lineTo" | "arc" | "closePath" | "fill" | "stroke"
>;

const corners: Readonly<Record<"triangle" | "diamond" | "square", readonly [number, number][]>> = {
  triangle: [
    [0, -1.2],
    [1.15, 0.9],
    [-1.15, 0.9],
  ],
  diamond: [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
  square: [
    [-0.95, -0.95],
    [0.95, -0.95],
    [0.95, 0.95],
    [-0.95, 0.95],
  ],
};

/** A point in the colours that are set. */
export function drawPoint(
  pen: Pen,
  { shape }: PointLook,
  { x, y, radius }: { readonly x: number; readonly y: number; readonly radius: number },
): void {
  pen.beginPath();
  if (shape === "disc" || shape === "ring") {
    pen.arc(x, y, radius, 0, 2 * Math.PI);
  } else if (shape === "cross") {
    for (const side of [1, -1]) {
      pen.moveTo(x - radius, y - side * radius);
      pen.lineTo(x + radius, y + side * radius);
    }
  } else {
    for (const [dx, dy] of corners[shape]) pen.lineTo(x + dx * radius, y + dy * radius);
    pen.closePath();
  }
  if (shape === "ring" || shape === "cross") pen.stroke();
  else pen.fill();
}
