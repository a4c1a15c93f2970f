import { createRng } from "../../platform/rng/index.ts";
import { type DeviceId, Mesh } from "../dist/index.ts";

/** One way to arrange all devices of a world. */
export interface WorldLayout {
  /** `6x6x2`, `128x8 permuted`. */
  readonly name: string;
  readonly mesh: Mesh;
}

/** What a suite runs on: the same devices in every arrangement it compares. */
export interface QaWorld {
  readonly name: "rack" | "cluster";
  readonly seed: string;
  readonly topology: string;
  readonly devices: readonly DeviceId[];
  /** Every arrangement; the first is one flat group. */
  readonly layouts: readonly WorldLayout[];
  /** The arrangement whose outer axis crosses nodes and whose inner one does not. */
  readonly nodes: WorldLayout;
  /** The arrangement with an axis for each kind of parallelism. */
  readonly parallel: WorldLayout;
}

interface Arrangement {
  readonly axes: readonly string[];
  readonly shape: readonly number[];
}

const rack = {
  topology: "gb200-nvl72",
  arrangements: [
    { axes: ["dp"], shape: [72] },
    { axes: ["dp", "tp"], shape: [36, 2] },
    { axes: ["node", "gpu"], shape: [18, 4] },
    { axes: ["tp", "pp", "dp"], shape: [6, 6, 2] },
  ],
} as const;

const cluster = {
  topology: "hgx-h100",
  arrangements: [
    { axes: ["dp"], shape: [1024] },
    { axes: ["dp", "tp"], shape: [512, 2] },
    { axes: ["node", "gpu"], shape: [128, 8] },
    { axes: ["dp", "pp", "tp"], shape: [16, 8, 8] },
  ],
} as const;

/** The world of chapter 3 (72 devices of one rack) or of chapter 4 (128 nodes of 8). */
export function createWorld(name: QaWorld["name"], options: { readonly seed: string }): QaWorld {
  const { topology, arrangements } = name === "rack" ? rack : cluster;
  const [flat] = arrangements;
  const devices = Array.from({ length: flat.shape[0] }, (_, device) => device);
  const shuffled = createRng(options.seed).stream("qa", "device order").shuffle(devices);
  const arrange = ({ axes, shape }: Arrangement, order: readonly number[], suffix = "") => ({
    name: `${shape.join("x")}${suffix}`,
    mesh: new Mesh({ axes, shape, devices: order, topology }),
  });
  const layouts = arrangements.flatMap((one) => [
    arrange(one, devices),
    arrange(one, shuffled, " permuted"),
  ]);
  const named = (axis: string) => {
    const found = layouts.find(({ mesh }) => mesh.axes.includes(axis));
    if (found === undefined) throw new Error(`a world has an arrangement with the axis ${axis}`);
    return found;
  };
  return {
    name,
    seed: options.seed,
    topology,
    devices,
    layouts,
    nodes: named("node"),
    parallel: named("pp"),
  };
}
