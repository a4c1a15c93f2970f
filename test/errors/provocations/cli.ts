import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromCli, type Provocation } from "../provocation.ts";

/** Makes something happen in the CLI's process as soon as it listens to signals. */
function onceBegun(code: string): { readonly NODE_OPTIONS: string } {
  const hook = `process.on("newListener", (event) => {
    if (event === "SIGTERM") setImmediate(() => { ${code} });
  });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
}

export const provocations: readonly Provocation[] = [
  {
    code: "E_USAGE",
    how: "a command that does not exist",
    provoke: async ({ cli }) => fromCli(await cli(["confg"])),
  },
  {
    code: "E_USAGE",
    how: "an option that does not exist",
    provoke: async ({ cli }) => fromCli(await cli(["config", "print", "--reslved"])),
  },
  {
    code: "E_CONFIG_FILE",
    how: "--config names a file that is not there",
    provoke: async ({ cli, tempDir }) =>
      fromCli(await cli(["config", "print", "--config", join(tempDir, "none.yaml")])),
  },
  {
    code: "E_CONFIG_INVALID",
    how: "a configuration file with two wrong lines",
    provoke: async ({ cli, tempDir }) => {
      await writeFile(join(tempDir, "tessera.yaml"), "server:\n  prot: 80\n  host: 5\n");
      return fromCli(await cli(["config", "print"], { cwd: tempDir }));
    },
  },
  {
    code: "E_CONFIG_INVALID",
    how: "a variable with a wrong value",
    provoke: async ({ cli }) =>
      fromCli(await cli(["config", "print"], { env: { TESSERA_SERVER_PORT: "x" } })),
  },
  {
    code: "E_INTERNAL",
    how: "a failure nobody foresaw",
    provoke: async ({ cli }) =>
      fromCli(await cli(["doctor"], { env: onceBegun('throw new Error("a plug-in failed");') })),
  },
  {
    code: "E_INTERRUPTED",
    how: "Ctrl-C while the doctor is looking",
    provoke: async ({ cli }) =>
      fromCli(await cli(["doctor"], { env: onceBegun('process.kill(process.pid, "SIGINT");') })),
  },
];
