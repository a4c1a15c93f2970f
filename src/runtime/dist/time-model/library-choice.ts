import { headsMax } from "./forms/in-switch.ts";
import type { RingProtocol } from "./forms/ring.ts";

/** The collectives that have measured curves; the others are derived from them. */
export const coreOps = ["all-reduce", "all-gather", "reduce-scatter", "all-to-all"] as const;
export type CoreOp = (typeof coreOps)[number];

/** Which protocol the library runs. */
export type Protocol = RingProtocol | "nvls";

/** What NCCL expects a protocol to cost. It decides by this, right or wrong. */
interface ExpectedCost {
  readonly protocol: Protocol;
  readonly latencyUs: number;
  readonly usPerByte: number;
}

/** Bus rate NCCL assumes for the 18 NVLink 5 links of a GPU: 40.1 GB/s each (tuning.cc of NCCL 2.30). */
const busBytesPerUs = 40.1e3 * 18;
/** Cap on the rate of LL with one NVLink 5 domain (tuning.cc). */
const llBytesPerUs = 282e3;
const ll128Share = 0.92;
/** In-switch rate: 850 GB/s (GTC25 S72583) times NCCL's efficiency of 0.74 for Blackwell. */
const inSwitchBytesPerUs = 629e3;
const inSwitchUs = 25;
/** Base and hop of each ring protocol, in microseconds (tuning.cc). */
const ringUs = {
  ll: { base: 6.6, hop: 0.6, bytesPerUs: llBytesPerUs },
  ll128: { base: 14, hop: 1.9, bytesPerUs: busBytesPerUs * ll128Share },
  simple: { base: 8.4, hop: 3.4, bytesPerUs: busBytesPerUs },
} as const;

/** The cost of each protocol as NCCL's tuner reckons it: a line over bytes. */
function expectedCosts(op: CoreOp, devices: number, withSwitch: boolean): readonly ExpectedCost[] {
  const steps = (op === "all-reduce" ? 2 : 1) * (devices - 1);
  const rings = (["ll", "ll128", "simple"] as const).map((protocol) => {
    const { base, hop, bytesPerUs } = ringUs[protocol];
    const usPerByte = steps / devices / bytesPerUs;
    return { protocol, latencyUs: base + hop * steps, usPerByte };
  });
  const offered = withSwitch && (op === "all-reduce" || devices <= headsMax);
  if (!offered) return rings;
  return [...rings, { protocol: "nvls", latencyUs: inSwitchUs, usPerByte: 1 / inSwitchBytesPerUs }];
}

/** A stretch of sizes in which one protocol runs, from `fromBytes` to the next stretch. */
export interface Stretch {
  readonly fromBytes: number;
  readonly protocol: Protocol;
}

/** Which protocol NCCL takes for which sizes, in order of size. The first stretch begins at 0. */
export function libraryChoice(options: {
  readonly op: CoreOp;
  readonly devices: number;
  /** Whether the switch may add. @default true */
  readonly withSwitch?: boolean;
}): readonly Stretch[] {
  const costs = expectedCosts(options.op, options.devices, options.withSwitch ?? true);
  let current = costs.reduce((best, cost) => (cost.latencyUs < best.latencyUs ? cost : best));
  const stretches: Stretch[] = [{ fromBytes: 0, protocol: current.protocol }];
  // Each change goes to a protocol with a lower cost for each byte, so there are fewer than protocols.
  for (let changes = 1; changes < costs.length; changes++) {
    const next = nextChange(current, costs);
    if (next === undefined) break;
    stretches.push({ fromBytes: next.atBytes, protocol: next.cost.protocol });
    current = next.cost;
  }
  return stretches;
}

function nextChange(current: ExpectedCost, costs: readonly ExpectedCost[]) {
  let first: { readonly atBytes: number; readonly cost: ExpectedCost } | undefined;
  for (const cost of costs) {
    const gained = current.usPerByte - cost.usPerByte;
    if (gained <= 0) continue;
    const atBytes = Math.max(0, (cost.latencyUs - current.latencyUs) / gained);
    if (first === undefined || atBytes < first.atBytes) first = { atBytes, cost };
  }
  return first;
}
