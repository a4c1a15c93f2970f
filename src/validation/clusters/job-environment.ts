import type { JobRequest } from "./cluster.ts";

/** What the program of a job reads of its run; what is undefined must not be set at all. */
export function jobEnvironment(
  { intent, token, resultUrl, runTimeoutMs, checkOptions }: JobRequest,
  resultDir: string,
): Readonly<Record<string, string | undefined>> {
  return {
    TESSERA_RUN_ID: intent.id,
    TESSERA_RUN_TOKEN: token,
    TESSERA_RESULT_URL: resultUrl,
    TESSERA_RESULT_DIR: resultDir,
    TESSERA_NODE: intent.node,
    TESSERA_CHECK: intent.check,
    TESSERA_CLUSTER: intent.cluster,
    TESSERA_PLANNED_AT: String(Math.floor(intent.plannedAtMs / 1000)),
    TESSERA_RUN_TIMEOUT_MS: String(runTimeoutMs),
    TESSERA_CHECK_OPTIONS: JSON.stringify(checkOptions),
    // A check has no business with the control plane.
    TESSERA_TOKEN: undefined,
  };
}
