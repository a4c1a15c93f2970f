import type { FleetLogOptions } from "../../validation/fleet-log/index.ts";
import { usageError } from "../usage-error.ts";

/** What an option may be. */
interface Bounds {
  readonly flag: string;
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

const nodeDaysMax = 500_000;

const table = {
  nodes: { flag: "--nodes", min: 1, max: 10_000, whole: true },
  days: { flag: "--days", min: 1, max: 366, whole: true },
  utilisation: { flag: "--utilisation", min: 0.01, max: 0.99, whole: false },
  evidence: { flag: "--evidence", min: 0, max: 20, whole: false },
  defects: { flag: "--defects", min: 0, max: 1000, whole: false },
  lemons: { flag: "--lemons", min: 0, max: 1, whole: false },
  lemonFactor: { flag: "--lemon-factor", min: 1, max: 1000, whole: false },
  jobNodes: { flag: "--job-nodes", min: 1, max: 10_000, whole: true },
  budget: { flag: "--budget", min: 0, max: 1000, whole: false },
  inFlight: { flag: "--in-flight", min: 1, max: 10_000, whole: true },
} as const satisfies Record<string, Bounds>;

/** Reads the options of `tessera simulate fleet`. @throws E_USAGE naming the option. */
export function fleetOptions(
  given: Readonly<Record<string, unknown>>,
  seed: string,
): FleetLogOptions & { readonly seed: string } {
  const read = (key: keyof typeof table, as: keyof FleetLogOptions) => {
    const text = given[key];
    return typeof text === "string" ? { [as]: numberOf(text, table[key]) } : {};
  };
  const options: FleetLogOptions = {
    ...read("nodes", "nodes"),
    ...read("days", "days"),
    ...read("utilisation", "utilisation"),
    ...read("evidence", "evidence"),
    ...read("defects", "defectsPer1000NodeDays"),
    ...read("lemons", "lemonShare"),
    ...read("lemonFactor", "lemonFactor"),
    ...read("jobNodes", "jobNodesMax"),
    ...read("budget", "budget"),
    ...read("inFlight", "inFlight"),
  };
  if ((options.nodes ?? 1) * (options.days ?? 1) > nodeDaysMax) {
    const problem = `--nodes times --days is at most ${nodeDaysMax}.`;
    throw usageError("simulate fleet", problem);
  }
  return { ...options, seed };
}

function numberOf(text: string, { flag, min, max, whole }: Bounds): number {
  const value = Number(text);
  const isRight = text.trim() !== "" && value >= min && value <= max;
  if (isRight && (!whole || Number.isInteger(value))) return value;
  const what = whole ? "a whole number" : "a number";
  throw usageError("simulate fleet", `${flag} is ${what} from ${min} to ${max}, not "${text}".`);
}
