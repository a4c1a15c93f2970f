import { describe, expect, test } from "vitest";
import {
  type CollectiveOp,
  modelCollective,
} from "../../../../src/runtime/dist/time-model/index.ts";
import { parseTopology, topologyOf } from "../../../../src/runtime/dist/topology/index.ts";
import { giB, kiB, miB, timeOf } from "./support.ts";

describe("published times that the fit did not see", () => {
  // GB200, 18 devices in four groups at once: no curve of this size is in the fit.
  test.each([
    [1, 48],
    [8, 85],
    [32, 190],
    [64, 288],
    [128, 483],
    [512, 1394],
    [1024, 2596],
    [4096, 9183],
    [16384, 35225],
  ])("an all-reduce of %d MiB over 18 devices is within 5 % of %d us", (size, published) => {
    const modelled = timeOf({ devices: 18, bytes: size * miB, concurrentGroups: 4, on: "nvl72" });
    expect(Math.abs(modelled / published - 1)).toBeLessThan(0.05);
  });

  test("GB300 takes 345 us for 64 MiB over 72 devices", () => {
    const modelled = timeOf({ devices: 72, bytes: 64 * miB, on: "gb300-nvl72" });
    expect(Math.abs(modelled / 345 - 1)).toBeLessThan(0.02);
  });
});

describe("published times of the systems that were fitted", () => {
  test.each<[string, CollectiveOp, number, number, number]>([
    ["nvl72", "all-reduce", 72, 64, 352],
    ["nvl72", "all-gather", 72, 512, 956],
    ["nvl72", "reduce-scatter", 72, 1024, 1606],
    ["nvl72", "all-to-all", 72, 4096, 6926],
    ["nvl72", "all-reduce", 36, 128, 541],
    ["nvl72", "all-reduce", 8, 1024, 2616],
    ["nvl72", "all-reduce", 4, 64, 191],
    ["hgx-h100", "all-reduce", 8, 64, 380],
    ["hgx-h100", "all-gather", 8, 512, 1392],
    ["hgx-b200", "all-reduce", 8, 64, 314],
  ])("%s %s of %d devices, %d MiB: within 8 % of %d us", (on, op, devices, size, published) => {
    const modelled = timeOf({ op, devices, bytes: size * miB, on });
    expect(Math.abs(modelled / published - 1)).toBeLessThan(0.08);
  });

  test("few devices of a mesh of links see few links", () => {
    const bus = (devices: number) =>
      modelCollective({
        op: "all-gather",
        devices,
        bytes: giB,
        topology: topologyOf("mi355x"),
      }).busbwGBps;
    expect(bus(2)).toBeLessThan(76.8);
    expect(bus(8) / bus(2)).toBeGreaterThan(5);
  });
});

describe("the rack", () => {
  test("64 MiB over 72 devices take 300 to 400 us at 340 to 420 GB/s, in the switch", () => {
    const estimate = modelCollective({
      op: "all-reduce",
      devices: 72,
      bytes: 64 * miB,
      topology: topologyOf("nvl72"),
    });
    expect(estimate.timeUs).toBeGreaterThan(300);
    expect(estimate.timeUs).toBeLessThan(400);
    expect(estimate.busbwGBps).toBeGreaterThan(340);
    expect(estimate.busbwGBps).toBeLessThan(420);
    expect(estimate).toMatchObject({ algorithm: "nvls", basis: "fitted", bound: "bandwidth" });
  });

  test("groups at once do not slow each other, and fill the rack's links together", () => {
    const of = (concurrentGroups: number) =>
      modelCollective({
        op: "all-reduce",
        devices: 8,
        bytes: giB,
        concurrentGroups,
        topology: topologyOf("nvl72"),
      });
    expect(of(9).timeUs).toBe(of(1).timeUs);
    expect(of(9).aggregatePercent).toBeCloseTo(9 * of(1).aggregatePercent, 6);
  });

  test("36 messages do not fit 32 channels: an all-to-all of 36 pays for it, one of 32 does not", () => {
    const rate = (devices: number) =>
      modelCollective({
        op: "all-to-all",
        devices,
        bytes: 256 * miB,
        topology: topologyOf("nvl72"),
      }).algbwGBps;
    expect(rate(36) / rate(32)).toBeLessThan(0.75);
    expect(rate(64) / rate(32)).toBeGreaterThan(0.9);
    expect(rate(72) / rate(32)).toBeGreaterThan(0.7);
  });
});

