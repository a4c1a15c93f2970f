import { describe, expect, it } from "vitest";
import { recoverHost } from "../../../../src/chaos/host/index.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock, hostProgram } from "./host-program.ts";
import { type Killed, killRunner, leftOf } from "./killed-runner.ts";
import { whyNoDisk } from "./mounts.ts";
import { atStep, planned, rank, smallPlan } from "./small-plan.ts";

/** `npm run test:kills` makes it more. */
const kills = Number(process.env["TESSERA_KILLS"] ?? 2);
const rng = createRng(process.env["TESSERA_KILL_SEED"] ?? "kill the runner");
const limitMs = 60_000 + kills * 20_000;

/** Links are late, lossy and narrow, the disk is full, a worker stands still, and the job would go on for a long time. */
const plan = smallPlan({
  steps: 1_000_000,
  every: 50,
  timeouts: { heartbeatUs: 600_000_000, collectiveUs: 600_000_000 },
  faults: [
    planned("network_latency", rank(1), { trigger: atStep(5), params: { latencyUs: 1000 } }),
    planned("packet_loss", rank(1), { trigger: atStep(10), params: { share: 0.01 } }),
    planned("bandwidth_cap", rank(0), { trigger: atStep(15), params: { bytesPerSecond: 1e8 } }),
    planned("full_storage", { kind: "storage" }, { trigger: atStep(20) }),
    planned("freeze_worker", rank(1), { trigger: atStep(60) }),
  ],
});

/**
 * Kills runners whose network is of one kind. Each kind has a file of its own, so that they run side by side.
 *
 * @param why this machine has no such network; undefined: it has
 */
export async function killSuite(
  network: "proxy" | "namespaces",
  why: string | undefined,
): Promise<void> {
  const program = hostProgram();
  const noDisk = await whyNoDisk();
  const isPossible = why === undefined;
  const title = isPossible ? network : `${network} (skipped: ${why})`;
  describe(`kill -9 of the runner, network by ${title}`, () => {
    it.runIf(isPossible)(
      `leaves no process, namespace, mount, folder or ledger behind: the watchdog clears them, ${kills} times`,
      async () => {
        const moments = rng.stream(`${network} after a step`);
        for (let kill = 0; kill < kills; kill++) {
          const afterMs = moments.int(1500);
          const killed = await killRunner(program, plan, { since: "step", afterMs, network });
          expect(killed.hasStepped).toBe(true);
          expect(killed.prefixes.size > 0).toBe(network === "namespaces");
          expect(killed.mounts.length > 0).toBe(noDisk === undefined);
          await nothingIsLeftOf(killed);
        }
      },
      limitMs,
    );

    it.runIf(isPossible)(
      `leaves nothing that the next start does not clear, however early it comes, ${kills} times`,
      async () => {
        const moments = rng.stream(`${network} after the start`);
        for (let kill = 0; kill < kills; kill++) {
          const afterMs = moments.int(2500);
          const killed = await killRunner(program, plan, { since: "start", afterMs, network });
          await recoverHost(killed.state, clock);
          await nothingIsLeftOf(killed);
        }
      },
      limitMs,
    );

    it.runIf(isPossible)(
      "is cleared by the next start when the watchdog was killed, too",
      async () => {
        const env = { TESSERA_TEST_NO_WATCHDOG: "yes" };
        const how = { since: "step", afterMs: 300, network, env } as const;
        const killed = await killRunner(program, plan, how);
        const left = await leftOf(killed);
        expect(left).not.toEqual([]);
        expect(left).toEqual(expect.arrayContaining([...killed.mounts]));
        expect(await recoverHost(killed.state, clock)).toBeGreaterThan(0);
        await nothingIsLeftOf(killed);
        expect(await recoverHost(killed.state, clock)).toBe(0);
      },
    );
  });
}

async function nothingIsLeftOf(killed: Killed): Promise<void> {
  let left: readonly string[] = [];
  const isGone = async () => {
    left = await leftOf(killed);
    return left.length === 0;
  };
  // The names tell what to look for when it does not come true.
  await waitUntil("nothing is left", isGone).catch(() => expect(left).toEqual([]));
}
