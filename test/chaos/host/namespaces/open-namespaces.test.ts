import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { whyNoNamespaces } from "../../../../src/chaos/host/namespaces/index.ts";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import { createSimWorld } from "../../../../src/chaos/sim/index.ts";
import { clock, hostProgram } from "../support/host-program.ts";
import { networkOf, networkPrefixes } from "../support/network-left.ts";
import { atStep, planned, rank, smallPlan } from "../support/small-plan.ts";

const why = await whyNoNamespaces({ clock });
const reason = why === undefined ? "" : ` (skipped: ${why})`;
const program = hostProgram();
const network = "namespaces";

/** Runs a plan; `left` is what the system still lists of its network. */
async function runInNamespaces(plan: ChaosPlan) {
  const prefixes = new Set<string>();
  const onEvent = () => {
    for (const prefix of networkPrefixes(join(program.folder(), "state"))) prefixes.add(prefix);
  };
  const record = await program.run(plan, { network, onEvent });
  expect(prefixes.size).toBe(1);
  return { record, left: networkOf(prefixes) };
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
    const simulated = await createSimWorld().run(plan, { signal });
    const { record: real, left } = await runInNamespaces(plan);
    expect(real).toMatchObject({ end: "finished", stateDigest: simulated.stateDigest });
    expect(real.residualFaults).toEqual([]);
    expect(effectOf(real, "partition")).toMatch(/the kernel dropped \d+ packets/);
    expect(effectOf(real, "bandwidth_cap")).toContain("the kernel held packets");
    expect(left).toEqual([]);
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
    const { record, left } = await runInNamespaces(plan);
    expect(record.residualFaults.join()).toContain("still has the rules");
    expect(left).toEqual([]);
  });
});
