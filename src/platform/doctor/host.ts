import { arch, availableParallelism, platform, release, totalmem } from "node:os";

/** The machine the findings are about. */
export interface Host {
  /** `linux`, `darwin`. */
  readonly os: string;
  /** Release of the kernel. */
  readonly kernel: string;
  /** Processor architecture: `x64`, `arm64`. */
  readonly arch: string;
  /** Processors this process may use. */
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** What the operating system says about this machine. */
export function describeHost(): Host {
  return {
    os: platform(),
    kernel: release(),
    arch: arch(),
    cpus: availableParallelism(),
    memoryBytes: totalmem(),
  };
}
