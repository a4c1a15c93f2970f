import type { Breakage } from "../../runtime/dist/health/index.ts";
import type { DeviceId } from "../../runtime/dist/mesh/index.ts";
import { type FaultParams, resolveParams } from "../fault/catalogue/index.ts";
import type { FaultName } from "../fault/fault-names.ts";
import { breakagesOf } from "../fault/spec/breakages-of.ts";
import { invalidFault } from "../fault/spec/converter.ts";
import type { ResolvedTarget } from "./chaos-target.ts";

interface Given<Name extends FaultName> {
  readonly fault: Name;
  readonly params: FaultParams<Name>;
  readonly target: ResolvedTarget;
  readonly seed: string | number;
}

type Rule<Name extends FaultName> = (given: Given<Name>) => readonly Breakage[];

const usPerMs = 1000;
const bytesPerGB = 1e9;
/** More wrong elements are no longer a scope but a fault of their own. */
const stridedMax = 1000;

const us = (value: number) => `${value / usPerMs}ms`;

const dead: Rule<FaultName> = (given) => breakagesOf({ dropDevice: devicesOf(given) });

/** The next operation that needs the device fails; then there is another worker on it. */
const restarted: Rule<FaultName> = (given) =>
  devicesOf(given).map((device) => ({
    kind: "failing",
    device,
    error: { kind: "worker", problem: "its worker was ended and starts again" },
    times: 1,
  }));

/** Which faults of the catalogue the runtime's own devices can have, and how. */
const rules: { readonly [Name in FaultName]?: Rule<Name> } = {
  kill_device: dead,
  drop_rank: dead,
  fail_node: dead,
  fail_stage: dead,
  off_bus: (given) => breakagesOf({ offBus: devicesOf(given) }),
  ecc_error: (given) =>
    breakagesOf({ ecc: devicesOf(given).map((device) => ({ device, xid: given.params.xid })) }),
  row_remap: (given) => (given.params.failed ? dead(given) : noEffect(given)),
  nvlink_error: (given) =>
    breakagesOf({ nvlink: devicesOf(given).map((device) => ({ device, ...given.params })) }),
  gsp_error: (given) =>
    given.params.xid === 120 ? dead(given) : breakagesOf({ hang: devicesOf(given) }),
  hang_device: (given) => breakagesOf({ hang: devicesOf(given) }),
  freeze_worker: (given) => breakagesOf({ hang: devicesOf(given) }),
  restart_worker: restarted,
  partition: partition,
  network_latency: (given) => latency(given),
  packet_loss: (given) =>
    scopes(given).flatMap((scope) =>
      breakagesOf({ packetLoss: { share: given.params.share, ...scope } }),
    ),
  bandwidth_cap: (given) => {
    const capGBps = given.params.bytesPerSecond / bytesPerGB;
    return scopes(given).flatMap((scope) => breakagesOf({ bandwidth: { capGBps, ...scope } }));
  },
  drop_collective: ({ params: { count, share }, seed }) =>
    breakagesOf({ dropCollective: { times: count, ...(share < 1 ? { share, seed } : {}) } }),
  collective_timeout: () => breakagesOf({ dropCollective: { times: 1 } }),
  delay_collective: ({ params: { delayUs, count } }) =>
    breakagesOf({ delayCollective: { delay: us(delayUs), times: count } }),
  corrupt_collective: (given) =>
    devicesOf(given).flatMap((device) => {
      const { count, element, bit } = given.params;
      return breakagesOf({ corruptCollective: { device, element, bit, times: count } });
    }),
  straggler: (given) =>
    breakagesOf({ straggler: devicesOf(given).map((device) => ({ device, ...given.params })) }),
  bit_flip: (given) => wrong(given, { bit: given.params.bit, stride: 0, count: 1 }),
  not_a_number: (given) => wrong(given, { bit: "nan", stride: 0, count: 1 }),
  strided_corruption: (given) => wrong(given, given.params),
  out_of_memory: (given) => breakagesOf({ outOfMemory: devicesOf(given) }),
};

/** The faults that `chaos.inject` knows. */
export const injectableFaults = Object.keys(rules) as readonly FaultName[];

export interface FaultGiven {
  readonly fault: FaultName;
  readonly params: Readonly<Record<string, unknown>>;
  readonly target: ResolvedTarget;
  readonly seed: string | number;
}

/**
 * What a fault of the catalogue breaks of the runtime's own devices.
 *
 * @throws E_FAULT_INVALID for a fault of something else, such as storage, and for a target that it does
 * not take.
 */
export function breakagesOfFault(given: FaultGiven): readonly Breakage[] {
  const { fault } = given;
  const rule = rules[fault] as Rule<FaultName> | undefined;
  if (rule === undefined) {
    const problem = "it is about something that a function in this process does not have";
    const remedy = `Run an experiment file with it (\`tessera chaos run\`), or inject one of ${injectableFaults.join(", ")}.`;
    throw invalidFault(fault, problem, remedy);
  }
  const params = resolveParams(fault, given.params);
  return rule({ ...given, params });
}

function devicesOf({ fault, target }: Given<FaultName>): readonly DeviceId[] {
  if (target.devices !== undefined && target.devices.length > 0) return target.devices;
  const remedy = "Give a device, a list of devices, or { mesh, node } or { mesh, at }.";
  throw invalidFault(fault, `the target ${target.text} names no device`, remedy);
}

/** Nothing that an operation could meet; the event will say that it was not exercised. */
function noEffect(given: Given<FaultName>): readonly Breakage[] {
  devicesOf(given);
  return [];
}

/** Links: those that are named, those of each device, or all. */
function scopes({ fault, target }: Given<FaultName>) {
  const { devices, links } = target;
  if (links?.asymmetric === true) {
    throw invalidFault(fault, "it has no direction", "Name single `links`, each in one direction.");
  }
  if (links !== undefined) return [links];
  return devices === undefined ? [{}] : devices.map((device) => ({ device }));
}

function partition(given: Given<"partition">): readonly Breakage[] {
  const { devices, links } = given.target;
  if (links !== undefined) return breakagesOf({ networkPartition: links });
  if (devices !== undefined) return breakagesOf({ networkPartition: { groups: [devices] } });
  const remedy = "Give { groups }, { ranges } or { links }, or the devices that are cut off.";
  throw invalidFault("partition", "nobody is cut off", remedy);
}

function latency(given: Given<"network_latency">): readonly Breakage[] {
  const { latencyUs, jitterUs } = given.params;
  return scopes(given).flatMap((scope) =>
    breakagesOf({
      latency: { latency: us(latencyUs), ...scope },
      ...(jitterUs > 0 ? { jitter: { jitter: us(jitterUs), seed: given.seed, ...scope } } : {}),
    }),
  );
}

function wrong(
  given: Given<"bit_flip" | "not_a_number" | "strided_corruption">,
  bits: { readonly bit: number | "nan"; readonly stride: number; readonly count: number },
): readonly Breakage[] {
  const { element, where } = given.params;
  const { bit, stride, count } = bits;
  if (count > stridedMax) {
    const remedy = `Give count up to ${stridedMax}, or run an experiment file.`;
    throw invalidFault(given.fault, `${count} wrong elements are too many for a scope`, remedy);
  }
  const place = where === "gradient" ? "contribution" : "output";
  return devicesOf(given).flatMap((device) =>
    Array.from({ length: count }, (_, at) => ({
      kind: "corrupt" as const,
      device,
      element: element + at * stride,
      bit,
      where: place,
    })),
  );
}
