import type { Network } from "./topology.ts";

const ringFit = "fit of the ring table of SimAI (H100 over NDR, 16 to 1024 GPUs), mean error 7 %";

const common = {
  usableShare: { value: 0.942, source: `377 of 8 x 50 GB/s: ${ringFit}` },
  nicsPerGpu: 1,
  baseUs: { value: 57, source: ringFit },
  innerHopUs: { value: 3.35, source: ringFit },
  hopUs: { value: 9.4, source: ringFit },
  exchangeUs: { value: 14, source: "NET hop of protocol Simple in NCCL 2.30, tuning.cc" },
  phaseOverlap: { value: 0.41, source: "stas00/ml-engineering: 4 x 8 B200, all-reduce of 4 GiB" },
} as const;

/** The networks that a system's name can be joined with. */
export const networks = {
  ndr: {
    name: "ndr",
    nicGBps: { value: 50, source: "InfiniBand NDR, 400 Gb/s" },
    ...common,
  },
  xdr: {
    name: "xdr",
    nicGBps: { value: 100, source: "InfiniBand XDR, 800 Gb/s (ConnectX-8, Quantum-X800)" },
    ...common,
  },
} as const satisfies Record<string, Network>;

export type NetworkName = keyof typeof networks;
