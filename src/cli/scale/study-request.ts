import { resolve } from "node:path";
import { readTextFile } from "../../platform/files/index.ts";
import type { Topology } from "../../runtime/dist/topology/index.ts";
import { countsDefault, type ScalingRules } from "../../runtime/scaling/study/index.ts";
import { parseTable, type Run } from "../../runtime/scaling/table/index.ts";
import {
  parseWorkload,
  type Workload,
  workloadDefault,
  workloadOf,
} from "../../runtime/scaling/workload/index.ts";
import { readTopology } from "../collective/read-topology.ts";
import type { Invocation } from "../invocation.ts";
import { deviceCountsIn } from "./device-counts.ts";
import { dashed, scaleUsage } from "./request.ts";

/** What a report is made of, checked. */
export type StudyRequest = {
  readonly kind: "strong" | "weak";
  readonly rules: ScalingRules;
} & (
  | {
      readonly from: "model";
      readonly devices: readonly number[];
      readonly topology: Topology;
      readonly workload: Workload;
      readonly deterministic: boolean;
    }
  | { readonly from: "table"; readonly table: string; readonly runs: readonly Run[] }
);

const fileBytesMax = 2 ** 20;
const tableBytesMax = 16 * 2 ** 20;
const onlyMeasured = ["ranks", "batch", "size", "steps", "device"] as const;
const onlyModel = ["topology", "devices", "workload", "deterministic"] as const;

/** Reads the arguments and the files they name. @throws E_USAGE, E_TOPOLOGY, E_FILE_READ */
export async function readStudyRequest(invocation: Invocation): Promise<StudyRequest> {
  const { args, options, io } = invocation;
  const kind = args[0] === "weak" ? "weak" : "strong";
  refuse(options, onlyMeasured, "is for --measured; give that too");
  const table = options["table"];
  if (typeof table === "string") {
    refuse(options, onlyModel, "is for a modelled report, and --table for runs of your own");
    const text = await readTextFile(resolve(io.cwd, table), { sizeBytesMax: tableBytesMax });
    const rules = await rulesIn(invocation);
    return { from: "table", kind, rules, table, runs: parseTable(text, table) };
  }
  const topology = options["topology"];
  if (typeof topology !== "string") {
    throw scaleUsage(
      "Give --topology for a modelled report, --table for runs of your own, or --measured for real ranks of this host",
    );
  }
  return {
    from: "model",
    kind,
    rules: await rulesIn(invocation),
    devices: deviceCountsIn(textIn(options["devices"]) ?? countsDefault),
    topology: await readTopology(topology, io.cwd),
    workload: await readWorkload(textIn(options["workload"]) ?? workloadDefault, io.cwd),
    deterministic: options["deterministic"] === true,
  };
}

function refuse(options: Invocation["options"], names: readonly string[], why: string): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given !== undefined) throw scaleUsage(`--${dashed(given)} ${why}`);
}

function textIn(given: unknown): string | undefined {
  return typeof given === "string" ? given : undefined;
}

async function readWorkload(given: string, cwd: string): Promise<Workload> {
  const isFile = /[/\\]|\.ya?ml$/i.test(given);
  if (!isFile) return workloadOf(given);
  const text = await readTextFile(resolve(cwd, given), { sizeBytesMax: fileBytesMax });
  return parseWorkload(text, given);
}

async function rulesIn({ options, io }: Invocation): Promise<ScalingRules> {
  const { requireEfficiency, maxDrop, baseline } = options;
  const efficiencyMin = shareIn(requireEfficiency, "--require-efficiency");
  const dropMax = shareIn(maxDrop, "--max-drop");
  const kneeBefore =
    typeof baseline === "string" ? await kneeIn(resolve(io.cwd, baseline), baseline) : undefined;
  return {
    ...(efficiencyMin === undefined ? {} : { efficiencyMin }),
    ...(dropMax === undefined ? {} : { dropMax }),
    ...(kneeBefore === undefined ? {} : { kneeBefore }),
  };
}

function shareIn(given: unknown, flag: string): number | undefined {
  const text = textIn(given)?.trim();
  if (text === undefined) return undefined;
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 1) return value;
  throw scaleUsage(`\`${flag} ${text}\` is not a share above 0, up to 1, such as 0.85`);
}

/** The knee of an earlier `--json`. */
async function kneeIn(path: string, shown: string): Promise<number> {
  const text = await readTextFile(path, { sizeBytesMax: tableBytesMax });
  let devices: unknown;
  try {
    devices = JSON.parse(text)?.fits?.knee?.byGain?.devices;
  } catch {
    throw scaleUsage(`--baseline: ${shown} is not the --json of an earlier report`);
  }
  if (typeof devices === "number" && devices >= 1) return devices;
  throw scaleUsage(`--baseline: ${shown} has no knee to compare with`);
}
