import { spawnSync } from "node:child_process";
import { isAbsolute } from "node:path";
import type { ProbeContext } from "../../../platform/doctor/finding.ts";
import { askTool, findProgram, succeeded } from "../../../platform/doctor/program.ts";

const program = "import sys; print('\\n'.join(sys.path))";
const timeoutMs = 5000;

/** Where the Python on the PATH takes packages from; empty without one. */
export async function askPythonPath(context: ProbeContext): Promise<string[]> {
  const python = await findProgram("python3", context.env);
  if (python === undefined) return [];
  const answer = await askTool([python, "-c", program], context, { timeoutMs });
  return answer.ran && succeeded(answer) ? foldersIn(answer.result.stdout) : [];
}

/** The same, and this thread waits for it. */
export function askPythonPathNow(env: Readonly<Record<string, string | undefined>>): string[] {
  const { status, stdout } = spawnSync("python3", ["-c", program], {
    env: { ...env },
    encoding: "utf8",
    timeout: timeoutMs,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? foldersIn(stdout) : [];
}

function foldersIn(output: string): string[] {
  return output
    .split("\n")
    .map((line) => line.trim())
    .filter(isAbsolute);
}
