import { runProcess } from "../../platform/process/index.ts";
import type { Clock } from "../../platform/time/index.ts";

const toolMs = 10_000;

export type Tool = (
  command: readonly string[],
  options?: { readonly input?: string },
) => Promise<string>;

/** Runs system tools; one that complains has failed. */
export function createTool(
  clock: Clock,
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Tool {
  return async ([program = "", ...args], { input } = {}) => {
    const how = { clock, env, timeoutMs: toolMs, ...(input === undefined ? {} : { input }) };
    const { exitCode, stdout, stderr } = await runProcess(program, args, how);
    if (exitCode === 0) return stdout;
    throw new Error(`${program} ${args.join(" ")}: ${stderr.trim().slice(0, 500)}`);
  };
}

/** Whether a tool does what it is asked to. */
export async function succeeds(tool: Tool, command: readonly string[]): Promise<boolean> {
  try {
    await tool(command);
    return true;
  } catch {
    return false;
  }
}
