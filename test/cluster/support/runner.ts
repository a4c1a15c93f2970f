import { spawn } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "../machine/repository.ts";

export interface Runner {
  /** The folder of the cluster that lives as long as this program. */
  readonly clusterFolder: string;
  /** Ends it the hard way. */
  kill(): void;
}

/** Starts a program that starts or adopts a cluster; resolves when it has it. */
export function startRunner(mode: "start" | "slurm" | "adopt", name: string): Promise<Runner> {
  const program = join("test", "cluster", "programs", "hold-cluster.ts");
  const child = spawn(process.execPath, ["scripts/ts.mjs", program, mode, name], {
    cwd: repositoryRoot(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}`)));
    child.stdout.once("data", (line: Buffer) => {
      resolve({
        clusterFolder: line.toString("utf8").trim(),
        kill: () => child.kill("SIGKILL"),
      });
    });
  });
}
