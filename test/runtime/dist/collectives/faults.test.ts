import { describe, expect, it } from "vitest";
import {
  allGather,
  allReduce,
  allToAll,
  allToAllV,
  barrier,
  broadcast,
  gather,
  hierarchicalAllReduce,
  permute,
  reduce,
  reduceScatter,
  scatter,
  sendRecv,
} from "../../../../src/runtime/dist/collectives/index.ts";
import {
  type Breakage,
  breakDuring,
  DistTensor,
  Mesh,
  partial,
  replicate,
  shardSpec,
  tensor,
} from "../../../../src/runtime/dist/index.ts";
import { ones } from "../../../../src/runtime/tensor/index.ts";
import { thrownBy } from "../mesh/thrown-by.ts";

const mesh = new Mesh({ axes: ["tp", "dp"], shape: [3, 4], devices: 12 });
const x = tensor([12], { mesh, random: { kind: "uniform", seed: 1 } });
const dead = (device: number): Breakage => ({ kind: "dead", device });
const even = Array.from({ length: 12 }, () => Array.from({ length: 12 }, () => 1));

const everyCollective: readonly (readonly [name: string, run: () => unknown])[] = [
  ["allReduce", () => allReduce(x)],
  ["hierarchicalAllReduce", () => hierarchicalAllReduce(x)],
  ["reduceScatter", () => reduceScatter(x)],
  ["allGather", () => allGather(x)],
  ["allToAll", () => allToAll(x)],
  ["allToAllV", () => allToAllV(x, { counts: even })],
  ["broadcast", () => broadcast(x)],
  ["reduce", () => reduce(x)],
  ["gather", () => gather(x)],
  ["scatter", () => scatter(x)],
  ["permute", () => permute(x, { pairs: [[2, 9]] })],
  ["sendRecv", () => sendRecv(x, { from: 2, to: 9 })],
  ["barrier", () => barrier(mesh)],
];

describe.each(everyCollective)("%s", (_, run) => {
  it("works while nothing is broken", () => {
    expect(run).not.toThrow();
  });

  it("fails when a device of its is dead, naming rank, device and phase", () => {
    const error = thrownBy("E_DEVICE_LOST", () => breakDuring(dead(9), run));
    expect(error.details).toMatchObject({ rank: 9, device: 9, coordinates: "tp 2, dp 1" });
    expect(error.exitCode).toBe(1);
    expect(error.hint).toContain("mesh.without([9])");
    expect(run).not.toThrow();
  });

  it("fails when a link of its is cut, naming both ends and the phase", () => {
    const half: Breakage = { kind: "cut", sides: [{ range: [0, 6] }] };
    const error = thrownBy("E_PARTITION", () => breakDuring(half, run));
    const { fromRank, toRank, phase } = error.details;
    expect(Number(fromRank) < 6).not.toBe(Number(toRank) < 6);
    expect(phase).toBeTypeOf("string");
    expect(run).not.toThrow();
  });

  it("works when the broken device and link are of another mesh", () => {
    const elsewhere: Breakage[] = [dead(99), { kind: "cut", sides: [{ range: [50, 60] }] }];
    expect(() => breakDuring(elsewhere, run)).not.toThrow();
  });
});

