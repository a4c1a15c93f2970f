import { networks } from "./networks.ts";
import type { Calibration, Topology } from "./topology.ts";

const itself = { value: 1, source: "the family's own curves" };

function measured(family: Calibration["family"]): Calibration {
  return { family, transferScale: itself, latencyScale: itself };
}

const nvlink4 = { value: 450, source: "NVLink 4: 18 links of 25 GB/s in each direction" };
const nvlink5 = { value: 900, source: "NVLink 5: 18 links of 50 GB/s in each direction" };
const xgmi = { value: 537.6, source: "Infinity Fabric: 7 links of 76.8 GB/s in each direction" };

const blackwellTflops = { f64: 40, f32: 80, f16: 2500, bf16: 2500, e4m3: 5000, e5m2: 5000 };
const hopperTflops = { f64: 67, f32: 67, f16: 989, bf16: 989, e4m3: 1979, e5m2: 1979 };

const rack = { gpusPerNode: 4, domainGpus: 72 };
const board = { gpusPerNode: 8, domainGpus: 8 };

/** The systems known by name. */
export const systems: readonly Topology[] = [
  {
    name: "gb200-nvl72",
    title: "GB200 NVL72: 72 GPUs in one NVLink domain",
    ...rack,
    gpu: { name: "GB200", hbmGBps: 8000, peakTflops: blackwellTflops },
    fabric: {
      kind: "switched",
      linkGBps: nvlink5,
      reducesInSwitch: true,
      calibration: measured("gb200"),
    },
    network: networks.ndr,
  },
  {
    name: "gb300-nvl72",
    title: "GB300 NVL72: 72 GPUs in one NVLink domain",
    ...rack,
    gpu: { name: "GB300", hbmGBps: 8000, peakTflops: { ...blackwellTflops, f64: 1.3 } },
    fabric: {
      kind: "switched",
      linkGBps: nvlink5,
      reducesInSwitch: true,
      calibration: {
        family: "gb200",
        transferScale: {
          value: 0.99,
          source:
            "published all-reduce of 72 GPUs: 345 against 352 us at 64 MiB, 508 against 504 GB/s at the end",
        },
        latencyScale: { value: 1, source: "published all-reduce of 72 GPUs: the same 49.4 us" },
      },
    },
    network: networks.xdr,
  },
  {
    name: "hgx-h100",
    title: "HGX H100: 8 GPUs on one board",
    ...board,
    gpu: { name: "H100", hbmGBps: 3350, peakTflops: hopperTflops },
    fabric: {
      kind: "switched",
      linkGBps: nvlink4,
      reducesInSwitch: true,
      calibration: measured("h100"),
    },
    network: networks.ndr,
  },
  {
    name: "hgx-h200",
    title: "HGX H200: 8 GPUs on one board",
    ...board,
    gpu: { name: "H200", hbmGBps: 4800, peakTflops: hopperTflops },
    fabric: {
      kind: "switched",
      linkGBps: nvlink4,
      reducesInSwitch: true,
      // The source of the curves names the architecture both share, not the product.
      calibration: measured("h100"),
    },
    network: networks.ndr,
  },
  {
    name: "hgx-b200",
    title: "HGX B200: 8 GPUs on one board",
    ...board,
    gpu: {
      name: "B200",
      hbmGBps: 8000,
      peakTflops: {
        ...blackwellTflops,
        f64: 37,
        f32: 75,
        f16: 2250,
        bf16: 2250,
        e4m3: 4500,
        e5m2: 4500,
      },
    },
    fabric: {
      kind: "switched",
      linkGBps: nvlink5,
      reducesInSwitch: true,
      calibration: measured("b200"),
    },
    network: networks.ndr,
  },
  {
    name: "mi355x",
    title: "MI355X: 8 GPUs with a direct link for each pair",
    ...board,
    gpu: {
      name: "MI355X",
      hbmGBps: 8000,
      peakTflops: { f64: 78.6, f32: 157.3, f16: 2516, bf16: 2516, e4m3: 5033, e5m2: 5033 },
    },
    fabric: {
      kind: "mesh",
      linkGBps: xgmi,
      reducesInSwitch: false,
      calibration: measured("mi350"),
    },
    network: networks.ndr,
  },
];

/** Other names people use. */
export const systemAliases: Readonly<Record<string, string>> = {
  nvl72: "gb200-nvl72",
  gb200: "gb200-nvl72",
  gb300: "gb300-nvl72",
  h100: "hgx-h100",
  "dgx-h100": "hgx-h100",
  h200: "hgx-h200",
  "dgx-h200": "hgx-h200",
  b200: "hgx-b200",
  "dgx-b200": "hgx-b200",
};
