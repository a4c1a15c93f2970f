import { TesseraError } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/store/index.ts";
import type { RunFigure } from "../run.ts";
import { hcasOfVariable } from "./choose-hcas.ts";
import type { HcaPort } from "./hca-port.ts";
import { createNcclLogReader, type NcclLog } from "./log-reader.ts";
import { readNcclTestsJson } from "./nccl-tests/json.ts";
import { judgeReport } from "./nccl-tests/judge-report.ts";
import type { NcclTestsReport } from "./nccl-tests/report.ts";
import { looksLikeNcclTests, readNcclTestsText } from "./nccl-tests/text.ts";
import { type LoopbackPath, type PathProof, provePath } from "./path-proof.ts";

export interface NcclFile {
  /** For messages. */
  readonly name: string;
  readonly text: string;
}

export interface ImportQuestion {
  /** What one run left: nccl-tests text or JSON, and NCCL's log inside or beside it. */
  readonly files: readonly NcclFile[];
  /** The way the data must have gone. */
  readonly path: LoopbackPath;
  /** Cards that must have carried it. @default those of NCCL_IB_HCA, else those that the log names */
  readonly hcas?: readonly string[];
  /** The cards' counters around the run. */
  readonly before?: readonly HcaPort[];
  readonly after?: readonly HcaPort[];
}

/** What an imported run amounts to, by the rules of a run of our own. */
export interface ImportedRun {
  /** `error` when the way is not proved or the run is not whole, whatever its bandwidth. */
  readonly outcome: "completed" | "error";
  readonly figures: Readonly<Record<string, RunFigure>>;
  readonly hardFacts: readonly string[];
  /** Why it is `error`, one sentence each. */
  readonly refusals: readonly string[];
  readonly facts: JsonObject;
}

/**
 * Judges what nccl-tests and NCCL wrote about one run.
 *
 * @throws TesseraError E_NCCL_OUTPUT when a file is neither, or when none has results.
 */
export function importNcclRun(question: ImportQuestion): ImportedRun {
  const { reports, log } = readFiles(question.files);
  const [report] = reports;
  if (report === undefined) {
    const problem = "it has NCCL's log and no results; name the output of nccl-tests too";
    throw new TesseraError("E_NCCL_OUTPUT", { file: question.files[0]?.name ?? "", problem });
  }
  const judged = judgeReport(report);
  const worldSize = report.worldSize ?? log.worldSize ?? 0;
  const proof = proofOf(question, { report, log, worldSize });
  const refusals = [...judged.refusals, ...disagreements(reports), ...proof.refusals];
  return {
    outcome: refusals.length === 0 ? "completed" : "error",
    figures: judged.figures,
    hardFacts: judged.hardFacts,
    refusals,
    facts: {
      op: judged.op ?? null,
      program: report.program ?? null,
      ncclVersion: report.ncclVersion ?? log.version ?? null,
      worldSize,
      hosts: report.hosts,
      gpus: report.gpus,
      sizesBytes: report.rows.map(({ sizeBytes }) => sizeBytes),
      variables: report.variables,
      proof: proof.evidence,
    },
  };
}

function readFiles(files: readonly NcclFile[]): {
  readonly reports: readonly NcclTestsReport[];
  readonly log: NcclLog;
} {
  const reports: NcclTestsReport[] = [];
  const reader = createNcclLogReader();
  for (const { name, text } of files) {
    if (text.trimStart().startsWith("{")) {
      const report = readNcclTestsJson(text);
      if ("problem" in report) {
        throw new TesseraError("E_NCCL_OUTPUT", { file: name, problem: report.problem });
      }
      reports.push(report);
      continue;
    }
    const before = reader.log().lines;
    for (const line of text.split("\n")) reader.add(line);
    if (looksLikeNcclTests(text)) reports.push(readNcclTestsText(text));
    else if (reader.log().lines === before) {
      const problem = "it is neither the output of nccl-tests nor a log of NCCL";
      throw new TesseraError("E_NCCL_OUTPUT", { file: name, problem });
    }
  }
  // Of two reports of one run, JSON says more.
  const first = (report: NcclTestsReport) => (report.format === "json" ? 0 : 1);
  return { reports: reports.toSorted((a, b) => first(a) - first(b)), log: reader.log() };
}

/** Files of different runs, given as one. */
function disagreements(reports: readonly NcclTestsReport[]): readonly string[] {
  const [one, ...others] = reports;
  const sizes = (report: NcclTestsReport | undefined) =>
    report?.rows.map(({ sizeBytes }) => sizeBytes).join(" ");
  return others.some((other) => sizes(other) !== sizes(one))
    ? ["the files have different sizes in their tables, so they are not of one run"]
    : [];
}

function proofOf(
  { path, hcas, before, after }: ImportQuestion,
  found: {
    readonly report: NcclTestsReport;
    readonly log: NcclLog;
    readonly worldSize: number;
  },
): PathProof {
  const { report, log, worldSize } = found;
  const expected = hcas ??
    hcasOfVariable(report.variables["NCCL_IB_HCA"])?.map((name) => name.replace(/:\d+$/, "")) ?? [
      ...new Set([...log.devices.values()].flat()),
    ];
  if (before === undefined || after === undefined) return provePath({ path, worldSize, log });
  return provePath({ path, worldSize, log, hcas: { expected, before, after } });
}