describe("what a fault does not touch", () => {
  it("fails an operation as a whole, but not one on other groups only", () => {
    breakDuring(dead(1), () => {
      thrownBy("E_DEVICE_LOST", () => allReduce(x, { over: "tp" }));
      expect(allReduce(x, { over: "tp", only: { dp: 0 } }).mesh.size).toBe(3);
      thrownBy("E_DEVICE_LOST", () => allReduce(x, { over: "tp", only: { dp: 1 } }));
      expect(allReduce(x, { only: { tp: 2 } }).mesh.devices).toEqual([8, 9, 10, 11]);
    });
  });

  it("lets axes work that do not cross a cut", () => {
    const rows: Breakage = { kind: "cut", sides: [{ range: [0, 4] }] };
    breakDuring(rows, () => {
      expect(allReduce(x, { over: "dp" }).digest()).toBe(allReduce(x, { over: "dp" }).digest());
      thrownBy("E_PARTITION", () => allReduce(x, { over: "tp" }));
    });
  });

  it("gives the part that `only` asks for, cut out of a tensor that is split", () => {
    const rows = shardSpec({ partition: [0], meshAxes: ["tp"] });
    const y = tensor(
      Float32Array.from({ length: 7 }, (_, at) => at),
      { mesh, layout: rows },
    );
    const part = allGather(y, { only: { tp: 1 } });
    expect(part.mesh.axes).toEqual(["dp"]);
    expect(part.toArray()).toEqual([3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5]);
  });

  it("lets devices that a message does not pass be dead", () => {
    breakDuring(dead(5), () => {
      expect(() => sendRecv(x, { from: 0, to: 1 })).not.toThrow();
      thrownBy("E_DEVICE_LOST", () => sendRecv(x, { from: 0, to: 5 }));
      expect(() => permute(x, { pairs: [[0, 1]] })).not.toThrow();
    });
  });

  it("lets data through an asymmetric cut in the direction that is left", () => {
    const oneWay: Breakage = { kind: "cut", sides: [{ range: [0, 6] }], asymmetric: true };
    breakDuring(oneWay, () => {
      thrownBy("E_PARTITION", () => sendRecv(x, { from: 0, to: 6 }));
      expect(() => sendRecv(x, { from: 6, to: 0 })).not.toThrow();
      expect(() => gather(x, { root: 0 })).not.toThrow();
      thrownBy("E_PARTITION", () => gather(x, { root: 11 }));
      thrownBy("E_PARTITION", () => allReduce(x));
    });
  });

  it("minds a single link only where the algorithm uses it", () => {
    const link: Breakage = { kind: "cut", links: [[0, 2]] };
    breakDuring(link, () => {
      expect(() => allReduce(x)).not.toThrow();
      const error = thrownBy("E_PARTITION", () => allToAll(x));
      expect(error.details).toMatchObject({ from: 0, to: 2, phase: "exchange" });
    });
  });
});

describe("phases of a hierarchical all-reduce", () => {
  const pool = new Mesh({ axes: ["node", "gpu"], devices: 32 });
  const y = tensor([5], { mesh: pool });

  it("names the phase between nodes when nodes are cut off", () => {
    const half: Breakage = { kind: "cut", sides: [{ range: [0, 2] }] };
    const error = thrownBy("E_PARTITION", () => breakDuring(half, () => hierarchicalAllReduce(y)));
    expect(error.details).toMatchObject({ phase: "all-reduce inter", from: 8, to: 16 });
  });

  it("names the phase inside nodes when a link there is cut", () => {
    const inside: Breakage = { kind: "cut", links: [[18, 19]] };
    const error = thrownBy("E_PARTITION", () =>
      breakDuring(inside, () => hierarchicalAllReduce(y)),
    );
    expect(error.details).toMatchObject({ phase: "reduce-scatter intra", from: 18, to: 19 });
  });

  it("names the first phase of a dead device", () => {
    const run = () => breakDuring(dead(20), () => hierarchicalAllReduce(y));
    expect(thrownBy("E_DEVICE_LOST", run).details).toMatchObject({
      rank: 20,
      phase: "reduce-scatter intra",
      coordinates: "node 2, gpu 4",
    });
  });
});

describe("ranks that disagree", () => {
  it("are named, and nothing is broadcast in silence", () => {
    const broken = x.withLocal(3, ones([1])).withLocal(7, ones([13]));
    for (const run of [() => allReduce(broken), () => allGather(broken), () => scatter(broken)]) {
      const error = thrownBy("E_DESYNC", run);
      expect(error.details["ranks"]).toEqual([3, 7]);
      expect(error.message).toContain("rank 3 holds f32[1] instead of f32[12]");
      expect(error.exitCode).toBe(1);
    }
  });

  it("are named when a dtype differs", () => {
    const broken = x.withLocal(3, ones([12], { dtype: "f16" }));
    expect(thrownBy("E_DESYNC", () => allReduce(broken)).message).toContain("rank 3 holds f16[12]");
    thrownBy("E_DESYNC", () => allToAllV(broken, { counts: even }));
  });

  it("stop only groups they are in, when only others take part", () => {
    const broken = x.withLocal(3, ones([1]));
    expect(() => allReduce(broken, { only: { tp: 1 } })).not.toThrow();
    thrownBy("E_DESYNC", () => allReduce(broken, { only: { tp: 0 } }));
  });
});

