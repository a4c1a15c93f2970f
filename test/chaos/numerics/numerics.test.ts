import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNumerics, type Numerics, stateDigest } from "../../../src/chaos/numerics/index.ts";
import { Mesh } from "../../../src/runtime/dist/index.ts";
import { createTrainingJob, type JobOptions } from "../../../src/runtime/training/index.ts";

const job: JobOptions = {
  model: { kind: "mlp", inputs: 4, hidden: [8, 8], outputs: 3 },
  optimizer: { kind: "adamW", learningRate: 0.01 },
  batch: 12,
  seed: 7,
  data: { samples: 40 },
};

/** So many steps with so many replicas that hold the same. */
async function trained(numerics: Numerics, steps: number, replicas: number): Promise<number> {
  let state = numerics.first;
  for (let step = 0; step < steps; step++) {
    const inputs = Array.from({ length: replicas }, () => ({ state, contributes: true }));
    const done = await numerics.step({ replicas: inputs });
    expect(new Set(done.states).size).toBe(1);
    state = done.states[0] ?? -1;
  }
  return state;
}

describe("numbers of a simulated job", () => {
  it.each([
    ["dp", { dp: 4, tp: 1, pp: 1 }],
    ["dp and tp", { dp: 2, tp: 2, pp: 1 }],
    ["dp, tp and pp", { dp: 3, tp: 2, pp: 2 }],
  ])("are those of the real job on a mesh with %s", async (_, shape) => {
    const axes = ["dp", "tp", "pp"] as const;
    const devices = shape.dp * shape.tp * shape.pp;
    const mesh = new Mesh({ axes, shape: axes.map((axis) => shape[axis]), devices });
    const real = createTrainingJob({ ...job, mesh });
    const losses: number[] = [];
    for (let step = 0; step < 5; step++) losses.push((await real.step()).loss);
    const numerics = createNumerics(job);
    const state = await trained(numerics, 5, shape.dp);
    expect(numerics.digest(state)).toBe(stateDigest(real.state()));
    expect(numerics.stepsDone(state)).toBe(5);
    expect(losses.every(Number.isFinite)).toBe(true);
  });

  it("are the same bits when every replica computes its own part", async () => {
    const numerics = createNumerics(job);
    const whole = await trained(numerics, 3, 4);
    // Another handle for the same bits keeps the replicas from being taken for one.
    let states = [0, 0, 0, 0].map(() => numerics.cursorMoved(numerics.first, 0));
    for (let step = 0; step < 3; step++) {
      const inputs = states.map((state) => ({ state, contributes: true }));
      states = [...(await numerics.step({ replicas: inputs })).states];
    }
    expect(new Set(states).size).toBe(4);
    for (const state of states) expect(numerics.digest(state)).toBe(numerics.digest(whole));
  });

  it("are others when a replica is left out, and its samples count all the same", async () => {
    const numerics = createNumerics(job);
    const plain = { state: numerics.first, contributes: true };
    const clean = await numerics.step({ replicas: [plain, plain] });
    const without = await numerics.step({ replicas: [plain, { ...plain, contributes: false }] });
    expect(without.samples).toEqual(clean.samples);
    expect(new Set(without.states).size).toBe(1);
    expect(numerics.digest(without.states[0] ?? -1)).not.toBe(
      numerics.digest(clean.states[0] ?? -1),
    );
  });

  it("hand a wrong bit of one replica to all of them", async () => {
    const numerics = createNumerics(job);
    const plain = { state: numerics.first, contributes: true };
    const corruption = { first: 3, stride: 0, count: 1, bit: 30 };
    const clean = await numerics.step({ replicas: [plain, plain] });
    const wrong = await numerics.step({ replicas: [plain, { ...plain, corruption }] });
    expect(new Set(wrong.states).size).toBe(1);
    expect(numerics.digest(wrong.states[0] ?? -1)).not.toBe(numerics.digest(clean.states[0] ?? -1));
  });

  it("show a NaN in the norm of the gradient of the step it came in", async () => {
    const numerics = createNumerics(job);
    const plain = { state: numerics.first, contributes: true };
    const corruption = { first: 0, stride: 0, count: 1, bit: "nan" as const };
    const wrong = await numerics.step({ replicas: [plain, { ...plain, corruption }] });
    expect(wrong.gradientNorm).toBeNaN();
    const clean = await numerics.step({ replicas: [plain, plain] });
    expect(Number.isFinite(clean.gradientNorm)).toBe(true);
  });

  it("are computed once for all runs of the same job", async () => {
    const once = { ...job, seed: "once" };
    const first = createNumerics(once);
    const inputs = (numerics: Numerics) => ({
      replicas: [{ state: numerics.first, contributes: true }],
    });
    const computed = first.step(inputs(first));
    expect(computed).toBeInstanceOf(Promise);
    const done = await computed;
    const second = createNumerics(once);
    expect(second.step(inputs(second))).toEqual(done);
    const other = createNumerics({ ...once, seed: "another" });
    expect(other.step(inputs(other))).toBeInstanceOf(Promise);
  });

  it("leave a state as it is when another is made of it", () => {
    const numerics = createNumerics(job);
    const before = numerics.digest(numerics.first);
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.nat(64),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(31),
        (first, stride, count, bit) => {
          const made = numerics.corrupted(numerics.first, { first, stride, count, bit });
          expect(numerics.digest(made)).not.toBe(before);
          expect(numerics.digest(numerics.first)).toBe(before);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("take a cursor back and forth without a trace", () => {
    const numerics = createNumerics(job);
    fc.assert(
      fc.property(fc.nat(100), (by) => {
        const moved = numerics.cursorMoved(numerics.first, by);
        const back = numerics.cursorMoved(moved, -by);
        expect(numerics.digest(back)).toBe(numerics.digest(numerics.first));
        if (by > 0) expect(numerics.digest(moved)).not.toBe(numerics.digest(numerics.first));
      }),
      { numRuns: 30 },
    );
  });

  it("mix as much of another state as was torn: nothing, something, all", async () => {
    const numerics = createNumerics(job);
    const older = await trained(numerics, 1, 1);
    const newer = await trained(numerics, 2, 1);
    const of = 4;
    const digests = [0, 1, 2, 3, 4].map((torn) =>
      numerics.digest(numerics.mixed(newer, older, { of, torn })),
    );
    expect(digests[0]).toBe(numerics.digest(newer));
    expect(new Set(digests).size).toBe(5);
    expect(numerics.stepsDone(numerics.mixed(newer, older, { of, torn: 2 }))).toBe(2);
  });
});
