import type { ThrottleReason } from "./telemetry.ts";

// https://docs.nvidia.com/deploy/nvml-api: nvmlClocksEventReasons
const reasonsByBit: readonly (readonly [bit: bigint, reason: ThrottleReason])[] = [
  [0x01n, "gpu-idle"],
  [0x02n, "applications-clocks"],
  [0x04n, "sw-power-cap"],
  [0x08n, "hw-slowdown"],
  [0x10n, "sync-boost"],
  [0x20n, "sw-thermal"],
  [0x40n, "hw-thermal"],
  [0x80n, "hw-power-brake"],
  [0x100n, "display-clocks"],
];

/** The reasons in NVML's set of bits; bits of a later driver are `other`. */
export function throttleReasons(bits: bigint): ThrottleReason[] {
  const known = reasonsByBit.filter(([bit]) => (bits & bit) !== 0n).map(([, reason]) => reason);
  const rest = reasonsByBit.reduce((left, [bit]) => left & ~bit, bits);
  return rest === 0n ? known : [...known, "other"];
}

const harmless: ReadonlySet<ThrottleReason> = new Set([
  "gpu-idle",
  "applications-clocks",
  "display-clocks",
]);

/**
 * Whether a GPU that works is slowed by it against anybody's will. Being idle, and clocks that
 * somebody set, are not.
 */
export function slowsDown(reason: ThrottleReason): boolean {
  return !harmless.has(reason);
}
