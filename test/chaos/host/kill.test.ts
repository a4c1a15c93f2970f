import { describe, expect, it } from "vitest";
import { recoverHost } from "../../../src/chaos/host/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { clock, hostProgram } from "./support/host-program.ts";
import { killRunner, leftOf } from "./support/killed-runner.ts";
import { atStep, planned, rank, smallPlan } from "./support/small-plan.ts";

const program = hostProgram();
/** `npm run test:kills` makes it more. */
const kills = Number(process.env["TESSERA_KILLS"] ?? 2);
const moments = createRng(process.env["TESSERA_KILL_SEED"] ?? "kill the runner").stream("moments");

/** A worker stands still, links are cut, and the job would go on for a long time. */
const plan = smallPlan({
  steps: 1_000_000,
  every: 50,
  timeouts: { heartbeatUs: 600_000_000, collectiveUs: 600_000_000 },
  faults: [
    planned("network_latency", rank(1), { trigger: atStep(5), params: { latencyUs: 1000 } }),
    planned("freeze_worker", rank(1), { trigger: atStep(60) }),
  ],
});

describe("kill -9 of the runner", () => {
  it(
    `leaves no process, folder or ledger behind: the watchdog clears them, ${kills} times`,
    async () => {
      for (let kill = 0; kill < kills; kill++) {
        const afterMs = moments.int(1500);
        const killed = await killRunner(program, plan, { afterMs, network: "proxy" });
        expect(killed.run).toBeDefined();
        await waitUntil("nothing is left", async () => (await leftOf(killed)).length === 0);
      }
    },
    60_000 + kills * 20_000,
  );

  it("is cleared by the next start when the watchdog was killed, too", async () => {
    const env = { TESSERA_TEST_NO_WATCHDOG: "yes" };
    const killed = await killRunner(program, plan, { afterMs: 300, network: "proxy", env });
    expect(await leftOf(killed)).not.toEqual([]);
    expect(await recoverHost(killed.state, clock)).toBeGreaterThan(0);
    expect(await leftOf(killed)).toEqual([]);
    expect(await recoverHost(killed.state, clock)).toBe(0);
  });
});
