import { TesseraError } from "../../platform/errors/index.ts";
import type { Breakage } from "../../runtime/dist/index.ts";

/** What the user asked to break, and how the report says so. */
export interface Rehearsal {
  readonly breakages: readonly Breakage[];
  readonly notes: readonly string[];
}

/** Where a wrong bit shows however a sum is rounded: the top of an f32's fraction. */
const defaultBit = 22;
const bitsMax = 32;

/** Reads `--corrupt` and `--slow`. Throws E_USAGE for what is not a device of this world. */
export function rehearsalOf(
  options: Readonly<Record<string, unknown>>,
  { command, devices }: { readonly command: string; readonly devices: number },
): Rehearsal {
  const usage = (problem: string) => new TesseraError("E_USAGE", { problem, command });
  const deviceOf = (text: string | undefined, flag: string): number => {
    const device = wholeNumber(text);
    if (device !== undefined && device < devices) return device;
    throw usage(`${flag} names a device from 0 to ${devices - 1}, not "${text}".`);
  };
  const breakages: Breakage[] = [];
  const notes: string[] = [];
  if (typeof options["corrupt"] === "string") {
    const [first, second = "0", third = String(defaultBit), ...more] =
      options["corrupt"].split(":");
    const device = deviceOf(first, "--corrupt");
    const element = wholeNumber(second);
    const bit = wholeNumber(third);
    if (element === undefined || bit === undefined || bit >= bitsMax || more.length > 0) {
      throw usage("--corrupt is device[:element[:bit]] in whole numbers, bits from 0 to 31.");
    }
    breakages.push({ kind: "corrupt", device, element, bit });
    notes.push(`broken on purpose: device ${device} flips bit ${bit} of element ${element}`);
  }
  if (typeof options["slow"] === "string") {
    const [first, second, ...more] = options["slow"].split(":");
    const device = deviceOf(first, "--slow");
    const factor = Number(second);
    if (!(factor >= 1 && Number.isFinite(factor)) || more.length > 0) {
      throw usage("--slow is device:factor with a factor from 1.");
    }
    breakages.push({ kind: "slow", device, factor });
    notes.push(`broken on purpose: the links of device ${device} are ${factor} times slower`);
  }
  return { breakages, notes };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
