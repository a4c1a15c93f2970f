import { closest } from "../../platform/config/index.ts";
import {
  type Algorithm,
  type CollectiveOp,
  collectiveOps,
} from "../../runtime/dist/time-model/index.ts";
import type { Topology } from "../../runtime/dist/topology/index.ts";
import { parseDType } from "../../runtime/tensor/dtype/index.ts";
import type { Invocation } from "../invocation.ts";
import { groupsOf } from "./groups.ts";
import { readTopology } from "./read-topology.ts";
import { bytesOf, type GivenShape, parseShape, parseSizes, parseSweep } from "./sizes.ts";
import { collectiveUsage } from "./usage.ts";

/** What the command line asks for, checked. */
export interface CollectiveRequest {
  readonly op: CollectiveOp;
  /** Devices of one group. */
  readonly devices: number;
  readonly concurrentGroups: number;
  /** Devices of a group in one domain, where a mesh says so. */
  readonly devicesPerDomain: number | undefined;
  readonly topology: Topology;
  readonly algorithm: Algorithm;
  readonly sizes: readonly number[];
  readonly isSweep: boolean;
  /** Present with `--shape`. */
  readonly tensor: GivenShape | undefined;
}

const devicesMax = 10_000_000;

/** Reads the arguments. @throws E_USAGE, E_TOPOLOGY, E_FILE_READ, E_DTYPE and those of a mesh. */
export async function readRequest({ args, options, io }: Invocation): Promise<CollectiveRequest> {
  const op = parseOp(args[0] ?? "");
  const devices = count(options["devices"], "--devices", 2);
  const topologyText = text(options["topology"]);
  if (topologyText === undefined) {
    throw collectiveUsage("--topology is missing: name a system such as nvl72, or a YAML file.");
  }
  const topology = await readTopology(topologyText, io.cwd);
  const groups = groupsOf({
    devices,
    topology,
    axes: text(options["axes"]),
    over: text(options["over"]),
  });
  const given = text(options["concurrentGroups"]);
  if (given !== undefined && groups.isMesh) {
    throw collectiveUsage("--axes says how many groups there are; leave --concurrent-groups out.");
  }
  return {
    op,
    devices: groups.devices,
    concurrentGroups: given === undefined ? groups.count : count(given, "--concurrent-groups", 1),
    devicesPerDomain: groups.devicesPerDomain,
    topology,
    algorithm: (text(options["algorithm"]) ?? "auto") as Algorithm,
    ...sizesOf(options),
  };
}

function sizesOf(
  options: Invocation["options"],
): Pick<CollectiveRequest, "sizes" | "isSweep" | "tensor"> {
  const [shape, bytes, sweep] = ["shape", "bytes", "sweep"].map((name) => text(options[name]));
  const given = [shape, bytes, sweep].filter((value) => value !== undefined);
  if (given.length !== 1) {
    throw collectiveUsage("Give one of --shape, --bytes and --sweep.");
  }
  const dtype = text(options["dtype"]);
  if (dtype !== undefined && shape === undefined) {
    throw collectiveUsage("--dtype belongs to --shape; --bytes and --sweep are plain sizes.");
  }
  if (shape !== undefined) {
    const tensor = { shape: parseShape(shape), dtype: parseDType(dtype ?? "f32") };
    return { sizes: [bytesOf(tensor)], isSweep: false, tensor };
  }
  if (bytes !== undefined) return { sizes: parseSizes(bytes), isSweep: false, tensor: undefined };
  return { sizes: parseSweep(sweep ?? ""), isSweep: true, tensor: undefined };
}

/** The collective of a name, however its words are joined. @throws E_USAGE with what was probably meant. */
export function parseOp(name: string): CollectiveOp {
  const plain = (op: string) => op.toLowerCase().replaceAll(/[-_ ]/g, "");
  const found = collectiveOps.find((op) => plain(op) === plain(name));
  if (found !== undefined) return found;
  const meant = closest(name, collectiveOps);
  const suggestion = meant === undefined ? "" : ` (did you mean \`${meant}\`?)`;
  throw collectiveUsage(
    `There is no collective ${JSON.stringify(name)}${suggestion}: they are ${collectiveOps.join(", ")}.`,
  );
}

/** A whole number from `least` on. @throws E_USAGE */
export function count(given: unknown, flag: string, least: number): number {
  const value = text(given);
  if (value === undefined) throw collectiveUsage(`${flag} is missing.`);
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= devicesMax) return number;
  throw collectiveUsage(
    `${flag} is ${JSON.stringify(value)}, not a whole number from ${least} to ${devicesMax}.`,
  );
}

/** The value of an option that was given. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
