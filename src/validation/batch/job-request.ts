import type { JobRequest } from "../clusters/cluster.ts";
import type { RunIntent } from "../run.ts";
import type { ValidationSettings } from "../settings.ts";
import type { JobWays } from "./ports.ts";

/** What a cluster needs to run an intent, always the same for the same intent and settings. */
export function jobRequestOf(
  intent: RunIntent,
  { jobs, settings }: { readonly jobs: JobWays; readonly settings: ValidationSettings },
): JobRequest {
  const check = settings.checks.find(({ name }) => name === intent.check);
  const resultUrl = jobs.resultUrl?.(intent.id);
  return {
    intent,
    token: jobs.token(intent.id),
    ...(resultUrl === undefined ? {} : { resultUrl }),
    runTimeoutMs: settings.runTimeoutMs,
    checkOptions: check?.options ?? {},
  };
}
