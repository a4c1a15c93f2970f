import { type HardwareFault, isLive } from "../../../../../src/hardware/objects/index.ts";
import { sleep } from "../../../../../src/platform/time/index.ts";
import { clock } from "../../kube/support/connect.ts";
import { isRunning } from "./fleet.ts";
import type { Ground } from "./ground.ts";
import { armedBlock } from "./shim-answers.ts";
import { differences, faultsOf, readSurface, type Surface } from "./surface.ts";
import type { Runner } from "./watch-runner.ts";

/** What everybody has beyond the lease. */
export const promisedMs = 5000;
/** A request that was under way when the test was killed is still carried out; by then it was. */
const quietMs = 1500;
/** A test that goes on renews its leases: so long it may take in all. */
export const roundMsMax = 180_000;

/** What is left of a test, or gone of what somebody else did, in words. */
export async function whatIsLeft(
  ground: Ground,
  wanted: Surface,
  faults: readonly HardwareFault[],
): Promise<readonly string[]> {
  const { client, cluster, nodes } = ground;
  const found = await readSurface(client, nodes);
  const blocks = await Promise.all(nodes.map((node) => armedBlock(cluster, node, clock.nowMs())));
  return [...differences(wanted, found), ...faults.filter(isLive).map(described), ...blocks.flat()];
}

export interface Restored {
  /** How long it took. */
  readonly tookMs: number;
  /** From the end of the last lease until then; negative: before it. */
  readonly afterLeaseMs: number;
}

/**
 * Waits until the test is over and all is restored and stays so: five seconds after the last lease at the latest,
 * and each fault five seconds after its own. A test that nobody killed is interrupted by its user
 * after some time.
 */
export async function untilRestored(
  ground: Ground,
  about: {
    readonly runner: Runner;
    readonly wanted: Surface;
    readonly patienceMs: number;
  },
): Promise<Restored> {
  const { runner, wanted, patienceMs } = about;
  const beganMs = clock.monotonicMs();
  const killedAtMs = clock.nowMs();
  let isInterrupted = false;
  let whole: (Restored & { readonly sinceMs: number }) | undefined;
  // What a look says was so when it began, and on a busy machine it takes a while itself.
  let longestLookMs = 0;
  for (;;) {
    const nowMs = clock.nowMs();
    const lookBeganMs = clock.monotonicMs();
    const faults = await faultsOf(ground.client, runner.run);
    const left = await whatIsLeft(ground, wanted, faults);
    longestLookMs = Math.max(longestLookMs, clock.monotonicMs() - lookBeganMs);
    const graceMs = promisedMs + longestLookMs;
    const tookMs = clock.monotonicMs() - beganMs;
    const leaseMs = Math.max(killedAtMs, ...faults.map(leaseUntilMs));
    const isOver = !isRunning(runner.cli.child);
    if (!isOver || left.length > 0) whole = undefined;
    else whole ??= { tookMs, afterLeaseMs: clock.nowMs() - leaseMs, sinceMs: nowMs };
    if (whole !== undefined && nowMs - whole.sinceMs >= quietMs) return whole;
    const isLate =
      (left.length > 0 && nowMs > leaseMs + graceMs) ||
      faults.some((fault) => isLive(fault) && nowMs > leaseUntilMs(fault) + graceMs);
    if (isLate || tookMs > roundMsMax) {
      const stays = isOver ? left : [...left, "the test itself"];
      const since = `${nowMs - leaseMs} ms after the last lease`;
      throw new Error(`${since} this is left: ${stays.join("; ")}`);
    }
    if (!isOver && !isInterrupted && tookMs > patienceMs) {
      isInterrupted = runner.cli.child.kill("SIGINT");
    }
    await sleep(clock, 50);
  }
}

/** When a fault ends unless somebody renews it. */
function leaseUntilMs({ metadata, spec, status }: HardwareFault): number {
  if (status !== undefined) return Date.parse(status.leaseUntil);
  return Date.parse(metadata.creationTimestamp ?? "") + spec.leaseSeconds * 1000;
}

export function described({ spec, status }: HardwareFault): string {
  const { state = "planned", message, history = [] } = status ?? {};
  const by = history.at(-1)?.by ?? "nobody";
  return `a ${spec.action.kind} fault is ${state} by ${by}${message === undefined ? "" : ` (${message})`}`;
}
