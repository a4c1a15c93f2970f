import { isTesseraError, messageOf } from "../../platform/errors/index.ts";
import { type Clock, createRealClock, sleep } from "../../platform/time/index.ts";
import type { Comparison } from "../plan/index.ts";
import { workloadName } from "../workload/index.ts";
import { xidEntry } from "../xid/index.ts";
import type { TestFault } from "./fault-service.ts";
import type { XidOptions } from "./fault-steps.ts";
import { assertAllowed, compareForetold } from "./foretold.ts";
import { ManagedDeployment } from "./managed-deployment.ts";
import type { ManagedDeploymentOptions } from "./options.ts";
import {
  judgeRecovery,
  phaseNames,
  type RecoveryBounds,
  type RecoveryJudgement,
  type RecoveryRecord,
} from "./recovery/index.ts";
import type { SamplingOptions } from "./recovery-measurement.ts";

/** The whole test of one lost GPU. */
export interface ScenarioOptions extends ManagedDeploymentOptions {
  /** Instead of one line: `79-154`. */
  readonly sequence?: string;
  readonly gpu?: NonNullable<XidOptions["gpu"]>;
  readonly sampling?: SamplingOptions;
  /** How long the service is asked before the fault. @default 15_000 */
  readonly baselineMs?: number;
  /** How long it is asked after the recovery. @default 20_000 */
  readonly afterMs?: number;
  /** How long the detector may take to cordon; a fault that should not cordon is watched as long. @default 180_000 */
  readonly detectorTimeoutMs?: number;
  /** How long the pods may take to serve elsewhere, from the cordon. @default 600_000 */
  readonly recoveryTimeoutMs?: number;
  /** Whether the node must be cordoned. @default what the catalogue says of NVSentinel */
  readonly expectCordon?: boolean;
  readonly bounds?: RecoveryBounds;
}

/** What came of a test. */
export interface ScenarioResult {
  readonly run: string;
  readonly node: string | undefined;
  readonly judgement: RecoveryJudgement;
  readonly record: RecoveryRecord | undefined;
  /** As they were when everything had been taken back. */
  readonly faults: readonly TestFault[];
  /** What the plan foretold beside what was seen. */
  readonly compared: readonly Comparison[];
  readonly notes: readonly string[];
  readonly startedAtMs: number;
  readonly durationMs: number;
}

/**
 * The seed's scenario from end to end: baseline, shim into the pods, CUDA errors armed, XID into the
 * kernel log, cordon, pods elsewhere, service back, everything taken back. A phase that does not
 * come in time is judged; whatever keeps the test from being carried on is thrown, after everything
 * was taken back.
 */
export async function runScenario(options: ScenarioOptions): Promise<ScenarioResult> {
  const { clock = createRealClock() } = options;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  await using d = await ManagedDeployment.start({ ...options, clock });
  const problems: string[] = [];
  const step = async (work: () => Promise<unknown>) => {
    try {
      await work();
      return true;
    } catch (error) {
      // What did not come in time shows in the phases; everything else ends the test.
      if (!isTesseraError(error) || error.code !== "E_HW_TIMEOUT") throw error;
      options.onProgress?.(messageOf(error));
      problems.push(messageOf(error));
      return false;
    }
  };
  const node = await d.getHwFaultTargetNode();
  const { xid = 79, sequence } = options;
  const plans = await d.planHwFault(sequence === undefined ? { xid } : { xid, sequence });
  assertAllowed(plans, `The test of ${workloadName(d.workload)}`);
  const expectCordon = options.expectCordon ?? cordonExpected(options);
  await breakAndWatch(d, { ...options, clock, node, expectCordon, step });
  const record = await d.endMeasurement();
  await d.manager.revertAll();
  const faults = await d.manager.list();
  const facts = {
    times: record?.times ?? noTimes,
    shares: record?.shares ?? null,
    leftovers: faults.filter(({ state }) => state !== "reverted").map(leftover),
  };
  // Nobody has to move, but whoever was there must serve in the end.
  const phases = expectCordon ? phaseNames : (["serving"] as const);
  return {
    run: d.run,
    node,
    judgement: judgeRecovery(facts, { phases, ...options.bounds }),
    record,
    faults,
    compared: compareForetold(plans, faults, record),
    notes: [...problems, ...faults.flatMap(({ id, left }) => left.map((one) => `${id}: ${one}`))],
    startedAtMs,
    durationMs: clock.monotonicMs() - startedMs,
  };
}

/** How long CUDA calls fail under an XID that a restart of the process cures. */
const shortErrorMs = 5000;

const noTimes = { detect: null, cordon: null, drain: null, reschedule: null, serving: null };

async function breakAndWatch(
  d: ManagedDeployment,
  about: ScenarioOptions & {
    readonly clock: Clock;
    readonly node: string;
    readonly expectCordon: boolean;
    readonly step: (work: () => Promise<unknown>) => Promise<boolean>;
  },
): Promise<void> {
  const { clock, node, step, signal, sequence, gpu, expectCordon, xid = 79 } = about;
  const { baselineMs = 15_000, afterMs = 20_000, detectorTimeoutMs = 180_000 } = about;
  const say = about.onProgress ?? (() => {});
  const hasCuda = (xidEntry(xid)?.cuda ?? null) !== null;
  if (hasCuda) await d.setupCudaPassthrough({ xid });
  else say(`XID ${xid} makes no CUDA call fail: only the kernel log gets a line`);
  const measurement = await d.measureRecovery(about.sampling);
  say(`the baseline is measured for ${baselineMs / 1000} s`);
  await sleep(clock, baselineMs, signal);
  if (hasCuda) await d.toggleCudaFaults(true);
  const line = sequence === undefined ? { xid } : { sequence };
  await d.injectHwFault("xid", { ...line, ...(gpu === undefined ? {} : { gpu }) });
  if (!expectCordon) {
    say(`nobody should cordon ${node}: that is watched for ${detectorTimeoutMs / 1000} s`);
    await sleep(clock, Math.min(detectorTimeoutMs, shortErrorMs), signal);
    await d.toggleCudaFaults(false);
    await sleep(clock, Math.max(0, detectorTimeoutMs - shortErrorMs), signal);
    if (await step(() => d.waitForPodsOnHealthyNodes())) measurement.recovered();
    await sleep(clock, afterMs, signal);
    return;
  }
  const isCordoned = await step(() =>
    d.waitForNodeCordoned(node, { timeoutMs: detectorTimeoutMs }),
  );
  if (!isCordoned) return;
  await d.cleanupCudaSpecWithoutRestart();
  const timeoutMs = about.recoveryTimeoutMs ?? 600_000;
  const isBack = await step(() => d.waitForPodsOnHealthyNodes({ excludeNode: node, timeoutMs }));
  if (!isBack) return;
  say(`the service is asked for ${afterMs / 1000} s more`);
  await sleep(clock, afterMs, signal);
}

/** Whether the detector that most clusters have would cordon for it. */
function cordonExpected({ xid = 79, sequence }: ScenarioOptions): boolean {
  return sequence !== undefined || xidEntry(xid)?.nvsentinel.isFatal !== false;
}

function leftover({ id, state, message }: TestFault): string {
  return `fault ${id} is ${state}${message === null ? "" : ` (${message})`}`;
}
