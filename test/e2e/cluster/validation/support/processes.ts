import { readFileSync } from "node:fs";
import { allProcesses, byAge } from "../../../../cluster/machine/processes.ts";

/** The processes of a run's job on its node, and what it was told; wherever it runs on this machine. */
export interface JobProcess {
  readonly pid: number;
  readonly env: Readonly<Record<string, string>>;
}

/** The program of a run's job: the first process that was told which run it is. */
export function processOf(runId: string): JobProcess {
  const found = allProcesses()
    .toSorted(byAge)
    .map(({ pid }) => ({ pid, env: environmentOf(pid) }))
    .find(({ env }) => env["TESSERA_RUN_ID"] === runId);
  if (found === undefined) throw new Error(`run ${runId} has no process`);
  return found;
}

/** Empty for a process that has ended. */
function environmentOf(pid: number): Readonly<Record<string, string>> {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return Object.fromEntries(
      variables.map((text) => {
        const at = text.indexOf("=");
        return [text.slice(0, at), text.slice(at + 1)];
      }),
    );
  } catch {
    return {};
  }
}
