import { z } from "zod";
import { fleetChecks } from "../fleet-log/index.ts";
import { type Check, defineCheck, type Requirement } from "./check.ts";

/** The checks of GPUs, network and storage: described, so that fleets can be planned with them. */
const described = {
  "dl-unit": {
    title: "Deep-learning unit test on every GPU",
    figures: { throughput: "TFLOP/s" },
    needsGpu: true,
  },
  "nccl-loopback": {
    title: "NCCL loop-back through every network card",
    figures: { busbw: "GB/s" },
    needsGpu: true,
  },
  "storage-io": {
    title: "Storage throughput and latency",
    figures: { read_bw: "GB/s", write_bw: "GB/s", read_iops: "IOPS", write_iops: "IOPS" },
    needsGpu: false,
  },
} as const;

type DescribedName = keyof typeof described;

/** Their names, durations and powers are those a simulated fleet has. */
export const laterChecks: readonly Check[] = fleetChecks
  .filter(({ name }) => name in described)
  .map(({ name, minutes, sensitivity, falseAlarm }) => {
    const { title, figures, needsGpu } = described[name as DescribedName];
    const requirement = (gpus: number): Requirement => {
      const noGpu = needsGpu && gpus === 0;
      const reason = noGpu ? "it needs a GPU, and there is none" : "it is not part of this version";
      return { met: false, reason };
    };
    return defineCheck({
      name,
      title,
      minutes,
      sensitivity,
      falseAlarm,
      figures,
      options: z.looseObject({}),
      requirements: ({ gpus }) => requirement(gpus.length),
      run: async () => Promise.reject(new Error(`${name} is not part of this version`)),
    });
  });
