import type { ParsedLine } from "./parse-kernel-line.ts";

/** What NVSentinel and gpud see differently in a line, in words; undefined where they agree. */
export function disagreement({
  nvsentinel,
  gpud,
}: Pick<ParsedLine, "nvsentinel" | "gpud">): string | undefined {
  if (!nvsentinel.matched && !gpud.matched) return undefined;
  if (!gpud.matched) return "only NVSentinel sees it";
  if (!nvsentinel.matched) return "only gpud sees it";
  const gpudFatal = gpud.eventType === "Fatal" || gpud.eventType === "Critical";
  if (nvsentinel.isFatal === gpudFatal) return undefined;
  return gpudFatal ? "only gpud calls it fatal" : "only NVSentinel calls it fatal";
}
