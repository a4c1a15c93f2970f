import { resolve } from "node:path";
import { messageOf, type TesseraError } from "../../platform/errors/index.ts";
import { parseBytes } from "../../platform/units/index.ts";
import type { CudaDeviceId } from "../../runtime/cuda/device/device.ts";
import type { Corruption, StressKind } from "../../runtime/stress/engine.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

/** What the command line asks for, checked as far as no device is needed for it. */
export interface StressRequest {
  readonly kind: StressKind;
  readonly durationMs: number;
  /** Undefined for the first GPU, else the processors. */
  readonly device: CudaDeviceId | "cpu" | undefined;
  /** Rows and columns, for matmul and mixed. */
  readonly side: number | undefined;
  /** For memory and io. */
  readonly sizeBytes: number | undefined;
  readonly dtype: string | undefined;
  readonly verify: boolean;
  readonly corrupt: Corruption | undefined;
  /** Absolute; there for io. */
  readonly folder: string | undefined;
}

const minutesMax = 7 * 24 * 60;
const sideMin = 16;
const sideMax = 65_536;
const bytesMin = 4096;
const bytesMax = 2 ** 50;

/** Reads the arguments. @throws E_USAGE */
export function readStressRequest({ args, options, io }: Invocation): StressRequest {
  const kind = args[0] as StressKind;
  const text = (name: string) => {
    const value = options[name];
    return typeof value === "string" ? value : undefined;
  };
  const size = text("size");
  const isBytes = kind === "memory" || kind === "io";
  const dir = text("dir");
  if (kind === "io" && dir === undefined) throw stressUsage("--dir is missing: io needs a folder.");
  if (kind !== "io" && dir !== undefined) throw stressUsage("--dir belongs to io.");
  if (kind === "io" && text("device") !== undefined) {
    throw stressUsage("--device does not go with io, which needs neither GPU nor processor.");
  }
  if (kind !== "matmul" && text("dtype") !== undefined) {
    throw stressUsage("--dtype belongs to matmul.");
  }
  return {
    kind,
    durationMs: minutes(text("minutes") ?? "1") * 60_000,
    device: deviceOf(text("device")),
    side: size === undefined || isBytes ? undefined : sideOf(size),
    sizeBytes: size === undefined || !isBytes ? undefined : bytesOf(size),
    dtype: text("dtype"),
    verify: text("verify") !== "none",
    corrupt: corruptionOf(text("corrupt"), text("verify") !== "none"),
    folder: dir === undefined ? undefined : resolve(io.cwd, dir),
  };
}

/** An E_USAGE of `tessera stress`. */
export function stressUsage(problem: string): TesseraError {
  return usageError("stress", problem);
}

function minutes(text: string): number {
  const value = /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= minutesMax) return value;
  throw stressUsage(
    `--minutes is ${JSON.stringify(text)}, not a number above 0 and up to ${minutesMax}.`,
  );
}

function deviceOf(text: string | undefined): CudaDeviceId | "cpu" | undefined {
  if (text === undefined || text === "cpu") return text;
  if (/^cuda:\d{1,3}$/.test(text)) return text as CudaDeviceId;
  throw stressUsage(`--device is ${JSON.stringify(text)}, not cpu or a GPU such as cuda:0.`);
}

function sideOf(text: string): number {
  const side = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (side >= sideMin && side <= sideMax) return side;
  throw stressUsage(
    `--size is ${JSON.stringify(text)}, not a whole number of rows from ${sideMin} to ${sideMax}.`,
  );
}

function bytesOf(text: string): number {
  let bytes: number;
  try {
    bytes = parseBytes(text);
  } catch (error) {
    throw stressUsage(`--size: ${messageOf(error)}`);
  }
  if (bytes >= bytesMin && bytes <= bytesMax) return bytes;
  throw stressUsage(`--size is ${JSON.stringify(text)}; memory and io take from 4KiB to 1PiB.`);
}

function corruptionOf(text: string | undefined, verifies: boolean): Corruption | undefined {
  if (text === undefined) return undefined;
  if (!verifies) throw stressUsage("--corrupt needs --verify checksum, which is to find it.");
  const [, iteration, bit] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  if (iteration !== undefined && bit !== undefined) {
    return { iteration: Number(iteration), bit: Number(bit) };
  }
  throw stressUsage(
    `--corrupt is ${JSON.stringify(text)}, not iteration:bit in whole numbers, such as 100:12.`,
  );
}
