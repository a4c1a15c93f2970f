import { messageOf } from "../../platform/errors/index.ts";
import { parseBytes } from "../../platform/units/index.ts";
import { type DType, dtypeInfo } from "../../runtime/tensor/dtype/index.ts";
import { collectiveUsage } from "./usage.ts";

/** A tensor that is modelled and carried out. */
export interface GivenShape {
  readonly shape: readonly number[];
  readonly dtype: DType;
}

const pointsMax = 100_000;
const bytesMax = 2 ** 50;
const shapePattern = /^\d{1,10}(?:x\d{1,10}){0,7}$/;

/** The sizes of `--bytes 64MiB,1GiB`. @throws E_USAGE */
export function parseSizes(text: string): readonly number[] {
  const parts = text.split(",");
  if (parts.length > pointsMax) throw collectiveUsage(`--bytes takes up to ${pointsMax} sizes.`);
  return parts.map((part) => parseSize(part, "--bytes"));
}

/** The sizes of `--sweep 1KiB..16GiB`: every doubling, or `/n` of them spaced evenly in ratio. @throws E_USAGE */
export function parseSweep(text: string): readonly number[] {
  const [, fromText, toText, pointsText] = /^(.+?)\.\.([^/]+?)(?:\/(\d+))?$/.exec(text) ?? [];
  if (fromText === undefined || toText === undefined) {
    throw collectiveUsage(`--sweep is ${JSON.stringify(text)}, not a range such as 1KiB..16GiB.`);
  }
  const from = parseSize(fromText, "--sweep");
  const to = parseSize(toText, "--sweep");
  if (from < 1 || to < from) {
    throw collectiveUsage(
      `--sweep goes from a size of 1 byte or more up to a larger one, not ${text}.`,
    );
  }
  if (pointsText === undefined) return doublings(from, to);
  const points = Number(pointsText);
  if (points < 2 || points > pointsMax) {
    throw collectiveUsage(`--sweep takes 2 to ${pointsMax} points, not ${pointsText}.`);
  }
  const sizes = Array.from({ length: points }, (_, index) =>
    Math.round(from * (to / from) ** (index / (points - 1))),
  );
  return [...new Set(sizes)];
}

function doublings(from: number, to: number): readonly number[] {
  const sizes: number[] = [];
  for (let size = from; size < to; size *= 2) sizes.push(size);
  return [...sizes, to];
}

/** The sizes of `--shape 4096x4096`, each 1 or more. @throws E_USAGE */
export function parseShape(text: string): readonly number[] {
  const shape = shapePattern.test(text) ? text.split("x").map(Number) : [];
  if (shape.length === 0 || shape.includes(0)) {
    throw collectiveUsage(
      `--shape is ${JSON.stringify(text)}, not sizes of 1 and more such as 4096x4096.`,
    );
  }
  return shape;
}

/** The bytes of a tensor. @throws E_USAGE when it is larger than any machine. */
export function bytesOf({ shape, dtype }: GivenShape): number {
  const bytes = shape.reduce((product, size) => product * size, dtypeInfo(dtype).bytes);
  return checked(bytes, "--shape");
}

function parseSize(text: string, flag: string): number {
  try {
    return checked(parseBytes(text, { where: flag }), flag);
  } catch (error) {
    throw collectiveUsage(`${messageOf(error)}.`);
  }
}

function checked(bytes: number, flag: string): number {
  if (bytes <= bytesMax) return bytes;
  throw collectiveUsage(`${flag} is larger than 1 PiB, more than any machine holds`);
}
