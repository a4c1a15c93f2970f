import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cgroupProbe, networkProbe } from "../chaos/host/index.ts";
import { kernelLogProbe } from "../hardware/kernel-log/index.ts";
import type { Config } from "../platform/config/index.ts";
import { browserProbe, nodeProbe, type Probe } from "../platform/doctor/index.ts";
import { kubernetesProbe } from "../platform/kube/probe.ts";
import { storeProbe } from "../platform/store/probe.ts";
import { gpuLibraryProbes } from "../runtime/cuda/index.ts";
import { fioProbe } from "../validation/checks/storage-io/index.ts";

/** Every question the doctor asks, in the order of the report. */
export function allProbes(config: Pick<Config, "store" | "kubernetes">): Probe[] {
  return [
    nodeProbe(),
    storeProbe({ url: config.store.url }),
    kubernetesProbe(config.kubernetes),
    ...gpuLibraryProbes({ inspector: [process.execPath, ownProgram(), "doctor"] }),
    fioProbe(),
    kernelLogProbe(),
    networkProbe(),
    cgroupProbe(),
    browserProbe(),
  ];
}

/** The file that starts this CLI: this one when everything is bundled, else the one beside it. */
function ownProgram(): string {
  // Written with brackets because the build for development replaces the usual spelling by the
  // place of the source, and we need the file that runs.
  const here = fileURLToPath(import.meta["url"]);
  const extension = extname(here);
  const isUnbundled = basename(here) === `probes${extension}`;
  return isUnbundled ? join(dirname(here), `main${extension}`) : here;
}