describe("a device that corrupts", () => {
  const rack = new Mesh({ axes: ["dp"], devices: 8 });
  const one = tensor([3], { mesh: rack, fill: 1 });
  const sign = { kind: "corrupt", device: 5, element: 1, bit: 31 } as const;

  it("hands in a wrong bit, in silence, and everybody has the wrong sum", () => {
    const y = breakDuring(sign, () => allReduce(one));
    expect(y.toArray()).toEqual([8, 6, 8]);
    expect(y.shardingValid()).toBe(true);
    expect(y.provenance?.notes.join()).not.toContain("corrupt");
    expect(one.local(5).toArray()).toEqual([1, 1, 1]);
  });

  it("or ends with a wrong bit that only it has, which the replicas show", () => {
    const y = breakDuring({ ...sign, where: "output" }, () => allReduce(one));
    expect(y.local(4).toArray()).toEqual([8, 8, 8]);
    expect(y.local(5).toArray()).toEqual([8, -8, 8]);
    expect(y.shardingReport().errors.map(({ rank }) => rank)).toEqual([5]);
  });

  it("does so only in the operation it is told", () => {
    const only = { ...sign, when: "broadcast" };
    expect(breakDuring(only, () => allReduce(one)).toArray()).toEqual([8, 8, 8]);
    const y = breakDuring(only, () => broadcast(one, { root: 5 }));
    expect(y.toArray()).toEqual([1, -1, 1]);
  });

  it("spares what has no such element or bit", () => {
    const far = { ...sign, element: 3 };
    expect(breakDuring(far, () => allReduce(one)).toArray()).toEqual([8, 8, 8]);
    const small = tensor([3], { mesh: rack, fill: 1, dtype: "bf16" });
    expect(breakDuring(sign, () => allReduce(small)).toArray()).toEqual([8, 8, 8]);
  });

  it.each(everyCollective.filter(([name]) => name !== "barrier"))("works in %s", (_, run) => {
    const wrong = (where: "contribution" | "output"): Breakage => ({
      kind: "corrupt",
      device: 0,
      element: 0,
      bit: 22,
      where,
    });
    const sound = run() as DistTensor;
    const received = breakDuring(wrong("output"), run) as DistTensor;
    expect(received.local(0).digest()).not.toBe(sound.local(0).digest());
  });
});

describe("slow links", () => {
  it("change no bit", () => {
    const slow: Breakage = { kind: "slow", factor: 10 };
    expect(breakDuring(slow, () => allReduce(x).digest())).toBe(allReduce(x).digest());
  });
});

describe("layouts of results", () => {
  it("say what the devices hold", () => {
    const terms = tensor([12], { mesh, layout: partial("sum"), fill: 1 });
    expect(allReduce(terms, { over: "dp" }).layout.describe()).toBe("tp: P(sum), dp: R");
    expect(reduceScatter(terms, { over: "dp" }).layout.describe()).toBe("tp: P(sum), dp: S(0)");
    const both = reduceScatter(reduceScatter(terms, { over: "dp" }), { over: "tp" });
    expect(both.layout.describe()).toBe("tp: S(0) level 1, dp: S(0) level 0");
    expect(both.toArray()).toEqual(Array.from({ length: 12 }, () => 12));
    expect(broadcast(terms).layout.describe()).toBe("tp: R, dp: R");
    expect(reduce(terms, { over: "dp" }).layout.describe()).toBe("tp: P(sum)");
    expect(reduce(terms).mesh.size).toBe(1);
  });

  it("call copies that differ now what they are: terms of their own", () => {
    const copies = tensor([2], { mesh, layout: replicate(), fill: 1 });
    const y = permute(copies, { over: "dp", pairs: [[0, 1]] });
    expect(y.layout.describe()).toBe("tp: R, dp: P(sum)");
    const turned = [0, 1, 2, 3].map((at) => [at, (at + 1) % 4] as const);
    expect(permute(copies, { over: "dp", pairs: turned }).layout.describe()).toBe("tp: R, dp: R");
  });
});
