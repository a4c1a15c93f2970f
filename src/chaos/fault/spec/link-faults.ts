import { z } from "zod";
import type { Breakage, Side, Slow } from "../../../runtime/dist/health/index.ts";
import { type Converter, converter } from "./converter.ts";
import { durationMs, groups, linkScope, links, ranges, seed } from "./fields.ts";

const usPerMs = 1000;
/** A sender tries a packet so often before it gives the connection up (Linux, tcp_retries2). */
const tries = 16;
/** From here on a packet is more likely lost in all of its tries than not. */
const lossBreaksFrom = 0.5 ** (1 / tries);

const scope = z.object(linkScope);
type LinkScope = z.output<typeof scope>;

const which = "and if you like which links: ranges, groups, links or device";

const share = z.number().min(0).max(1);
const positive = z.number().positive().max(1e9);

/** Faults of links. */
export const linkConverters = {
  networkPartition: converter({
    schema: z.union([
      ranges.transform((all) => ({
        ranges: all,
        groups: undefined,
        links: undefined,
        asymmetric: false,
      })),
      z
        .strictObject({
          ranges: ranges.optional(),
          groups: groups.optional(),
          links: links.optional(),
          asymmetric: z.boolean().default(false),
        })
        .refine(
          (one) => one.ranges ?? one.groups ?? one.links,
          "it names no ranges, groups or links",
        )
        .refine(isOneForm, "ranges and groups are two ways to say the same: give one of them"),
    ]),
    remedy:
      "Give half-open ranges of nodes (of devices, where the mesh has no nodes): [[0, 64]] cuts 0 to 63 off; or { groups, links, asymmetric }.",
    convert: (given) => [
      {
        kind: "cut",
        ...placeOf(given),
        ...(given.asymmetric ? { asymmetric: true } : {}),
      },
    ],
  }),
  latency: converter({
    schema: z.union([
      durationMs.transform((ms) => ({ latency: ms })),
      z.strictObject({ latency: durationMs, ...linkScope }).refine(isOneForm),
    ]),
    remedy: `Give what is added to every message, such as 50ms, or { latency }, ${which}.`,
    convert: ({ latency, ...given }) => [slow(given, { addUs: latency * usPerMs })],
  }),
  jitter: converter({
    schema: z.union([
      durationMs.transform((ms) => ({ jitter: ms, seed: 0 })),
      z.strictObject({ jitter: durationMs, seed, ...linkScope }).refine(isOneForm),
    ]),
    remedy: `Give what is added at most, such as 5ms, or { jitter, seed }, ${which}.`,
    convert: ({ jitter, seed: from, ...given }) => [
      slow(given, { jitter: { upToUs: jitter * usPerMs, seed: from } }),
    ],
  }),
  packetLoss: converter({
    schema: z.union([
      share.transform((lost) => ({ share: lost })),
      z.strictObject({ share, ...linkScope }).refine(isOneForm),
    ]),
    remedy: `Give a share of packets from 0 to 1, or { share }, ${which}.`,
    convert: ({ share: lost, ...given }) => [lossy(given, lost)],
  }),
  bandwidth: converter({
    schema: z.union([
      positive.transform((rate) => ({ capGBps: rate })),
      z.strictObject({ capGBps: positive, ...linkScope }).refine(isOneForm),
    ]),
    remedy: `Give what links carry at most in GB/s, above 0, or { capGBps }, ${which}.`,
    convert: ({ capGBps, ...given }) => [slow(given, { capGBps })],
  }),
} as const satisfies Readonly<Record<string, Converter>>;

function isOneForm(one: Pick<LinkScope, "ranges" | "groups">): boolean {
  return one.ranges === undefined || one.groups === undefined;
}

function slow(given: LinkScope, rest: Omit<Slow, "kind" | "factor">, times = 1): Slow {
  return { kind: "slow", factor: times, ...placeOf(given), ...rest };
}

/** Each packet is sent until it arrives; when that never happens in all tries, nothing gets through. */
function lossy(given: LinkScope, lost: number): Breakage {
  if (lost < lossBreaksFrom) return slow(given, {}, 1 / (1 - lost));
  const place = placeOf(given);
  return { kind: "cut", ...(Object.keys(place).length === 0 ? { every: true } : place) };
}

function placeOf(given: LinkScope): Pick<Slow, "sides" | "links" | "device"> {
  const sides: Side[] | undefined =
    given.ranges?.map((one) => ({ range: one })) ?? given.groups?.map((one) => ({ devices: one }));
  return {
    ...(sides === undefined ? {} : { sides }),
    ...(given.links === undefined ? {} : { links: given.links }),
    ...(given.device === undefined ? {} : { device: given.device }),
  };
}
