import { describe, expect, it } from "vitest";
import { inject } from "../../../src/chaos/fault/index.ts";
import { spmd, tensor } from "../../../src/runtime/dist/index.ts";
import { Mesh } from "../../../src/runtime/dist/mesh/index.ts";
import { allReduce, barrier, matmul } from "../../../src/runtime/op/index.ts";
import { fromValues } from "../../../src/runtime/tensor/index.ts";
import { errorOf, mesh, ones, sum, timeUs } from "./broken-mesh.ts";

const cluster = new Mesh({ axes: ["node", "gpu"], shape: [4, 4], devices: 16 });

describe("a device", () => {
  it.each([
    [{ offBus: 5 }, "E_DEVICE_LOST", "XID 79"],
    [{ ecc: 5 }, "E_DEVICE_LOST", "XID 48"],
    [{ ecc: { device: 5, xid: 95 } }, "E_DEVICE_LOST", "XID 95"],
  ] as const)(
    "that is lost by %j is named with its cause, again and again",
    (spec, code, cause) => {
      inject(spec, () => {
        for (let time = 0; time < 2; time++) {
          expect(errorOf({ straggler: { device: 0 } }, () => sum(mesh))).toMatchObject({
            code,
            details: {
              device: 5,
              rank: 5,
              phase: "reduce-scatter",
              cause: expect.stringContaining(cause),
            },
          });
        }
      });
      expect(sum(mesh)).toBe(8);
    },
  );

  it("with a contained memory error fails one operation and lives on", () => {
    inject({ ecc: { device: 5, xid: 94 } }, () => {
      expect(errorOf({ straggler: { device: 0 } }, () => sum(mesh))).toMatchObject({
        code: "E_CUDA",
        message: expect.stringContaining("all-reduce on device 5 (rank 5, dp 5)"),
        details: { name: "CUDA_ERROR_CONTAINED", code: 226 },
      });
      expect(sum(mesh)).toBe(8);
    });
  });

  it("without memory fails the operation that is named, and no other", () => {
    inject({ outOfMemory: { device: 5, op: "matmul" } }, () => {
      const a = tensor([4, 4], { mesh, fill: 1 });
      expect(() => matmul(a, a)).toThrow("CUDA_ERROR_OUT_OF_MEMORY");
      expect(() => matmul(a, a)).toThrow("rank 5");
      expect(sum(mesh)).toBe(8);
    });
  });

  it("that hangs ends everything that needs it by a timeout that names it", () => {
    const error = errorOf({ hang: { device: 5, timeout: "90s" } }, () => sum(mesh));
    expect(error).toMatchObject({ code: "E_TIMEOUT", details: { device: 5, ranks: [5] } });
    expect(error?.message).toBe(
      "all-reduce, which waits for device 5 (rank 5, dp 5) in phase reduce-scatter, did not finish within 1m 30s.",
    );
    expect(
      errorOf({ hang: 5 }, () => matmul(tensor([4, 4], { mesh }), tensor([4, 4], { mesh }))),
    ).toMatchObject({ code: "E_TIMEOUT" });
    // What it alone holds cannot be read; what others hold too can.
    expect(errorOf({ hang: 0 }, () => ones(mesh).toTensor())).toBeUndefined();
    const alone = tensor([2], { mesh: new Mesh({ axes: ["dp"], devices: [5] }) });
    expect(errorOf({ hang: 5 }, () => alone.toTensor())).toMatchObject({ code: "E_TIMEOUT" });
  });

  it("that is not in the group is not missed", () => {
    for (const spec of [{ hang: 99 }, { offBus: 99 }, { outOfMemory: 99 }, { nvlink: 99 }]) {
      expect(inject(spec, () => sum(mesh))).toBe(8);
    }
  });

  it("that straggles takes longer to compute, and computes the same", () => {
    const a = tensor([64, 64], { mesh, fill: 1 });
    const run = () => matmul(a, a);
    const usual = timeUs(undefined, run);
    expect(timeUs({ straggler: { device: 5, factor: 3 } }, run)).toBeCloseTo(3 * usual, 6);
    expect(timeUs({ straggler: { device: 99, factor: 3 } }, run)).toBe(usual);
    const slow = inject({ straggler: { device: 5, factor: 3 } }, run);
    expect(slow.digest()).toBe(run().digest());
  });

  it("with a broken NVLink is cut off inside its node alone", () => {
    const inside = (over: string) => () => allReduce(ones(cluster), { over });
    expect(errorOf({ nvlink: 5 }, inside("gpu"))).toMatchObject({ code: "E_PARTITION" });
    expect(errorOf({ nvlink: 5 }, inside("node"))).toBeUndefined();
    const usual = timeUs(undefined, inside("gpu"));
    const slow = { nvlink: { device: 5, state: "degraded", factor: 4 } } as const;
    expect(timeUs(slow, inside("gpu"))).toBeGreaterThan(usual);
    expect(timeUs(slow, inside("node"))).toBe(timeUs(undefined, inside("node")));
  });

  it("that makes a NaN does so in the element that is named, where the dtype has one", () => {
    const spec = { notANumber: { device: 5, element: 3 } };
    const found = inject(spec, () => allReduce(ones(mesh)).toTensor());
    expect([found.at(3), found.at(2)]).toEqual([Number.NaN, 8]);
    const whole = tensor([16], { mesh, fill: 1, dtype: "i32" });
    expect(inject(spec, () => allReduce(whole).toTensor()).at(3)).toBe(8);
  });
});

