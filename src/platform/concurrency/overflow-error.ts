/** Something with a limit is full. Whoever offered more decides what to do: shed, wait, or report. */
export class OverflowError extends Error {
  override readonly name = "OverflowError";
}