describe("a cluster of 128 x 8 H100", () => {
  const at = (bytes: number, algorithm: "ring" | "hierarchical" | "tree" | "auto") =>
    timeOf({ devices: 1024, bytes, algorithm, on: "hgx-h100" });

  test("a flat ring takes 6 to 11 ms for 64 MiB, two levels about an eighth", () => {
    const ring = at(64 * miB, "ring");
    expect(ring).toBeGreaterThan(6000);
    expect(ring).toBeLessThan(11_000);
    expect(ring / at(64 * miB, "hierarchical")).toBeGreaterThan(7);
    expect(ring / at(64 * miB, "hierarchical")).toBeLessThan(10);
  });

  test("the ring wins again between 1.8 and 3.1 GB", () => {
    expect(at(1.8e9, "ring")).toBeGreaterThan(at(1.8e9, "hierarchical"));
    expect(at(3.1e9, "ring")).toBeLessThan(at(3.1e9, "hierarchical"));
  });

  test("the fastest way is taken, whatever the size", () => {
    for (let size = kiB; size <= 16 * giB; size *= 4) {
      const best = Math.min(at(size, "ring"), at(size, "hierarchical"), at(size, "tree"));
      expect(at(size, "auto")).toBeLessThanOrEqual(best);
    }
    const chosen = (bytes: number) =>
      modelCollective({ op: "all-reduce", devices: 1024, bytes, topology: topologyOf("hgx-h100") });
    expect(chosen(64 * miB).algorithm).toBe("hierarchical");
    expect(chosen(64 * miB).phases?.map(({ name }) => name)).toEqual([
      "reduce-scatter inside domains",
      "all-reduce between domains",
      "all-gather inside domains",
    ]);
    expect(chosen(16 * giB).algorithm).toBe("ring");
  });

  // SimAI's table of ring all-reduces: share of 388 GB/s by MiB, for 2, 4, … 128 nodes.
  const published: Readonly<Record<number, readonly number[]>> = {
    16: [0.32, 0.24, 0.13, 0.05, 0.044, 0.021, 0.0087],
    64: [0.5, 0.53, 0.39, 0.21, 0.106, 0.051, 0.044],
    256: [0.85, 0.77, 0.69, 0.57, 0.387, 0.209, 0.103],
    1024: [0.92, 0.93, 0.9, 0.76, 0.74, 0.563, 0.315],
    4096: [0.95, 0.95, 0.95, 0.95, 0.923, 0.755, 0.74],
    16384: [0.96, 0.96, 0.96, 0.96, 0.957, 0.958, 0.919],
  };

  test("rings of 2 to 128 nodes are within 8 % of the published table on average", () => {
    const errors = Object.entries(published).flatMap(([size, ratios]) =>
      ratios.map((ratio, index) => {
        const devices = 8 * 2 ** (index + 1);
        const bytes = Number(size) * miB;
        const publishedUs = (2 * (devices - 1) * bytes) / devices / (ratio * 388e3);
        const modelled = timeOf({ devices, bytes, algorithm: "ring", on: "hgx-h100" });
        return Math.abs(modelled / publishedUs - 1);
      }),
    );
    expect(errors.reduce((sum, error) => sum + error) / errors.length).toBeLessThan(0.08);
    expect(Math.max(...errors)).toBeLessThan(0.35);
  });

  test("a faster network is faster, one device in each domain uses one NIC", () => {
    const xdr = timeOf({ devices: 1024, bytes: 4 * giB, on: "hgx-h100+xdr" });
    expect(xdr).toBeLessThan(at(4 * giB, "auto"));
    const spread = timeOf({ devices: 8, bytes: giB, devicesPerDomain: 1, on: "hgx-h100" });
    expect(spread).toBeGreaterThan(5 * timeOf({ devices: 8, bytes: giB, on: "hgx-h100" }));
  });
});

describe("an algorithm that was asked for", () => {
  const model = (
    algorithm: Parameters<typeof modelCollective>[0]["algorithm"] & string,
    more: { readonly op?: CollectiveOp; readonly devices?: number; readonly on?: string } = {},
  ) =>
    modelCollective({
      op: more.op ?? "all-reduce",
      devices: more.devices ?? 16,
      bytes: 16 * miB,
      algorithm,
      topology: topologyOf(more.on ?? "nvl72"),
    });

  test.each(["ring", "tree", "nvls", "halving-doubling", "hierarchical"] as const)(
    "%s carries out an all-reduce inside a rack",
    (algorithm) => {
      expect(model(algorithm).algorithm).toBe(algorithm);
    },
  );

  test.each([
    ["nvls", { on: "mi355x", devices: 8 }, "do not add"],
    ["nvls", { devices: 1024 }, "only inside one domain of 72"],
    ["nvls", { devices: 64, op: "all-gather" }, "does not exist"],
    ["direct", {}, "link of its own"],
    ["hierarchical", { on: "hgx-h100", devices: 4 }, "one level"],
    ["tree", { op: "all-to-all" }, "does not exist for all-to-all"],
  ] as const)("%s is refused with the reason for %j", (algorithm, more, reason) => {
    expect(() => model(algorithm, more)).toThrow(
      expect.objectContaining({ code: "E_ALGORITHM", message: expect.stringContaining(reason) }),
    );
  });
});

describe("where the model was not fitted", () => {
  test("it says so", () => {
    const basis = (devices: number, bytes: number, on: string) =>
      modelCollective({ op: "all-gather", devices, bytes, topology: topologyOf(on) }).basis;
    expect(basis(72, giB, "nvl72")).toBe("fitted");
    expect(basis(72, 64 * giB, "nvl72")).toBe("extrapolated");
    expect(basis(2, giB, "nvl72")).toBe("extrapolated");
    expect(basis(1024, giB, "nvl72")).toBe("extrapolated");
  });

  test("a domain without a network holds no larger group", () => {
    const { network: _network, ...alone } = parseTopology("name: a\nlike: hgx-h100\n", "a.yaml");
    const query = { op: "all-reduce", bytes: miB, topology: alone } as const;
    expect(modelCollective({ ...query, devices: 8 }).timeUs).toBeGreaterThan(0);
    expect(() => modelCollective({ ...query, devices: 16 })).toThrow(
      expect.objectContaining({ code: "E_TOPOLOGY" }),
    );
  });

  test("a group of one, negative bytes and no link at all are bugs of the caller", () => {
    const query = {
      op: "all-reduce",
      bytes: 1,
      devices: 2,
      topology: topologyOf("nvl72"),
    } as const;
    expect(() => modelCollective({ ...query, devices: 1 })).toThrow();
    expect(() => modelCollective({ ...query, bytes: -1 })).toThrow();
    expect(() => modelCollective({ ...query, slowestLinkShare: 0 })).toThrow();
  });
});
