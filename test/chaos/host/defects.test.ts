import { beforeAll, describe, expect, it } from "vitest";
import type { ChaosPlan } from "../../../src/chaos/plan/index.ts";
import type { JobEvent, RunRecord } from "../../../src/chaos/record/index.ts";
import { createSimWorld } from "../../../src/chaos/sim/index.ts";
import { hostProgram } from "./support/host-program.ts";
import { atStep, planned, rank, smallPlan, type Wanted } from "./support/small-plan.ts";

const program = hostProgram();
const signal = new AbortController().signal;
const simulated = (plan: ChaosPlan) => createSimWorld().run(plan, { signal });

let clean: string | null = null;
beforeAll(async () => {
  clean = (await simulated(smallPlan())).stateDigest;
});

const torn: Wanted = {
  faults: [
    planned(
      "torn_write",
      { kind: "storage" },
      {
        trigger: { kind: "checkpoint", nth: 2, phase: "write" },
        params: { shard: 1 },
      },
    ),
    planned("kill_device", rank(1), { trigger: atStep(10), forUs: 300_000 }),
  ],
};
/** Longer than half of the timeout of exchanges, and shorter than all of it. */
const late: Wanted = {
  timeouts: { collectiveUs: 12_000_000, heartbeatUs: 20_000_000 },
  faults: [planned("hang_device", rank(1), { trigger: atStep(7), forUs: 9_000_000 })],
};

function restores({ events }: RunRecord) {
  return events.filter(
    (event): event is JobEvent & { kind: "restore" } => event.kind === "restore",
  );
}

describe("bugs planted in real workers", () => {
  it("a torn checkpoint is taken, and that shows, as simulated; its twin refuses it", async () => {
    const plan = smallPlan({ ...torn, defects: ["acceptTornCheckpoint"] });
    const [sound, broken, model] = await Promise.all([
      program.run(smallPlan(torn)),
      program.run(plan),
      simulated(plan),
    ]);
    expect(sound.stateDigest).toBe(clean);
    expect(restores(sound).some(({ phase }) => phase === "refused")).toBe(true);
    for (const { end, stateDigest, events } of [broken, model]) {
      expect(end).toBe("finished");
      expect(stateDigest).toMatch(/^sha256:/);
      expect(stateDigest).not.toBe(clean);
      const last = events.findLast((event) => event.kind === "restore");
      expect(last).toMatchObject({ tag: "step-000008", falseAccept: true, sameAsSaved: false });
    }
    expect(restores(broken).some(({ phase }) => phase === "refused")).toBe(false);
  });

  it("a late rank is left out of the sum, with the bits that it has simulated; its twin is waited for", async () => {
    const plan = smallPlan({ ...late, defects: ["ignoreRank"] });
    const [sound, broken, model] = await Promise.all([
      program.run(smallPlan(late)),
      program.run(plan),
      simulated(plan),
    ]);
    expect(sound.stateDigest).toBe(clean);
    expect(model.stateDigest).not.toBe(clean);
    expect(broken).toMatchObject({ end: "finished", stateDigest: model.stateDigest });
    expect(broken.events.some(({ kind }) => kind === "detect")).toBe(false);
  });

  it("change nothing while nothing goes wrong, nor when a whole checkpoint is loaded", async () => {
    const kill = planned("kill_device", rank(1), { trigger: atStep(10), forUs: 300_000 });
    const record = await program.run(
      smallPlan({ faults: [kill], defects: ["acceptTornCheckpoint", "ignoreRank"] }),
    );
    expect(record.stateDigest).toBe(clean);
    expect(restores(record).at(-1)).toMatchObject({ phase: "done", sameAsSaved: true });
  });
});
