import { redactValue } from "../../../platform/log/index.ts";
import type { Fact, ReportItem } from "../../../platform/reporters/index.ts";
import type { JsonObject } from "../../../platform/store/index.ts";
import { formatBytes, formatDurationMs } from "../../../platform/units/index.ts";
import type { RunFigure, RunResult } from "../../run.ts";
import type { CheckHost } from "../check.ts";
import { type FloorSubject, figureFloor } from "./figures.ts";
import { shortFact } from "./short-facts.ts";

const optionsCharsMax = 2000;

type HostFacts = Pick<CheckHost, "os" | "arch" | "cpus" | "cpuModel" | "memoryBytes" | "gpus">;

/** How a run came about, as whoever started it knows. */
export interface RunCircumstances {
  /** Of Tessera, of Node, of the kernel, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Absent where nobody asked. */
  readonly host?: HostFacts;
  readonly profile: string;
  /** As the check took them, with its defaults. */
  readonly options: unknown;
  readonly timeoutMs: number;
  /** Of what the check draws by chance; absent where it draws nothing. */
  readonly seed?: string;
}

/** A line of evidence: it concludes nothing. */
export function evidenceItem(
  name: string,
  reason: string,
  more: Partial<Pick<ReportItem, "facts" | "attachment">> = {},
): ReportItem {
  return { name, status: "skipped", label: "evidence", reason, facts: [], ...more };
}

/** What a run was, on what, and how it was asked. */
export function circumstanceItems(run: RunCircumstances): readonly ReportItem[] {
  const { versions, host, profile, options, timeoutMs, seed } = run;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const drawn = seed === undefined ? "" : `; seed ${seed}`;
  return [
    evidenceItem("Versions", `${named.join(", ")}.`),
    ...(host === undefined ? [] : [evidenceItem("Machine", machineText(host))]),
    evidenceItem("Profile", `${profile}, for at most ${formatDurationMs(timeoutMs)}${drawn}.`),
    evidenceItem("Options", optionsText(options)),
  ];
}

function machineText({ os, arch, cpus, cpuModel, memoryBytes, gpus }: HostFacts): string {
  const model = cpuModel === "" ? "" : ` (${cpuModel})`;
  const kinds = [...new Set(gpus)].map((gpu) => {
    const count = gpus.filter((other) => other === gpu).length;
    return `${count} x ${gpu}`;
  });
  const processors = `${cpus} ${cpus === 1 ? "processor" : "processors"}${model}`;
  const gpuText = kinds.length === 0 ? "no GPU that the driver names" : kinds.join(", ");
  return `${os} on ${arch}, ${processors}, ${formatBytes(memoryBytes)} of memory, ${gpuText}.`;
}

/** Without what looks like a secret: the page is passed on. */
function optionsText(options: unknown): string {
  const text = JSON.stringify(redactValue(options)) ?? "";
  if (text === "" || text === "{}") return "None were given.";
  return text.length <= optionsCharsMax ? text : `${text.slice(0, optionsCharsMax)}…`;
}

/** Where the floors come from that figures of a run are held against. */
export function floorItems(
  figures: Readonly<Record<string, RunFigure>>,
  subject: FloorSubject,
): readonly ReportItem[] {
  const sources = new Map<string, string>();
  for (const [name, figure] of Object.entries(figures)) {
    const floor = figureFloor(name, figure, subject)?.floor;
    if (floor !== undefined) sources.set(floor.figure, `${floor.source} (${floor.date})`);
  }
  if (sources.size === 0) return [];
  const text = [...new Set(sources.values())].map((source) => {
    const own = [...sources].filter(([, other]) => other === source).map(([figure]) => figure);
    return `${own.join(", ")}: ${source}`;
  });
  return [evidenceItem("Floors", `${text.join("; ")}.`)];
}

/** What the check says of itself, short; the result has it whole. */
export function factItems(facts: JsonObject): readonly ReportItem[] {
  const entries = Object.entries(facts);
  if (entries.length === 0) return [];
  const short = entries.map(([name, value]): Fact => {
    const { title, value: text } = shortFact(name, value);
    const lines = typeof text === "string" ? text : text.join("\n");
    return { name: title, value: lines, unit: "", provenance: "measured" };
  });
  const count = entries.length === 1 ? "1 fact" : `${entries.length} facts`;
  return [
    evidenceItem("Facts of the check", `${count}, short here; whole below.`, { facts: short }),
  ];
}

/** The result as JSON that can be taken along. */
export function resultItem(
  { outcome, startedAtMs, endedAtMs, ...found }: Omit<RunResult, "runId">,
  about: { readonly check: string; readonly profile: string },
): ReportItem {
  const iso = (atMs: number) => new Date(atMs).toISOString();
  const document = {
    ...about,
    outcome,
    ...(startedAtMs === undefined ? {} : { startedAt: iso(startedAtMs) }),
    endedAt: iso(endedAtMs),
    ...found,
  };
  return evidenceItem("Result", "All samples and facts, as the check handed them in.", {
    attachment: { title: "JSON of the result", text: jsonText(document) },
  });
}

/** JSON for people: lists of numbers on one line each. */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replaceAll(/\[\n\s+((?:(?:-?[\d.eE+-]+|null),?\s+)+)\]/g, (_, numbers: string) => {
    return `[${numbers.trim().replaceAll(/\s+/g, " ")}]`;
  });
}
