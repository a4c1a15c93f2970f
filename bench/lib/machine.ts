import { arch, cpus, platform, release, totalmem } from "node:os";

/** What a number depends on besides our code. Says nothing about whose machine it is. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly platform: string;
  readonly kernel: string;
  readonly node: string;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()}-${arch()}`,
    kernel: release().split("-", 1)[0] ?? release(),
    node: process.versions.node,
  };
}

/** Whether results of two machines may be compared: same processor, cores and line of Node. */
export function isSameKind(a: Machine, b: Machine): boolean {
  return a.cpu === b.cpu && a.cores === b.cores && lineOf(a.node) === lineOf(b.node);
}

function lineOf(version: string): string {
  return version.split(".", 1)[0] ?? version;
}
