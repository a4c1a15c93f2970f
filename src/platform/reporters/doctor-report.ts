import type { Diagnosis, DoctorFinding } from "../doctor/index.ts";
import { formatBytes } from "../units/index.ts";
import type { ItemStatus } from "../words.ts";
import type { Fact, Report, ReportItem, ReportSection } from "./report.ts";

const factCharsMax = 400;

/** A diagnosis as a report, so that it comes in every format. */
export function doctorReport(
  diagnosis: Diagnosis,
  timing: { readonly startedAtMs: number; readonly durationMs: number },
): Report {
  const { host, version } = diagnosis;
  const memory = formatBytes(host.memoryBytes);
  const cpus = `${host.cpus} processor${host.cpus === 1 ? "" : "s"}`;
  return {
    title: "tessera doctor",
    subject: "this machine",
    ...timing,
    notes: [
      `Tessera ${version} on ${host.os} ${host.kernel} (${host.arch}), ${cpus}, ${memory} of memory.`,
    ],
    sections: sectionsOf(diagnosis.findings),
    plots: [],
  };
}

/** One finding as an item. What is missing but optional counts as skipped, not as failed. */
export function doctorItem(finding: DoctorFinding): ReportItem {
  const { title, state, reason, hint, neededFor, durationMs, evidence } = finding;
  const inReach = state === "works" || state === "limited";
  return {
    name: title,
    status: statusOf(finding),
    label: state,
    reason: inReach ? reason : `${reason.replace(/\.?\s*$/, ".")} Needed for ${neededFor}.`,
    ...(hint === undefined ? {} : { hint }),
    durationMs,
    facts: factsOf(evidence ?? {}),
  };
}

function statusOf({ state, required }: DoctorFinding): ItemStatus {
  switch (state) {
    case "works":
      return "pass";
    case "limited":
      return "warn";
    case "missing":
      return required ? "fail" : "skipped";
    case "unknown":
      return "unknown";
  }
}

function sectionsOf(findings: readonly DoctorFinding[]): ReportSection[] {
  const isGpu = ({ id }: DoctorFinding) => id.startsWith("gpu-");
  const sections = [
    { title: "Required", findings: findings.filter((one) => one.required) },
    { title: "GPUs", findings: findings.filter((one) => !one.required && isGpu(one)) },
    { title: "Other parts", findings: findings.filter((one) => !one.required && !isGpu(one)) },
  ];
  return sections
    .filter((section) => section.findings.length > 0)
    .map((section) => ({ title: section.title, items: section.findings.map(doctorItem) }));
}

/** Evidence as facts; what is nested gets its path for a name: `diskSync.medianMs`. */
function factsOf(evidence: Readonly<Record<string, unknown>>, prefix = ""): Fact[] {
  return Object.entries(evidence).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    if (value === null || value === undefined) return [];
    // One level is enough for a reader; the JSON has the rest.
    if (isRecord(value) && prefix === "") return factsOf(value, `${name}.`);
    return [factOf(name, value)];
  });
}

/** Units stand last in the names of evidence: `freeBytes`, `medianMs`. */
function factOf(name: string, value: unknown): Fact {
  const unit = name.endsWith("Bytes") ? "B" : name.endsWith("Ms") ? "ms" : "";
  if (typeof value === "number") return { name, value, unit, provenance: "measured" };
  return { name, value: textOf(value), unit: "", provenance: "measured" };
}

function textOf(value: unknown): string {
  const text =
    typeof value === "string" ? value : (simpleList(value) ?? JSON.stringify(value) ?? "");
  return text.length > factCharsMax ? `${text.slice(0, factCharsMax)}…` : text;
}

function simpleList(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const simple = value.every((one) => typeof one === "string" || typeof one === "number");
  return simple ? value.join(", ") || "none" : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
