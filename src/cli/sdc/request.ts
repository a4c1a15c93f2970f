import type { SdcBenchOptions } from "../../runtime/verify/bench/run-sdc-bench.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

export type SdcBenchSizes = Required<
  Pick<SdcBenchOptions, "side" | "products" | "bitTrials" | "patternTrials">
>;

const sideMin = 64;
const sideMax = 4096;
const full: SdcBenchSizes = { side: 1024, products: 20, bitTrials: 2000, patternTrials: 400 };
const quick: SdcBenchSizes = { side: 256, products: 8, bitTrials: 200, patternTrials: 60 };

/** Reads the options of `tessera sdc bench`. @throws E_USAGE */
export function readSdcBenchSizes({ options }: Pick<Invocation, "options">): SdcBenchSizes {
  const sizes = options["quick"] === true ? quick : full;
  const text = options["size"];
  if (typeof text !== "string") return sizes;
  const side = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (side >= sideMin && side <= sideMax) return { ...sizes, side };
  throw usageError(
    "sdc bench",
    `--size is ${JSON.stringify(text)}, not a whole number from ${sideMin} to ${sideMax}.`,
  );
}
