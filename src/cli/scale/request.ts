import type { Topology } from "../../runtime/dist/topology/index.ts";
import { readTopology } from "../collective/read-topology.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

/** What `tessera scale` asks for, checked. */
export interface ScaleRequest {
  readonly kind: "strong" | "weak";
  /** In rising order, without repetition. */
  readonly ranks: readonly number[];
  readonly batch: number;
  readonly size: number;
  readonly steps: number;
  readonly device: "cpu" | "cuda";
  readonly topology: Topology | undefined;
}

const ranksMax = 256;

/** Options of reports, which need more than a few ranks of one host. */
const notForMeasured = [
  "devices",
  "workload",
  "deterministic",
  "table",
  "html",
  "requireEfficiency",
  "maxDrop",
  "baseline",
] as const;

/** Reads the arguments. @throws E_USAGE, E_TOPOLOGY, E_FILE_READ */
export async function readScaleRequest(invocation: Invocation): Promise<ScaleRequest> {
  const { args, options, io } = invocation;
  const foreign = notForMeasured.find((name) => options[name] !== undefined);
  if (foreign !== undefined) {
    throw scaleUsage(
      `--${dashed(foreign)} is not for --measured; write its --json to a file and give that as --table`,
    );
  }
  const kind = args[0] === "weak" ? "weak" : "strong";
  const ranks = countsIn(options["ranks"] ?? "1,2");
  const batch = numberIn(options["batch"] ?? "1024", "--batch", 2 ** 20);
  const most = ranks.at(-1) ?? 1;
  if (kind === "strong" && batch < most) {
    throw scaleUsage(`A batch of ${batch} cannot be divided among ${most} ranks`);
  }
  const topology = options["topology"];
  return {
    kind,
    ranks,
    batch,
    size: numberIn(options["size"] ?? "512", "--size", 2 ** 15),
    steps: numberIn(options["steps"] ?? "10", "--steps", 10_000),
    device: options["device"] === "cuda" ? "cuda" : "cpu",
    topology: typeof topology === "string" ? await readTopology(topology, io.cwd) : undefined,
  };
}

function countsIn(given: unknown): readonly number[] {
  const counts = String(given)
    .split(",")
    .map((part) => numberIn(part.trim(), "--ranks", ranksMax));
  return [...new Set(counts)].toSorted((a, b) => a - b);
}

function numberIn(given: unknown, flag: string, max: number): number {
  const text = String(given);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= max) return value;
  throw scaleUsage(`\`${flag} ${text}\` is not a whole number from 1 to ${max}`);
}

/** An option as it is typed. */
export function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An E_USAGE of this command. */
export function scaleUsage(problem: string) {
  return usageError("scale", problem);
}
