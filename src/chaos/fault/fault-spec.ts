import { didYouMean } from "../../platform/config/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { Breakage } from "../../runtime/dist/health/index.ts";
import type { DeviceId } from "../../runtime/dist/mesh/index.ts";

/** A half-open range of numbers: `[0, 64]` is 0 to 63. */
export type FaultRange = readonly [from: number, to: number];

/** A bit that a device gets wrong without noticing. */
export interface BitFlip {
  readonly device: DeviceId;
  /** Counted from the lowest; a dtype with fewer bits is spared. @default 0 */
  readonly bit?: number;
  /** Row-major index in the device's own data; an operation on fewer elements is spared. @default 0 */
  readonly element?: number;
  /** The operation it happens in, `matmul` or `all-reduce`. @default every one */
  readonly op?: string;
  /** What the device hands to a collective, or what it is left with. @default "contribution" */
  readonly where?: "contribution" | "output";
}

/** What to break. Several faults in one spec begin and end together. */
export interface FaultSpec {
  /** A device, or several, that take part in nothing any more. */
  readonly dropDevice?: DeviceId | readonly DeviceId[];
  /**
   * Ranges whose members do not reach anything outside their own range: of nodes where the mesh has
   * an axis of nodes, of device numbers elsewhere. What no range names stays together.
   */
  readonly networkPartition?: readonly FaultRange[];
  /** A device, or several, whose results have a wrong bit: silent data corruption. */
  readonly bitFlip?: BitFlip | readonly BitFlip[];
}

/** How each fault of the catalogue is written into the record of what is broken. */
const catalogue: Readonly<Record<keyof FaultSpec, (value: unknown) => readonly Breakage[]>> = {
  dropDevice: droppedDevices,
  networkPartition: partition,
  bitFlip: bitFlips,
};

const known = Object.keys(catalogue) as readonly (keyof FaultSpec)[];

/** What a spec breaks. @throws E_FAULT_UNKNOWN, E_FAULT_INVALID */
export function breakagesOf(spec: FaultSpec): readonly Breakage[] {
  const given = Object.entries(spec).filter(([, value]) => value !== undefined);
  if (given.length === 0) {
    throw invalid("{}", "it names nothing to break", `Name one of ${known.join(", ")}.`);
  }
  return given.flatMap(([name, value]) => {
    const fault = known.find((one) => one === name);
    if (fault === undefined) throw unknownFault(name);
    return catalogue[fault](value);
  });
}

function droppedDevices(value: unknown): readonly Breakage[] {
  const devices: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (devices.length === 0 || !devices.every(isDeviceId)) {
    throw invalid(
      "dropDevice",
      `${show(value)} names no device`,
      'Give a device as its mesh calls it, 5 or "GPU5", or a list of devices.',
    );
  }
  return devices.map((device) => ({ kind: "dead", device }));
}

function partition(value: unknown): readonly Breakage[] {
  const ranges: readonly unknown[] = Array.isArray(value) ? value : [];
  if (ranges.length === 0 || !ranges.every(isRange)) {
    throw invalid(
      "networkPartition",
      `${show(value)} is no list of ranges`,
      "Give half-open ranges of nodes (of devices, where the mesh has no nodes): [[0, 64]] cuts 0 to 63 off.",
    );
  }
  return [{ kind: "cut", sides: ranges.map((range) => ({ range })) }];
}

function bitFlips(value: unknown): readonly Breakage[] {
  const flips: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (flips.length === 0 || !flips.every(isBitFlip)) {
    throw invalid(
      "bitFlip",
      `${show(value)} is no flipped bit`,
      'Give { device: 5 }, and if you like bit (0 to 63), element, op ("matmul") and where ("contribution", "output").',
    );
  }
  return flips.map(({ device, bit = 0, element = 0, op, where }) => ({
    kind: "corrupt",
    device,
    bit,
    element,
    ...(op === undefined ? {} : { when: op }),
    ...(where === undefined ? {} : { where }),
  }));
}

function isBitFlip(value: unknown): value is BitFlip {
  if (typeof value !== "object" || value === null || !("device" in value)) return false;
  const { device, bit = 0, element = 0, op = "", where = "output", ...rest } = value as BitFlip;
  return (
    isDeviceId(device) &&
    isNumber(bit) &&
    bit < 64 &&
    isNumber(element) &&
    typeof op === "string" &&
    (where === "output" || where === "contribution") &&
    Object.keys(rest).length === 0
  );
}

function isDeviceId(value: unknown): value is DeviceId {
  return typeof value === "string" ? value.trim() !== "" : isNumber(value);
}

function isRange(value: unknown): value is FaultRange {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as readonly unknown[];
  return isNumber(from) && isNumber(to) && from < to;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function unknownFault(name: string): TesseraError {
  const suggestion = didYouMean(name, known);
  return new TesseraError("E_FAULT_UNKNOWN", { fault: name, suggestion, known: known.join(", ") });
}

function invalid(fault: string, problem: string, remedy: string): TesseraError {
  return new TesseraError("E_FAULT_INVALID", { fault, problem, remedy });
}

/** Any value in a few characters. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
