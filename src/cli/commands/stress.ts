import { stressKinds } from "../../runtime/stress/engine.ts";
import type { CommandSpec } from "../command-spec.ts";

export const stressCommand: CommandSpec = {
  name: "stress",
  summary: "keep a GPU, the processors or a disk at full load and verify every result",
  description:
    "Works at full load for as long as asked, verifies every result while it goes on, and says at the end how steady it was. matmul multiplies large matrices and holds a checksum of every row against what it must be; memory fills memory with patterns and looks for them a pass later; mixed trains in bf16 with f32 sums and compares bits; io writes files, reads them back and compares every byte. Exit code 0 means that all results were right, 1 that one was wrong or the hardware reported an error, 3 that nothing was decided. Ctrl-C ends it early with what was measured so far. docs/stress.md describes the figures.",
  arguments: [{ name: "<what>", description: "what to keep busy", choices: stressKinds }],
  options: [
    { flags: "--minutes <number>", description: "how long; 1 when not given, fractions allowed" },
    {
      flags: "--device <device>",
      description: "cuda:0 or another GPU, or cpu; the first GPU there is, else cpu",
    },
    {
      flags: "--size <size>",
      description:
        "rows and columns of the matrices (8192 on a GPU, 1024 on cpu); for memory and io how much, such as 4GiB",
    },
    {
      flags: "--dtype <dtype>",
      description: "matmul: the number format; bf16 on a GPU and f32 on cpu when not given",
    },
    {
      flags: "--verify <how>",
      description: "checksum, or none to see what verification costs",
      choices: ["checksum", "none"],
    },
    {
      flags: "--corrupt <iteration:bit>",
      description: "rehearsal: flip one bit of the result of an iteration, to see it found",
    },
    {
      flags: "--dir <folder>",
      description: "io: the folder to write in; files are removed afterwards",
      completes: "directory",
    },
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page with plots",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera stress matmul --minutes 60",
      shows: "an hour of products on the first GPU, each verified",
    },
    {
      command: "tessera stress memory --device cuda:3 --minutes 10 --html memory.html",
      shows: "all memory of one GPU, with plots",
    },
    {
      command: "tessera stress io --dir /mnt/shared --size 16GiB --json",
      shows: "a shared file system, for programs",
    },
    {
      command: "tessera stress matmul --device cpu --minutes 0.1 --corrupt 3:12",
      shows: "what a wrong product looks like",
    },
  ],
  load: () => import("../actions/stress.ts"),
};
