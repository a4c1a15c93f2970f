import { staysBehind } from "../../../platform/config/stays-behind.ts";
import { type ExitCode, TesseraError } from "../../../platform/errors/index.ts";
import type { JsonObject } from "../../../platform/store/index.ts";
import { exitCodeOfVerdict, verdictOfItems } from "../../../platform/words.ts";
import {
  type ComputePlan,
  expectedGpus,
  type Finding,
  type GateOptions,
  gateOptions,
  gpusOf,
  judgeSightings,
  planCompute,
} from "../../../validation/checks/gate/index.ts";
import type { GateAbout } from "../../../validation/checks/report/gate-page.ts";
import { firstIssue } from "../../../validation/collect/result-schema.ts";
import type { Invocation } from "../../invocation.ts";
import { writeLine } from "../../output.ts";
import { ownProgram } from "../../own-program.ts";
import { type CheckFlags, gateProfile } from "../flags.ts";
import { versionsHere, writePage, writeReports } from "../page.ts";
import { checkAside } from "./check-aside.ts";
import { gateLine, gateSubject } from "./gate-line.ts";
import { lookAside } from "./look-aside.ts";
import type { AsideOptions } from "./run-aside.ts";

const timeoutMsDefault = 20_000;
/** Kept of the time for saying what was found. */
const wordMs = 200;

/** A few exact products in the formats of training; small, because contexts and kernels take longer. */
const gpuCases = { engine: "cuda", cases: ["gemm-bf16", "gemm-f32"], scale: 0.25, iterations: 1 };
const hostRounds = { durationMs: 1 };

type Aside = Omit<AsideOptions, "onLine" | "timeoutMs">;

/**
 * `tessera check run --profile prolog`: whether a job may start here, in seconds. Asks no store, no
 * network and no configuration, and ends in time whatever hangs.
 */
export async function runGate(invocation: Invocation, flags: CheckFlags): Promise<ExitCode> {
  const { clock, globals, io, signal } = invocation;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const timeoutMs = flags.timeoutMs ?? timeoutMsDefault;
  const leftMs = () => Math.max(1, timeoutMs - wordMs - (clock.monotonicMs() - startedMs));
  const command = [process.execPath, ownProgram()];
  const aside: Aside = { command, env: gateEnvironment(io.env), clock, signal };
  const findings = await (flags.check === undefined
    ? lookAndCompute(invocation, { flags, aside, leftMs })
    : [await ownCheck(flags.check, { flags, aside, leftMs })]);
  const durationMs = clock.monotonicMs() - startedMs;
  const verdict = verdictOfItems(findings.map(({ status }) => status));
  const subject = gateSubject(io.env);
  const about = { subject, startedAtMs, durationMs };
  const code = exitCodeOfVerdict(verdict);
  if (!globals.json && globals.junit === undefined) {
    writeLine(io.stdout, gateLine(findings, { subject, verdict, durationMs }));
  }
  await writeReports(invocation, code, () =>
    tellPrograms(invocation, findings, { about, timeoutMs, flags }),
  );
  return code;
}

/** The report and the page, where somebody asked for them. */
async function tellPrograms(
  invocation: Invocation,
  findings: readonly Finding[],
  given: { readonly about: GateAbout; readonly timeoutMs: number; readonly flags: CheckFlags },
): Promise<void> {
  const { globals, options } = invocation;
  const { about, timeoutMs, flags } = given;
  const wantsReport = (globals.json ?? false) || globals.junit !== undefined;
  if (!wantsReport && options["html"] === undefined) return;
  const { gatePage, gateReport } = await import("../../../validation/checks/report/gate-page.ts");
  if (wantsReport) {
    const { reporterFor } = await import("../../reporter.ts");
    await reporterFor(invocation).onEnd(gateReport(findings, about));
  }
  const asked = flags.check === undefined ? optionsOf(flags) : (flags.checkOptions ?? {});
  const run = { versions: versionsHere, profile: gateProfile, options: asked, timeoutMs };
  await writePage(invocation, () => gatePage(findings, { ...about, run }));
}

interface Ways {
  readonly flags: CheckFlags;
  readonly aside: Aside;
  readonly leftMs: () => number;
}

async function lookAndCompute(
  { clock, io }: Invocation,
  { flags, aside, leftMs }: Ways,
): Promise<readonly Finding[]> {
  const options = optionsOf(flags);
  const expected = expectedGpus(options.gpus === 0 ? {} : io.env, options.gpus);
  const order = {
    folders: options.folders,
    gpus: options.gpus !== 0,
    xids: options.xidHours > 0,
  };
  const looked = await lookAside(order, { ...aside, timeoutMs: leftMs() });
  const { sightings, unanswered } = looked;
  const isBeforeJob = Boolean(io.env["SLURM_JOB_ID"]);
  const measure = { options, expected, isBeforeJob, nowMs: clock.nowMs() };
  const findings = [...judgeSightings(sightings, measure), ...unanswered];
  // What was proved needs no more time, and what hangs would only hang again.
  if (unanswered.length > 0 || findings.some(({ status }) => status === "fail")) return findings;
  const plan = planCompute(sightings, { options, expected });
  return [...findings, await compute(plan, { ...aside, timeoutMs: leftMs() })];
}

async function compute(
  plan: ComputePlan,
  how: Aside & { readonly timeoutMs: number },
): Promise<Finding> {
  if (plan.on === "nothing") {
    const words = `nothing was computed: ${plan.reason}`;
    return { name: "compute", status: "skipped", words };
  }
  if (plan.on === "host") {
    const done = "products on the processors are exact";
    return checkAside({ check: "host-compute", options: hostRounds, done }, how);
  }
  const done = `products on ${gpusOf(plan.uuids.length)} are exact`;
  const env = { ...how.env, CUDA_VISIBLE_DEVICES: plan.uuids.join(",") };
  return checkAside({ check: "dl-unit", options: gpuCases, done }, { ...how, env });
}

function ownCheck(check: string, { flags, aside, leftMs }: Ways): Promise<Finding> {
  const options = flags.checkOptions ?? {};
  const done = `${check} found nothing wrong`;
  return checkAside({ check, options, done }, { ...aside, timeoutMs: leftMs() });
}

function optionsOf({ checkOptions = {}, gpus }: CheckFlags): GateOptions {
  const given: JsonObject = gpus === undefined ? checkOptions : { ...checkOptions, gpus };
  const parsed = gateOptions.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new TesseraError("E_CHECK_OPTIONS", {
    check: "prolog",
    problem: firstIssue(parsed.error),
  });
}

/** Without what would make the process the job of a run, and without anybody's configuration. */
function gateEnvironment(env: Invocation["io"]["env"]): AsideOptions["env"] {
  const ours = Object.keys(env).filter(staysBehind);
  return {
    ...Object.fromEntries(ours.map((name) => [name, undefined])),
    TESSERA_CONFIG: "/dev/null",
  };
}
