import { accessSync, constants } from "node:fs";
import { cpus } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { describeHost } from "../../platform/doctor/index.ts";
import type { CheckHost } from "./check.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What is known about this machine; its GPUs are for the caller to find out. */
export function describeCheckHost(gpus: readonly string[] = [], env: Env = process.env): CheckHost {
  const { os, arch, cpus: count, memoryBytes } = describeHost();
  const cpuModel = cpus()[0]?.model.replaceAll(/\s+/g, " ").trim() ?? "";
  const hasProgram = (name: string) => isOnPath(name, env);
  return { os, arch, cpus: count, cpuModel, memoryBytes, gpus, hasProgram };
}

function isOnPath(name: string, env: Env): boolean {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const places = name.includes("/") ? [name] : folders.map((folder) => join(folder, name));
  return places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
