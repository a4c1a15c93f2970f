import { describe, expect, it } from "vitest";
import { recoverHost } from "../../../src/chaos/host/index.ts";
import { whyNoNamespaces } from "../../../src/chaos/host/namespaces/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { clock, hostProgram } from "./support/host-program.ts";
import { killRunner, leftOf } from "./support/killed-runner.ts";
import { atStep, planned, rank, smallPlan } from "./support/small-plan.ts";

const program = hostProgram();
/** `npm run test:kills` makes it more. */
const kills = Number(process.env["TESSERA_KILLS"] ?? 2);
const rng = createRng(process.env["TESSERA_KILL_SEED"] ?? "kill the runner");
const limitMs = 60_000 + kills * 20_000;
const why = await whyNoNamespaces({ clock });
const networks = [
  { network: "proxy", isPossible: true, title: "proxy" },
  {
    network: "namespaces",
    isPossible: why === undefined,
    title: why === undefined ? "namespaces" : `namespaces (skipped: ${why})`,
  },
] as const;

/** Links are late, lossy and narrow, a worker stands still, and the job would go on for a long time. */
const plan = smallPlan({
  steps: 1_000_000,
  every: 50,
  timeouts: { heartbeatUs: 600_000_000, collectiveUs: 600_000_000 },
  faults: [
    planned("network_latency", rank(1), { trigger: atStep(5), params: { latencyUs: 1000 } }),
    planned("packet_loss", rank(1), { trigger: atStep(10), params: { share: 0.01 } }),
    planned("bandwidth_cap", rank(0), { trigger: atStep(15), params: { bytesPerSecond: 1e8 } }),
    planned("freeze_worker", rank(1), { trigger: atStep(60) }),
  ],
});

describe.each(networks)("kill -9 of the runner, network by $title", ({ network, isPossible }) => {
  it.runIf(isPossible)(
    `leaves no process, namespace, folder or ledger behind: the watchdog clears them, ${kills} times`,
    async () => {
      const moments = rng.stream(`${network} after a step`);
      for (let kill = 0; kill < kills; kill++) {
        const afterMs = moments.int(1500);
        const killed = await killRunner(program, plan, { since: "step", afterMs, network });
        expect(killed.hasStepped).toBe(true);
        expect(killed.prefixes.size > 0).toBe(network === "namespaces");
        await waitUntil("nothing is left", async () => (await leftOf(killed)).length === 0);
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
        await waitUntil("nothing is left", async () => (await leftOf(killed)).length === 0);
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
      expect(await leftOf(killed)).not.toEqual([]);
      expect(await recoverHost(killed.state, clock)).toBeGreaterThan(0);
      await waitUntil("nothing is left", async () => (await leftOf(killed)).length === 0);
      expect(await recoverHost(killed.state, clock)).toBe(0);
    },
  );
});
