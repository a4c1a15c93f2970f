import { readFile, realpath, rm } from "node:fs/promises";
import { z } from "zod";
import { runProcess } from "../../../platform/process/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { endProcesses } from "../../processes/index.ts";

/** What a run has on this machine beside its ledger: all that is to be cleared when it is over. */
export const runTracesSchema = z.object({
  run: z.string().min(1),
  /** With its checkpoints. */
  folder: z.string().min(1),
  /** Names of network namespaces and links begin so; null: it made none. */
  networkPrefix: z
    .string()
    .regex(/^tc[0-9a-f]{6}$/)
    .nullable(),
});
export type RunTraces = z.output<typeof runTracesSchema>;

const toolMs = 10_000;

/** Ends the processes of a run and takes its namespaces, mounts and files away. Doing it twice is doing it once. */
export async function clearRun(traces: RunTraces, clock: Clock): Promise<void> {
  const { run, folder, networkPrefix } = traces;
  await endProcesses(run, clock);
  if (networkPrefix !== null) await clearNetwork(networkPrefix, clock);
  for (const path of await mountsBelow(folder)) await tool(["umount", "--lazy", path], clock);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function clearNetwork(prefix: string, clock: Clock): Promise<void> {
  for (const name of await namespacesOf(prefix, clock)) {
    await tool(["ip", "netns", "delete", name], clock);
  }
  for (const name of await linksOf(prefix, clock))
    await tool(["ip", "link", "delete", name], clock);
  const left = [...(await namespacesOf(prefix, clock)), ...(await linksOf(prefix, clock))];
  if (left.length > 0) throw new Error(`these are still there: ${left.join(", ")}`);
}

/** Network namespaces of a run, as the system lists them. */
export async function namespacesOf(prefix: string, clock: Clock): Promise<readonly string[]> {
  const listed = await tool(["ip", "netns", "list"], clock);
  return namesIn(listed).filter((name) => name.startsWith(prefix));
}

/** Network links of a run outside its namespaces. */
export async function linksOf(prefix: string, clock: Clock): Promise<readonly string[]> {
  const listed = await tool(["ip", "-brief", "link", "show"], clock);
  return namesIn(listed)
    .map((name) => name.replace(/@.*$/, ""))
    .filter((name) => name.startsWith(prefix));
}

function namesIn(listed: string): readonly string[] {
  return listed
    .split("\n")
    .map((line) => line.split(/\s/)[0] ?? "")
    .filter((name) => name !== "");
}

/** File systems that are mounted below a folder, the innermost first. */
export async function mountsBelow(folder: string): Promise<readonly string[]> {
  const text = await readFile("/proc/self/mounts", "utf8").catch(() => "");
  // The kernel names a place by its real path, however it was reached.
  const real = await realpath(folder).catch(() => folder);
  return text
    .split("\n")
    .map((line) => unescaped(line.split(" ")[1] ?? ""))
    .filter((path) => path.startsWith(`${real}/`))
    .toReversed();
}

/** Spaces, tabs, line ends and backslashes of a path are octal there (proc_pid_mounts(5)). */
function unescaped(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

/** Runs a system tool; one that is missing or complains has said nothing. */
async function tool(command: readonly [string, ...string[]], clock: Clock): Promise<string> {
  const [program, ...args] = command;
  try {
    return (await runProcess(program, args, { clock, timeoutMs: toolMs })).stdout;
  } catch {
    return "";
  }
}
