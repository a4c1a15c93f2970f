/** Exit status of this tool: 2 the caller must change something, 3 the machine let us down. */
export type ToolExitCode = 2 | 3;

/** What went wrong with a test cluster, said in one line. */
export class ClusterError extends Error {
  override readonly name = "ClusterError";
  readonly exitCode: ToolExitCode;

  constructor(message: string, options: { exitCode?: ToolExitCode; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? 3;
  }
}
