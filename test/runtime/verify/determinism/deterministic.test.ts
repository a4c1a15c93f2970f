import { describe, expect, it } from "vitest";
import { distribute, Mesh } from "../../../../src/runtime/dist/index.ts";
import { fromValues, ops, randn, type Tensor } from "../../../../src/runtime/tensor/index.ts";
import { deterministic } from "../../../../src/runtime/verify/determinism/index.ts";

const [A, B] = [randn([6, 8], { seed: 1 }), randn([8, 5], { seed: 2 })];

describe("deterministic", () => {
  it("passes a function that gives the same bits, and makes as many runs as asked", async () => {
    let runs = 0;
    const found = await deterministic(() => {
      runs++;
      return ops.matmul(A, B);
    }, 5);
    expect(found).toMatchObject({ deterministic: true, runs: 5, differentRuns: 0 });
    expect(runs).toBe(5);
    expect(found.text).toBe("5 runs gave the same bits");
  });

  it("names the run, the element and the first difference of one that does not", async () => {
    const found = await deterministic(
      async (_, { run }) => ({ y: fromValues([1, 2, run === 2 ? 3.5 : 3]), step: 1 }),
      { runs: 4 },
    );
    expect(found).toMatchObject({ deterministic: false, differentRuns: 1 });
    expect(found.different).toMatchObject([
      { run: 2, report: { first: { path: "y", index: [2], a: { value: 3 }, b: { value: 3.5 } } } },
    ]);
    expect(found.text).toContain("1 of 4 runs differ from run 0; the first is run 2");
  });

  it("sees a signed zero and a changed number", async () => {
    const zero = await deterministic((_, { run }) => fromValues([run === 1 ? -0 : 0]), 2);
    expect(zero.deterministic).toBe(false);
    const number = await deterministic((_, { run }) => ({ loss: run }), 2);
    expect(number.deterministic).toBe(false);
  });

  it("is not fooled by a function that writes into the same storage each time", async () => {
    const same = fromValues([1, 2, 3]);
    const found = await deterministic((_, { run }) => {
      (same.raw as Float32Array)[1] = run;
      return same;
    }, 3);
    expect(found.differentRuns).toBe(2);
    expect(found.different[0]?.report.first).toMatchObject({ a: { value: 0 }, b: { value: 1 } });
  });

  it("tells a function that changes its input, on the host and on a mesh", async () => {
    const mesh = new Mesh({ axes: ["dp"], shape: [2], devices: 2 });
    const inputs = { x: fromValues([1, 2]), y: distribute(fromValues([3, 4]), { mesh }) };
    const touch = (tensor: Tensor) => {
      (tensor.raw as Float32Array)[0] = (tensor.raw[0] as number) + 1;
    };
    const host = await deterministic(({ x }) => (touch(x), 1), { inputs, runs: 2 });
    expect(host).toMatchObject({ deterministic: false, differentRuns: 0 });
    expect(host.changedInputs).toEqual([
      { run: 0, path: "x" },
      { run: 1, path: "x" },
    ]);
    expect(host.text).toContain("run 0 changed its input x");
    const onMesh = await deterministic(({ y }) => (touch(y.local(0)), 1), { inputs, runs: 2 });
    expect(onMesh.changedInputs[0]).toEqual({ run: 0, path: "y" });
    const neither = await deterministic(({ x }) => ops.neg(x), { inputs });
    expect(neither).toMatchObject({ deterministic: true, changedInputs: [] });
  });

  it("lets a hook change what may change, and undoes it after each run", async () => {
    const log: string[] = [];
    let order = [0, 1, 2];
    // Sums of floats depend on the order of their terms.
    const sum = () => order.reduce((total, at) => total + ([1e16, 1, -1e16][at] as number), 0);
    const vary = ({ run }: { readonly run: number }) => {
      order = run === 1 ? [0, 2, 1] : [0, 1, 2];
      log.push(`vary ${run}`);
      return { [Symbol.dispose]: () => log.push(`undo ${run}`) };
    };
    const found = await deterministic(() => sum(), { runs: 3, vary });
    expect(found.different.map(({ run }) => run)).toEqual([1]);
    expect(log).toEqual(["vary 0", "undo 0", "vary 1", "undo 1", "vary 2", "undo 2"]);
  });

  it("sees replicas that differ, and another layout", async () => {
    const mesh = new Mesh({ axes: ["dp"], shape: [2], devices: 2 });
    const x = distribute(A, { mesh });
    const odd = await deterministic(
      (_, { run }) => (run === 1 ? x.withBitFlip({ rank: 1, index: 3, bit: 2 }) : x),
      2,
    );
    expect(odd.different[0]?.report.replicas).toMatchObject([{ side: "b" }]);
    const moved = await deterministic(
      (_, { run }) =>
        run === 1 ? distribute(A, { mesh, layout: [{ kind: "shard", dim: 0, split: "ceil" }] }) : x,
      2,
    );
    expect(moved.deterministic).toBe(false);
    expect(moved.text).toContain("lie in another way");
  });

  it("hands each result back when it was compared, and throws on what the function throws", async () => {
    const released: number[] = [];
    await deterministic(() => 0, { runs: 3, release: () => released.push(1) });
    expect(released.length).toBe(3);
    const failing = deterministic((_, { run }) => {
      if (run === 1) throw new Error("no such luck");
      return 1;
    });
    await expect(failing).rejects.toThrow("no such luck");
  });

  it("refuses a number of runs that shows nothing", async () => {
    for (const runs of [1, 0, 2.5, 10_001]) {
      const refused = deterministic(() => 1, runs);
      await expect(refused).rejects.toMatchObject({ code: "E_VERIFY" });
    }
  });
});
