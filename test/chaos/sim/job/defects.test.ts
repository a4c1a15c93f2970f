import { describe, expect, it } from "vitest";
import { createNumerics } from "../../../../src/chaos/numerics/index.ts";
import type { Defect, PlannedFault } from "../../../../src/chaos/plan/index.ts";
import { faultOf, lineage, ofKind, planOf, runPlan, smallJob } from "./support/plans.ts";

const kill = faultOf("kill_device");
const torn = faultOf("torn_write", {
  targets: [{ kind: "storage" }],
  at: { kind: "checkpoint", nth: 1, phase: "write" },
});
const hang = faultOf("hang_device", { forUs: 3_500_000 });

async function both(defect: Defect, faults: readonly PlannedFault[]) {
  return {
    clean: await runPlan(planOf()),
    sound: await runPlan(planOf({ faults })),
    broken: await runPlan(planOf({ faults, defects: [defect] })),
  };
}

/** The final state of a job whose sum of one step lacks one replica. */
async function digestWithout(replica: number, step: number): Promise<string> {
  const numerics = createNumerics(smallJob);
  let states = [0, 1, 2, 3].map(() => numerics.first);
  for (let at = 1; at <= 24; at++) {
    const replicas = states.map((state, index) => ({
      state,
      contributes: at !== step || index !== replica,
    }));
    states = [...(await numerics.step({ replicas })).states];
  }
  return numerics.digest(states[0] ?? numerics.first);
}

describe("bugs planted in a simulated job", () => {
  it("a cursor that is off by one shows in samples and state", async () => {
    const { clean, sound, broken } = await both("cursorOffByOne", [kill]);
    expect(sound.stateDigest).toBe(clean.stateDigest);
    expect(broken.stateDigest).not.toBe(clean.stateDigest);
    expect(lineage(broken)).not.toEqual(lineage(clean));
    expect(ofKind(broken, "restore").at(-1)?.sameAsSaved).toBe(false);
  });

  it("a torn checkpoint that is accepted shows as such", async () => {
    const { clean, sound, broken } = await both("acceptTornCheckpoint", [torn, kill]);
    expect(sound.stateDigest).toBe(clean.stateDigest);
    expect(ofKind(sound, "restore").some(({ phase }) => phase === "refused")).toBe(true);
    expect(broken.stateDigest).not.toBe(clean.stateDigest);
    expect(ofKind(broken, "restore").at(-1)).toMatchObject({
      falseAccept: true,
      sameAsSaved: false,
    });
  });

  it("a rank that is ignored shows in the state alone", async () => {
    const { clean, sound, broken } = await both("ignoreRank", [hang]);
    expect(sound.stateDigest).toBe(clean.stateDigest);
    expect(broken.end).toBe("finished");
    expect(broken.stateDigest).not.toBe(clean.stateDigest);
    expect(broken.stateDigest).toBe(await digestWithout(1, 12));
  });

  it("an undo that is lost shows in what is left", async () => {
    const { sound, broken } = await both("lostUndo", [
      faultOf("straggler", { params: { factor: 1.5 } }),
    ]);
    expect(sound.residualFaults).toEqual([]);
    expect(broken.residualFaults).toEqual(["device 1 is 1.5 times slower"]);
    expect(broken.injections[0]?.revertedUs).not.toBeNull();
  });

  it.each(["cursorOffByOne", "acceptTornCheckpoint", "ignoreRank", "lostUndo"] as const)(
    "%s changes nothing while nothing goes wrong",
    async (defect) => {
      const [clean, broken] = [
        await runPlan(planOf()),
        await runPlan(planOf({ defects: [defect] })),
      ];
      expect(broken.stateDigest).toBe(clean.stateDigest);
      expect(broken.residualFaults).toEqual([]);
    },
  );
});
