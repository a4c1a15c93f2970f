import { slurmRankOptions } from "../agent/slurm/options.ts";
import type { OptionSpec } from "../command-spec.ts";

/** What `--measured` adds to `tessera collective`. */
export const measuredOptions: readonly OptionSpec[] = [
  {
    flags: "--measured",
    description:
      "carry the collective out between real processes of this host and measure it; with --topology the model stands beside",
  },
  {
    flags: "--ranks <count>",
    description:
      "with --measured: processes, one for each rank; as many as there are GPUs, or 2, when not given",
  },
  {
    flags: "--transport <kind>",
    description:
      "with --measured: nccl between GPUs, tcp between processes; auto takes what there is",
    choices: ["auto", "tcp", "nccl"],
  },
  {
    flags: "--iterations <count>",
    description: "with --measured: runs of each size; 10 when not given",
  },
  {
    flags: "--save <file>",
    description:
      "with --measured: also write the times to a file for `tessera collective calibrate`",
    completes: "file",
  },
  {
    flags: "--lose <rank>",
    description: "with --measured: rehearse a failure: this rank dies after the first size",
  },
  {
    flags: "--manifests <kind>",
    description:
      "with --measured: print what measures it across nodes instead of measuring: Kubernetes manifests with one rank on each, or the script for sbatch",
    choices: ["job", "volcano", "slurm"],
  },
  { flags: "--image <image>", description: "with --manifests: the image that holds Tessera" },
  {
    flags: "--namespace <name>",
    description: "with --manifests: where to; default when not given",
  },
  ...slurmRankOptions,
];
