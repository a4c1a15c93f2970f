import { z } from "zod";
import { type Converter, converter } from "./converter.ts";
import { device, deviceOr, durationMs, element, factor, oneOrMore, op } from "./fields.ts";

const giveDevice = 'Give a device as its mesh calls it, 5 or "GPU5", or a list of devices';

const where = z.enum(["contribution", "output"]).optional();

/** What the driver of a device says whose memory error was contained. */
const contained = {
  kind: "driver",
  name: "CUDA_ERROR_CONTAINED",
  code: 226,
  detail: "XID 94: a memory error was contained; only this operation met it.",
} as const;

const noMemory = {
  kind: "driver",
  name: "CUDA_ERROR_OUT_OF_MEMORY",
  code: 2,
  detail: "The device has no memory left for it.",
} as const;

const eccCauses = {
  48: "XID 48, a memory error that could not be corrected",
  95: "XID 95, a memory error that was not contained",
} as const;

/** Faults of devices and of what they compute. */
export const deviceConverters = {
  dropDevice: converter({
    schema: oneOrMore(device),
    remedy: `${giveDevice}.`,
    convert: (devices) => devices.map((one) => ({ kind: "dead", device: one })),
  }),
  offBus: converter({
    schema: oneOrMore(device),
    remedy: `${giveDevice}.`,
    convert: (devices) =>
      devices.map((one) => ({
        kind: "dead",
        device: one,
        cause: "XID 79, it fell off the bus",
      })),
  }),
  ecc: converter({
    schema: oneOrMore(
      deviceOr(
        z.strictObject({
          device,
          xid: z.union([z.literal(48), z.literal(94), z.literal(95)]).default(48),
        }),
      ),
    ),
    remedy: `${giveDevice}; { device, xid } with xid 48, 94 or 95.`,
    convert: (all) =>
      all.map(({ device: one, xid }) =>
        xid === 94
          ? { kind: "failing", device: one, error: contained, times: 1 }
          : { kind: "dead", device: one, cause: eccCauses[xid] },
      ),
  }),
  nvlink: converter({
    schema: oneOrMore(
      deviceOr(
        z.strictObject({
          device,
          state: z.enum(["down", "degraded"]).default("down"),
          factor: factor.default(4),
        }),
      ),
    ),
    remedy: `${giveDevice}; { device, state } with state down or degraded, and a factor from 1.`,
    convert: (all) =>
      all.map(({ device: one, state, factor: slower }) =>
        state === "down"
          ? { kind: "cut", device: one, within: "node" }
          : { kind: "slow", device: one, within: "node", factor: slower },
      ),
  }),
  hang: converter({
    schema: oneOrMore(deviceOr(z.strictObject({ device, timeout: durationMs.prefault("10m") }))),
    remedy: `${giveDevice}; { device, timeout } with a timeout such as 10m.`,
    convert: (all) =>
      all.map(({ device: one, timeout }) => ({ kind: "hung", device: one, timeoutMs: timeout })),
  }),
  straggler: converter({
    schema: oneOrMore(z.strictObject({ device, factor: factor.default(2) })),
    remedy: "Give { device: 5, factor: 2 }: how many times longer it computes, from 1.",
    convert: (all) => all.map((one) => ({ kind: "straggling", ...one })),
  }),
  outOfMemory: converter({
    schema: oneOrMore(deviceOr(z.strictObject({ device, op: op.optional() }))),
    remedy: `${giveDevice}; { device, op } with the operation that finds no memory.`,
    convert: (all) =>
      all.map(({ device: one, op: when }) => ({
        kind: "failing",
        device: one,
        error: noMemory,
        ...(when === undefined ? {} : { when }),
      })),
  }),
  bitFlip: converter({
    schema: oneOrMore(
      z.strictObject({
        device,
        bit: z.int().min(0).max(63).default(0),
        element,
        op: op.optional(),
        where,
      }),
    ),
    remedy:
      'Give { device: 5 }, and if you like bit (0 to 63), element, op ("matmul") and where ("contribution", "output").',
    convert: (all) => all.map(wrong),
  }),
  notANumber: converter({
    schema: oneOrMore(z.strictObject({ device, element, op: op.optional(), where })),
    remedy:
      'Give { device: 5 }, and if you like element, op ("matmul") and where ("contribution", "output").',
    convert: (all) => all.map((one) => wrong({ ...one, bit: "nan" })),
  }),
} as const satisfies Readonly<Record<string, Converter>>;

interface Wrong {
  readonly device: z.output<typeof device>;
  readonly bit: number | "nan";
  readonly element: number;
  readonly op?: string | undefined;
  readonly where?: "contribution" | "output" | undefined;
}

function wrong({ device: one, bit, element: at, op: when, where: place }: Wrong) {
  return {
    kind: "corrupt",
    device: one,
    bit,
    element: at,
    ...(when === undefined ? {} : { when }),
    ...(place === undefined ? {} : { where: place }),
  } as const;
}
