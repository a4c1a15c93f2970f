import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { whyNoNamespaces } from "../../../../src/chaos/host/namespaces/index.ts";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import { createSimWorld } from "../../../../src/chaos/sim/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock, hostProgram } from "../support/host-program.ts";
import { killRunner, leftOf } from "../support/killed-runner.ts";
import { atStep, planned, rank, smallPlan } from "../support/small-plan.ts";

const why = await whyNoNamespaces({ clock });
const reason = why === undefined ? "" : ` (skipped: ${why})`;
const program = hostProgram();
const network = "namespaces";

/** Namespaces and links of ours, as the system lists them. */
function ours(): string {
  const listed = [
    spawnSync("ip", ["netns", "list"]).stdout,
    spawnSync("ip", ["-brief", "link", "show"]).stdout,
  ];
  return listed
    .flatMap((text) => String(text).split("\n"))
    .filter((line) => /^tc[0-9a-f]{6}[bnv]/.test(line))
    .join("\n");
}

function effectOf(record: RunRecord, fault: string): string {
  return record.injections.find((one) => one.fault === fault)?.effect ?? "";
}

describe.skipIf(why !== undefined)(`nodes in network namespaces${reason}`, () => {
  it("are cut by nftables, lose packets by its dice and are slowed by tbf; the bits stay", async () => {
    const plan = smallPlan({
      timeouts: { collectiveUs: 2_000_000 },
      faults: [
        planned("bandwidth_cap", rank(1), {
          trigger: atStep(2),
          params: { bytesPerSecond: 2_000_000 },
          forUs: 400_000,
        }),
        planned("packet_loss", rank(1), {
          trigger: atStep(5),
          params: { share: 0.05 },
          forUs: 300_000,
        }),
        planned(
          "partition",
          { kind: "cut", sides: [[0], [1]], asymmetric: false },
          { trigger: atStep(9), forUs: 3_000_000 },
        ),
      ],
    });
    const { signal } = new AbortController();
    const [simulated, real] = [
      await createSimWorld().run(plan, { signal }),
      await program.run(plan, { network }),
    ];
    expect(real).toMatchObject({ end: "finished", stateDigest: simulated.stateDigest });
    expect(real.residualFaults).toEqual([]);
    expect(effectOf(real, "partition")).toMatch(/the kernel dropped \d+ packets/);
    expect(effectOf(real, "bandwidth_cap")).toContain("the kernel held packets");
    expect(ours()).toBe("");
  });

  it("find the rules of a fault whose undo was lost", async () => {
    const plan = smallPlan({
      steps: 4,
      defects: ["lostUndo"],
      faults: [
        planned("packet_loss", rank(1), {
          trigger: atStep(2),
          params: { share: 0.01 },
          forUs: 1000,
        }),
      ],
    });
    const record = await program.run(plan, { network });
    expect(record.residualFaults.join()).toContain("still has the rules");
    expect(ours()).toBe("");
  });

  it("are gone after kill -9 of the runner, with their links, rules and processes", async () => {
    const plan = smallPlan({
      steps: 1_000_000,
      every: 0,
      timeouts: { heartbeatUs: 600_000_000, collectiveUs: 600_000_000 },
      faults: [
        planned(
          "partition",
          { kind: "cut", sides: [[0], [1]], asymmetric: false },
          { trigger: atStep(30) },
        ),
      ],
    });
    const killed = await killRunner(program, plan, { afterMs: 500, network });
    expect(killed.run).toBeDefined();
    await waitUntil("nothing is left", async () => {
      return ours() === "" && (await leftOf(killed)).length === 0;
    });
  });
});
