import { inspectLibrary } from "./inspect-library.ts";
import { inspectionVariable, readRequest, writeInspection } from "./inspection.ts";

/**
 * Answers the question in `TESSERA_INSPECT_GPU_LIBRARY`, if there is one: the other side of
 * `gpuLibraryProbes`. Returns false when nothing was asked.
 */
export function answerInspection(
  env: Readonly<Record<string, string | undefined>>,
  stdout: { write(text: string): unknown },
): boolean {
  const request = env[inspectionVariable];
  if (request === undefined) return false;
  stdout.write(writeInspection(inspectLibrary(readRequest(request))));
  return true;
}