describe("links", () => {
  it("between groups are cut both ways, or one way when asked", () => {
    const groups = [
      [0, 1],
      [2, 3],
    ];
    expect(errorOf({ networkPartition: { groups } }, () => sum(mesh))?.code).toBe("E_PARTITION");
    const pair = new Mesh({ axes: ["dp"], devices: [0, 1] });
    expect(inject({ networkPartition: { groups } }, () => sum(pair))).toBe(2);
  });

  it("that are named are cut in one direction", async () => {
    const spec = { networkPartition: { links: [[0, 1]] as [number, number][] } };
    await expect(inject(spec, () => message(0, 1))).rejects.toMatchObject({ code: "E_PARTITION" });
    await expect(inject(spec, () => message(1, 0))).resolves.toBeDefined();
    const oneWay = { networkPartition: { groups: [[0], [1]], asymmetric: true } };
    await expect(inject(oneWay, () => message(0, 1))).rejects.toMatchObject({
      code: "E_PARTITION",
    });
    await expect(inject(oneWay, () => message(1, 0))).resolves.toBeDefined();
  });

  it("with latency take longer by it for every message in a row, and carry the same", () => {
    const usual = timeUs(undefined, () => sum(mesh));
    const one = timeUs({ latency: "50ms" }, () => sum(mesh));
    const two = timeUs({ latency: "100ms" }, () => sum(mesh));
    expect(one - usual).toBeGreaterThanOrEqual(2 * 50_000);
    expect(two - usual).toBeCloseTo(2 * (one - usual), 3);
    expect(inject({ latency: "50ms" }, () => sum(mesh))).toBe(8);
    expect(timeUs({ latency: { latency: "50ms", device: 99 } }, () => sum(mesh))).toBe(usual);
    expect(timeUs({ latency: { latency: "50ms", device: 7 } }, () => sum(mesh))).toBe(one);
  });

  it("with jitter vary between operations, and the same seed varies the same", () => {
    const times = (seed: number) =>
      inject({ jitter: { jitter: "10ms", seed } }, () =>
        [1, 2, 3].map(() => timeUs(undefined, () => barrier(mesh))),
      );
    const usual = timeUs(undefined, () => barrier(mesh));
    const first = times(1);
    expect(times(1)).toEqual(first);
    expect(times(2)).not.toEqual(first);
    expect(new Set(first).size).toBe(3);
    for (const one of first) expect(one).toBeGreaterThanOrEqual(usual);
  });

  it("that lose packets take longer until nothing gets through", () => {
    const big = () => allReduce(tensor([1 << 20], { mesh, fill: 1 }), { op: "sum" });
    const lost = (share: number) => timeUs({ packetLoss: share }, big);
    expect(lost(0.5)).toBeGreaterThan(lost(0.1));
    expect(lost(0.1)).toBeGreaterThan(lost(0));
    expect(lost(0)).toBe(timeUs(undefined, big));
    expect(errorOf({ packetLoss: 1 }, big)).toMatchObject({ code: "E_PARTITION" });
    expect(errorOf({ packetLoss: { share: 1, device: 99 } }, big)).toBeUndefined();
  });

  it("with a cap carry no more than that, and a cap above what they carry is none", () => {
    const bytes = 4 * (1 << 24);
    const big = () => allReduce(tensor([1 << 24], { mesh, fill: 1 }), { op: "sum" });
    const us = timeUs({ bandwidth: 1 }, big);
    expect(bytes / us / 1e3).toBeLessThanOrEqual(1);
    expect(timeUs({ bandwidth: 1e6 }, big)).toBe(timeUs(undefined, big));
  });
});

/** One message between two ranks of the mesh. */
function message(from: number, to: number): Promise<unknown> {
  return spmd(mesh, async (rank) => {
    if (rank.index === from) await rank.send(fromValues([1]), to);
    if (rank.index === to) await rank.recv(from);
    return true;
  });
}
