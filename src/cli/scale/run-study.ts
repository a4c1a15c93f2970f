import { resolve } from "node:path";
import { exitCodes } from "../../platform/errors/index.ts";
import { createRng } from "../../platform/rng/index.ts";
import { exitCodeOfVerdict, worstVerdict } from "../../platform/words.ts";
import {
  judgeScaling,
  measuredScaling,
  modelScaling,
  type RuleVerdict,
  type ScalingStudy,
} from "../../runtime/scaling/study/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { jsonOfStudy } from "./json.ts";
import { showStudy } from "./show.ts";
import { readStudyRequest, type StudyRequest } from "./study-request.ts";

const seedDefault = "0";
const columnsDefault = 80;

/** `tessera scale` without real ranks: a modelled report, or one of somebody's own runs. */
export const runStudy: Action = async (invocation) => {
  const { clock, globals, io, options } = invocation;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const request = await readStudyRequest(invocation);
  const study = studyOf(request, globals.seed ?? seedDefault);
  const verdicts = judgeScaling(study, request.rules);
  if (typeof options["html"] === "string") {
    const durationMs = clock.monotonicMs() - startedMs;
    await writeHtml(invocation, { study, verdicts, startedAtMs, durationMs });
  }
  if (globals.json) writeJson(io.stdout, jsonOfStudy(study, verdicts));
  else {
    const columns = io.stdout.columns ?? columnsDefault;
    for (const line of showStudy(study, verdicts, columns)) writeLine(io.stdout, line);
  }
  if (verdicts.length === 0) return exitCodes.good;
  return exitCodeOfVerdict(worstVerdict(verdicts.map(({ verdict }) => verdict)));
};

function studyOf(request: StudyRequest, seed: string): ScalingStudy {
  const rng = createRng(seed);
  if (request.from === "table") {
    const { kind, table } = request;
    return measuredScaling(request.runs, { kind, table, rng });
  }
  return modelScaling({ ...request, rng });
}

async function writeHtml(
  { io, options }: Invocation,
  result: {
    readonly study: ScalingStudy;
    readonly verdicts: readonly RuleVerdict[];
    readonly startedAtMs: number;
    readonly durationMs: number;
  },
): Promise<void> {
  const [{ scalingReport }, { renderHtml }, { writeFileAtomic }] = await Promise.all([
    import("./report.ts"),
    import("../../platform/reporters/index.ts"),
    import("../../platform/files/index.ts"),
  ]);
  const path = resolve(io.cwd, String(options["html"]));
  await writeFileAtomic(path, renderHtml(scalingReport(result)));
}
