import { algorithms, collectiveOps } from "../../runtime/dist/time-model/types.ts";
import { measuredOptions } from "../collective/measured-options.ts";
import type { CommandSpec } from "../command-spec.ts";

export const collectiveCommand: CommandSpec = {
  name: "collective",
  summary: "model or measure the time of a collective, or carry it out on simulated devices",
  description:
    "Says how long a collective takes on a system, by a model whose errors are in docs/time-model.md. With --shape it also carries the bytes out on simulated devices and prints the digest of the result. With --measured it starts real processes on this host, one for each GPU or TCP between them, checks every element of the answer and prints measured times; exit code 1 when an element was wrong. With --on slurm the processes run on nodes of the Slurm cluster of the configuration, one for each GPU: a job that is given back however this command ends. Sizes are the S of nccl-tests: the buffer of an all-reduce, broadcast, reduce or send; the total over the group of the others.",
  arguments: [
    {
      name: "<op>",
      description: "the collective: all-reduce (also all_reduce or allreduce), all-gather, …",
      suggestions: () => collectiveOps,
    },
  ],
  options: [
    {
      flags: "--devices <count>",
      description: "devices of one group; with --axes, of the whole mesh",
    },
    {
      flags: "--topology <name|file>",
      description:
        "the system: gb200-nvl72 (short nvl72), gb300-nvl72, hgx-h100, hgx-h200, hgx-b200, mi355x, also with +ndr or +xdr, or a YAML file",
      completes: "file",
    },
    {
      flags: "--shape <sizes>",
      description: "model one tensor, such as 4096x4096, and carry the collective out on it",
    },
    { flags: "--dtype <dtype>", description: "the dtype of --shape; f32 when not given" },
    { flags: "--bytes <sizes>", description: "model these sizes, such as 64MiB,1GiB" },
    {
      flags: "--sweep <from..to[/points]>",
      description:
        "model a range of sizes, such as 1KiB..16GiB: each doubling, or so many points, and draw the curve",
    },
    {
      flags: "--concurrent-groups <count>",
      description: "groups of this size that run at the same time; 1 when not given",
    },
    {
      flags: "--axes <names>",
      description: "lay the devices out as a mesh: tp,pp,dp, or tp=6,pp=6,dp=2",
    },
    { flags: "--over <names>", description: "the axes of the mesh whose groups communicate" },
    {
      flags: "--algorithm <name>",
      description: "the algorithm to model; the fastest when not given",
      choices: algorithms,
    },
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page with plots",
      completes: "file",
    },
    ...measuredOptions,
  ],
  examples: [
    {
      command: "tessera collective all-reduce --devices 72 --shape 4096x4096 --topology nvl72",
      shows: "64 MiB on a whole rack: time, bandwidth, and the digest of the sum",
    },
    {
      command:
        "tessera collective all-reduce --devices 1024 --sweep 1KiB..16GiB --topology hgx-h100",
      shows: "a cluster of 128 nodes, with the algorithm that wins at each size",
    },
    {
      command:
        "tessera collective all-gather --devices 72 --axes tp,pp,dp --over tp --bytes 64MiB --topology nvl72 --json",
      shows: "what the tensor-parallel groups of a mesh pay, for programs",
    },
    {
      command: "tessera collective all-reduce --measured --ranks 4 --sweep 1KiB..64MiB",
      shows: "what this host really does: between its GPUs, or between processes over TCP",
    },
    {
      command:
        "tessera collective all-reduce --measured --manifests job --ranks 2 --image registry.example/tessera-node:1",
      shows: "the manifests that measure it between two nodes of a cluster",
    },
    {
      command: "tessera collective all-reduce --measured --on slurm --nodes 2 --partition tessera",
      shows: "what two nodes of a Slurm cluster really do, with all their GPUs",
    },
  ],
  reports: false,
  load: () => import("../actions/collective.ts"),
};
