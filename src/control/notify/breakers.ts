import type { ValidationService } from "../validation/validation-service.ts";
import type { BreakerState } from "./sources.ts";

/**
 * The circuit breakers of the clusters that this process leads. Of a cluster in which nothing has been
 * decided yet nothing is told: that its breaker is shut would be a guess.
 */
export function breakersOf(validation: ValidationService | undefined): readonly BreakerState[] {
  return (validation?.keepers ?? []).flatMap(({ entry, provenance, assembled }) => {
    const decision = assembled?.care.last()?.decision;
    if (decision === undefined || assembled?.loop.status().state !== "leading") return [];
    const [refusal] = decision.refusals;
    return [{ cluster: entry.name, provenance, reason: refusal?.reason ?? null }];
  });
}
