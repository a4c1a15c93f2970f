import type { CollectiveOp } from "../../runtime/dist/time-model/index.ts";
import type { Topology } from "../../runtime/dist/topology/index.ts";
import type { WireDType } from "../../runtime/ranks/index.ts";
import { parseDType } from "../../runtime/tensor/dtype/index.ts";
import type { Invocation } from "../invocation.ts";
import { readTopology } from "./read-topology.ts";
import { count, parseOp, text } from "./request.ts";
import { bytesOf, parseShape, parseSizes, parseSweep } from "./sizes.ts";
import { collectiveUsage } from "./usage.ts";

/** What `tessera collective OP --measured` asks for, checked. */
export interface MeasuredRequest {
  readonly op: CollectiveOp;
  /** Undefined: as many as the transport has devices for. */
  readonly ranks: number | undefined;
  readonly transport: "auto" | "tcp" | "nccl";
  readonly sizes: readonly number[];
  readonly dtype: WireDType;
  readonly iterations: number;
  /** The system whose modelled times stand beside. */
  readonly topology: Topology | undefined;
  readonly lose: number | undefined;
}

const ranksMax = 256;
const sizesMax = 200;
const sweepDefault = "1KiB..64MiB/9";
const onlyModelled = ["axes", "over", "concurrentGroups", "algorithm"] as const;

/** Reads the arguments. @throws E_USAGE, E_TOPOLOGY, E_FILE_READ, E_DTYPE */
export async function readMeasuredRequest(invocation: Invocation): Promise<MeasuredRequest> {
  const { args, options, io } = invocation;
  const op = parseOp(args[0] ?? "");
  const refused = onlyModelled.find((name) => options[name] !== undefined);
  if (refused !== undefined) {
    const flag = `--${refused.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw collectiveUsage(`${flag} is for modelled times; leave it out with --measured.`);
  }
  if (options["ranks"] !== undefined && options["devices"] !== undefined) {
    throw collectiveUsage(
      "Give --ranks or --devices, not both: there is one rank for each device.",
    );
  }
  const topology = text(options["topology"]);
  const lose = text(options["lose"]);
  return {
    op,
    ranks: ranksOf(options),
    transport: (text(options["transport"]) ?? "auto") as MeasuredRequest["transport"],
    ...sizesOf(options),
    iterations: optionalCount(options["iterations"], "--iterations", { max: 10_000 }) ?? 10,
    topology: topology === undefined ? undefined : await readTopology(topology, io.cwd),
    lose: lose === undefined ? undefined : count(lose, "--lose", 0),
  };
}

function ranksOf(options: Invocation["options"]): number | undefined {
  const flag = options["ranks"] === undefined ? "--devices" : "--ranks";
  return optionalCount(options["ranks"] ?? options["devices"], flag, { max: ranksMax });
}

function optionalCount(
  given: unknown,
  flag: string,
  { max }: { readonly max: number },
): number | undefined {
  if (given === undefined) return undefined;
  const value = count(given, flag, 1);
  if (value <= max) return value;
  throw collectiveUsage(`${flag} is at most ${max} with --measured, not ${value}.`);
}

function sizesOf(options: Invocation["options"]): Pick<MeasuredRequest, "sizes" | "dtype"> {
  const [shape, bytes, sweep] = ["shape", "bytes", "sweep"].map((name) => text(options[name]));
  if ([shape, bytes, sweep].filter((value) => value !== undefined).length > 1) {
    throw collectiveUsage("Give one of --shape, --bytes and --sweep.");
  }
  const dtype = parseDType(text(options["dtype"]) ?? "f32");
  if (dtype === "e4m3" || dtype === "e5m2") {
    throw collectiveUsage(`--dtype ${dtype} cannot be summed between ranks; take bf16 or f32.`);
  }
  const sizes =
    shape !== undefined
      ? [bytesOf({ shape: parseShape(shape), dtype })]
      : bytes !== undefined
        ? parseSizes(bytes)
        : parseSweep(sweep ?? sweepDefault);
  if (sizes.length > sizesMax) {
    throw collectiveUsage(`--measured takes up to ${sizesMax} sizes, not ${sizes.length}.`);
  }
  return { sizes, dtype };
}
