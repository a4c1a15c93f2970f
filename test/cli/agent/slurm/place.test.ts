import { describe, expect, test } from "vitest";
import { runHere } from "../../in-process.ts";

const env = { TESSERA_SLURM_PROGRAM: "/shared/tessera" };
const measured = ["collective", "all-reduce", "--measured"];
const print = [...measured, "--manifests", "slurm"];

describe("where on Slurm ranks run", () => {
  test("a script is printed without asking any cluster", async () => {
    const args = [...print, "--nodes", "2", "--ranks-per-node", "8", "--transport", "nccl"];
    const where = [
      "--partition",
      "tessera",
      "--qos",
      "low",
      "--exclude",
      "g[2-3],g7",
      "--time",
      "90m",
    ];
    const { code, stdout, stderr } = await runHere([...args, ...where, "--bytes", "1MiB"], { env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").slice(0, 10)).toEqual([
      "#!/bin/sh",
      "#SBATCH --job-name=tessera-all-reduce",
      "#SBATCH --nodes=2",
      "#SBATCH --ntasks-per-node=8",
      "#SBATCH --exclusive",
      "#SBATCH --gpus-per-node=8",
      "#SBATCH --time=90",
      "#SBATCH --partition=tessera",
      "#SBATCH --qos=low",
      "#SBATCH --exclude=g2,g3,g7",
    ]);
    expect(stdout).toContain("'/shared/tessera'");
    expect(stdout).toContain('"transport":"nccl"');
  });

  test.each([
    ["--nodes belongs to --on slurm", [...measured, "--nodes", "2"]],
    ["--nodes is for --measured", ["collective", "all-reduce", "--nodes", "2"]],
    ["--ranks-per-node is for --measured", ["collective", "all-reduce", "--ranks-per-node", "2"]],
    ["--pending-timeout belongs to --on slurm", [...measured, "--pending-timeout", "2m"]],
    ["not a whole number from 1", [...print, "--nodes", "0"]],
    ["not a whole number from 1", [...print, "--ranks-per-node", "many"]],
    ["does not name nodes", [...print, "--exclude", "g1 --wrap=x"]],
    ["names no nodes", [...print, "--nodelist", "g[1"]],
    ["not a name", [...print, "--reservation", "a b"]],
    ["--time", [...print, "--time", "90"]],
    ["is no time", [...print, "--pending-timeout", "0"]],
    ["needs --ranks-per-node", [...print, "--transport", "nccl"]],
    [
      "needs --ranks-per-node as a number",
      [...print, "--transport", "nccl", "--ranks", "8", "--nodes", "2", "--ranks-per-node", "auto"],
    ],
    ["more than the 4096 ranks", [...print, "--nodes", "4096", "--ranks-per-node", "2"]],
    ["leave --on out", [...measured, "--on", "slurm", "--manifests", "job"]],
    ["leave --html out", [...print, "--html", "page.html"]],
    ["--nodes belongs to --on slurm", ["scale", "weak", "--measured", "--nodes", "2"]],
  ])("what makes no sense is refused: %s", async (words, args) => {
    const { code, stderr } = await runHere(args, { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  test("the program on the nodes must be known", async () => {
    const { code, stderr } = await runHere([...measured, "--on", "slurm"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("slurm.program")]);
  });
});
