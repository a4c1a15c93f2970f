import { cgroupProbe, networkProbe } from "../chaos/host/index.ts";
import { kernelLogProbe } from "../hardware/kernel-log/index.ts";
import type { Config } from "../platform/config/index.ts";
import { browserProbe, nodeProbe, type Probe } from "../platform/doctor/index.ts";
import { kubernetesProbe } from "../platform/kube/probe.ts";
import { storeProbe } from "../platform/store/probe.ts";
import { gpuLibraryProbes } from "../runtime/cuda/index.ts";
import { fioProbe } from "../validation/checks/storage-io/index.ts";
import { slurmProbe } from "../validation/clusters/slurm/index.ts";
import { ownProgram } from "./own-program.ts";

/** Every question the doctor asks, in the order of the report. */
export function allProbes(config: Pick<Config, "store" | "kubernetes" | "slurm">): Probe[] {
  return [
    nodeProbe(),
    storeProbe({ url: config.store.url }),
    kubernetesProbe(config.kubernetes),
    slurmProbe(config.slurm),
    ...gpuLibraryProbes({ inspector: [process.execPath, ownProgram(), "doctor"] }),
    fioProbe(),
    kernelLogProbe(),
    networkProbe(),
    cgroupProbe(),
    browserProbe(),
  ];
}
