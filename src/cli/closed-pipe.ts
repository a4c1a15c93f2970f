/** Why a command is asked to stop when nobody reads its output any more (`| head`). */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";

  constructor() {
    super("nobody reads the output any more");
  }
}

/** What the system gives a program that writes into a closed pipe: 128 + SIGPIPE. */
export const closedPipeExitCode = 141;
