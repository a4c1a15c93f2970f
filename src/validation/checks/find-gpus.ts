import type { ProbeContext } from "../../platform/doctor/index.ts";
import { askTool, findProgram, problemOf, succeeded } from "../../platform/doctor/program.ts";

/** The GPUs of this machine and who computes on them, as their driver says. */
export interface GpuView {
  /** The model of each, as the driver names it: `NVIDIA H100 80GB HBM3`. */
  readonly models: readonly string[];
  readonly processes: readonly { readonly pid: number; readonly name: string }[];
  /** Why it cannot be told; absent when it can, or when there is no driver to ask. */
  readonly problem?: string;
}

const gpusMax = 64;
const processesMax = 1000;

/** Asks `nvidia-smi`; a machine without it has no GPUs that we can use. */
export async function findGpus(context: ProbeContext): Promise<GpuView> {
  const path = await findProgram("nvidia-smi", context.env);
  if (path === undefined) return { models: [], processes: [] };
  const format = "--format=csv,noheader";
  const listed = await askTool([path, "--query-gpu=name", format], context);
  if (!listed.ran || !succeeded(listed)) {
    return { models: [], processes: [], problem: `nvidia-smi: ${problemOf(listed)}` };
  }
  const models = linesOf(listed.result.stdout).slice(0, gpusMax);
  const query = "--query-compute-apps=pid,process_name";
  const asked = await askTool([path, query, format], context);
  if (!asked.ran || !succeeded(asked)) {
    return { models, processes: [], problem: `nvidia-smi: ${problemOf(asked)}` };
  }
  return { models, processes: processesIn(asked.result.stdout) };
}

/** The lines `1234, /usr/bin/python3` of `nvidia-smi --query-compute-apps`. */
function processesIn(text: string): GpuView["processes"] {
  return linesOf(text)
    .slice(0, processesMax)
    .flatMap((line) => {
      const [, pid, name = ""] = /^(\d+)\s*,\s*(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), name }];
    });
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
