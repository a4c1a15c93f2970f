import { describe, expect, it } from "vitest";
import {
  classesTask,
  type SampleId,
  sequenceTask,
  type Task,
} from "../../../../src/runtime/training/task/index.ts";

const ids = Array.from({ length: 40 }, (_, index): SampleId => ({ epoch: 0, index }));
const random = { seed: "r", drawn: 0 };
const sequences = { vocabulary: 7, positions: 6, seed: "s" } as const;

function halves(task: Task, of: readonly SampleId[] = ids) {
  const { inputs, targets } = task.rows(of, random);
  const rows = (part: "inputs" | "targets") =>
    (part === "inputs" ? inputs : targets).toArray() as number[][];
  return { inputs: rows("inputs"), targets: rows("targets") };
}

describe("sequences", () => {
  it("are to be copied: the answer is the first half again", () => {
    const { inputs, targets } = halves(sequenceTask({ ...sequences, kind: "copy", noise: 0 }));
    for (const [row, tokens] of inputs.entries()) {
      expect(tokens.slice(3)).toEqual([0, 0, 0]);
      expect(tokens.slice(0, 3).every((token) => token >= 1 && token < 7)).toBe(true);
      expect(targets[row]).toEqual([...tokens.slice(0, 3), ...tokens.slice(0, 3)]);
    }
  });

  it("are to be reversed: the answer is the first half backwards", () => {
    const { inputs, targets } = halves(sequenceTask({ ...sequences, kind: "reverse", noise: 0 }));
    for (const [row, tokens] of inputs.entries()) {
      expect(targets[row]?.slice(3)).toEqual(tokens.slice(0, 3).toReversed());
    }
  });

  it("keep their targets when noise replaces tokens, in about that share of places", () => {
    const plain = halves(sequenceTask({ ...sequences, kind: "copy", noise: 0 }));
    const noisy = halves(sequenceTask({ ...sequences, kind: "copy", noise: 0.5 }));
    expect(noisy.targets).toEqual(plain.targets);
    const changed = noisy.inputs.flat().filter((token, at) => token !== plain.inputs.flat()[at]);
    // Half of 120 tokens are drawn again, one in six of them as it was.
    expect(changed.length).toBeGreaterThan(25);
    expect(changed.length).toBeLessThan(75);
  });
});

describe.each([
  ["points", classesTask({ features: 3, classes: 4, seed: "s", noise: 0.1, dtype: "f32" })],
  ["sequences", sequenceTask({ ...sequences, kind: "copy", noise: 0.3 })],
])("%s", (_, task) => {
  it("are the same alone and among others, when the random numbers are theirs", () => {
    const all = task.rows(ids, random);
    for (const row of [0, 17, 39]) {
      const drawn = row * task.drawsPerSample;
      const alone = task.rows(ids.slice(row, row + 1), { ...random, drawn });
      const range = [{ start: row, stop: row + 1 }];
      expect(alone.inputs.digest()).toBe(all.inputs.slice(range).digest());
      expect(alone.targets.digest()).toBe(all.targets.slice(range).digest());
    }
  });

  it("are others with other random numbers", () => {
    const one = task.rows(ids, random).inputs.digest();
    expect(task.rows(ids, { ...random, drawn: 1 }).inputs.digest()).not.toBe(one);
    expect(task.rows(ids, { ...random, seed: "other" }).inputs.digest()).not.toBe(one);
  });
});

describe("points", () => {
  it("belong to every class, by what they are before noise", () => {
    const base = { features: 2, classes: 3, seed: "s", dtype: "f32" } as const;
    const plain = classesTask({ ...base, noise: 0 }).rows(ids, random);
    const noisy = classesTask({ ...base, noise: 0.2 }).rows(ids, random);
    expect(new Set(plain.targets.toArray() as number[])).toEqual(new Set([0, 1, 2]));
    expect(noisy.targets.digest()).toBe(plain.targets.digest());
    const moved = noisy.inputs.toNumbers().map((x, at) => x - (plain.inputs.toNumbers()[at] ?? 0));
    expect(Math.max(...moved.map(Math.abs))).toBeLessThan(0.2001);
    expect(Math.max(...moved.map(Math.abs))).toBeGreaterThan(0.1);
  });
});
