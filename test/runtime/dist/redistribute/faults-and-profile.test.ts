import { describe, expect, it } from "vitest";
import { distribute, tensor } from "../../../../src/runtime/dist/array/index.ts";
import { breakDuring } from "../../../../src/runtime/dist/health/index.ts";
import { replicate, shard } from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { redistribute } from "../../../../src/runtime/dist/redistribute/index.ts";
import { session } from "../../../../src/runtime/profile/index.ts";
import { thrownBy } from "../mesh/thrown-by.ts";
import { values } from "./sample.ts";

describe("a profile", () => {
  it("lists the steps that move bytes, with modelled times, and no others", () => {
    const mesh = new Mesh({ axes: ["tp", "dp"], devices: 8, topology: "gb200-nvl72" });
    const x = distribute(values([64, 64], "f32"), { mesh, layout: [shard(0), replicate()] });
    using profiled = session();
    const y = redistribute(x, { layout: [replicate(), shard(0)] });
    redistribute(y, { mesh: new Mesh({ devices: ["spare"] }) });
    const records = profiled.records();
    expect(records.map(({ op, bytes, source }) => ({ op, bytes, source }))).toEqual([
      { op: "all-gather", bytes: 64 * 64 * 4, source: "modelled" },
      { op: "redistribute copy", bytes: 64 * 64 * 4, source: "modelled" },
    ]);
    expect(records[0]?.timeUs).toBeGreaterThan(0);
    expect(records[1]?.timeUs).toBeUndefined();
  });

  it("shows that a slow link makes a step slower", () => {
    const mesh = new Mesh({ devices: 8 });
    const x = tensor([2 ** 22], { mesh, layout: [shard(0)] });
    const timeOf = (run: () => unknown) => {
      using profiled = session();
      run();
      return profiled.records()[0]?.timeUs ?? 0;
    };
    const sound = timeOf(() => redistribute(x, { layout: replicate() }));
    const slow = timeOf(() =>
      breakDuring({ kind: "slow", device: 3, factor: 4 }, () =>
        redistribute(x, { layout: replicate() }),
      ),
    );
    expect(slow).toBeGreaterThan(sound);
  });
});

describe("what is broken", () => {
  const mesh = new Mesh({ axes: ["tp", "dp"], devices: 8, shape: [4, 2] });
  const x = distribute(values([16], "f32"), { mesh, layout: [shard(0), replicate()] });

  it("stops a redistribution before it begins: a dead device", () => {
    const error = breakDuring({ kind: "dead", device: 5 }, () =>
      thrownBy("E_DEVICE_LOST", () => redistribute(x, { layout: replicate() })),
    );
    expect(error.message).toContain(
      "redistribute lost device 5 (rank 5, tp 2, dp 1) in phase all-gather",
    );
  });

  it("does not stop the way to a mesh without the dead device, from the living copies", () => {
    const goal = mesh.without(5, { along: "dp" });
    const moved = breakDuring({ kind: "dead", device: 5 }, () => redistribute(x, { mesh: goal }));
    expect(moved.mesh.shape).toEqual([4, 1]);
    expect(moved.digest()).toBe(x.digest());
  });

  it("stops that way when only the dead devices held a part", () => {
    const goal = mesh.without([4, 5], { along: "tp" });
    const dead = [4, 5].map((device) => ({ kind: "dead", device }) as const);
    breakDuring(dead, () => thrownBy("E_DEVICE_LOST", () => redistribute(x, { mesh: goal })));
  });

  it("stops a redistribution over a cut link and names the link", () => {
    const cut = { kind: "cut", sides: [{ devices: [0, 1, 2, 3] }] } as const;
    const error = breakDuring(cut, () =>
      thrownBy("E_PARTITION", () => redistribute(x, { layout: replicate() })),
    );
    expect(error.message).toContain(
      "from device 2 (rank 2) to device 4 (rank 4) in phase all-gather",
    );
    // Along dp nothing crosses the cut.
    const y = distribute(values([16], "f32"), { mesh, layout: [replicate(), shard(0)] });
    expect(breakDuring(cut, () => redistribute(y, { layout: replicate() })).digest()).toBe(
      y.digest(),
    );
  });

  it("stops a copy over a cut link, and not one that goes round it", () => {
    const goal = new Mesh({ axes: ["x"], devices: [0, 1] });
    const cut = { kind: "cut", links: [[4, 0]] } as const;
    breakDuring(cut, () => thrownBy("E_PARTITION", () => redistribute(x, { mesh: goal })));
    const other = { kind: "cut", links: [[0, 4]] } as const;
    expect(breakDuring(other, () => redistribute(x, { mesh: goal })).digest()).toBe(x.digest());
  });

  it("changes the values when a device hands on a wrong bit, and only then", () => {
    const corrupt = { kind: "corrupt", device: 2, element: 1, bit: 3 } as const;
    const gathered = breakDuring(corrupt, () => redistribute(x, { layout: replicate() }));
    expect(gathered.local(0).digest()).not.toBe(x.digest());
    const sliced = breakDuring(corrupt, () => redistribute(x, { layout: [shard(0), shard(0)] }));
    expect(sliced.digest()).toBe(x.digest());
  });
});
