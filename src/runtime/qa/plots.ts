import type { LinesPlot } from "../../platform/plots/index.ts";
import { modelCollective, topologyOf } from "../dist/index.ts";
import type { QaWorld } from "./world.ts";

const smallestBytes = 2 ** 10;
const largestBytes = 2 ** 34;

/** How fast an all-reduce over the whole world should be, by size: chosen, and by a flat ring. */
export function allReducePlot({ devices, topology }: QaWorld): LinesPlot {
  const system = topologyOf(topology);
  const sizes: number[] = [];
  for (let bytes = smallestBytes; bytes <= largestBytes; bytes *= 2) sizes.push(bytes);
  const query = { op: "all-reduce", devices: devices.length, topology: system } as const;
  const series = (name: string, algorithm: "auto" | "ring") => ({
    name,
    x: sizes,
    y: sizes.map((bytes) => modelCollective({ ...query, bytes, algorithm }).busbwGBps),
  });
  return {
    kind: "lines",
    title: `Bus bandwidth of an all-reduce over ${devices.length} devices`,
    provenance: "modelled",
    x: { label: "Size", unit: "B", scale: "log" },
    y: { label: "busbw", unit: "GB/s", include: [0] },
    series: [series("as chosen", "auto"), series("flat ring", "ring")],
  };
}
