/** How a batch script ended: by itself with a code, or by a signal. */
export interface SlurmExit {
  readonly exitCode: number | undefined;
  readonly exitSignal: number | undefined;
}

/** One that a signal ended has no code of its own; Slurm prints zero for it. */
export function exitOfStatus(status: {
  readonly code: number;
  readonly signal: number;
}): SlurmExit {
  return status.signal === 0
    ? { exitCode: status.code & 255, exitSignal: undefined }
    : { exitCode: undefined, exitSignal: status.signal };
}

/** Reads `3:0` or `0:15`: code and signal. */
export function parseExit(text: string): SlurmExit {
  const [, code, signal] = /^(\d+):(\d+)$/.exec(text) ?? [];
  if (code === undefined) throw new Error(`${JSON.stringify(text)} is no exit code`);
  return exitOfStatus({ code: Number(code), signal: Number(signal) });
}
