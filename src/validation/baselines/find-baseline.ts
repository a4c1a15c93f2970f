import type { Baseline, BaselineRecord } from "../history/history.ts";
import type { RunRecord } from "../run.ts";

/** What a baseline holds for: runs of one cluster, SKU, check and cohort are compared, no others. */
export interface BaselineScope {
  readonly cluster: string;
  readonly sku: string;
  readonly check: string;
  /** Empty for runs without one. */
  readonly cohort: string;
}

/** The scope of a baseline; its cluster is part of where it comes from. */
export function scopeOf(baseline: Baseline): BaselineScope {
  const { sku, check, cohort, provenance } = baseline;
  const { cluster } = provenance;
  return { cluster: typeof cluster === "string" ? cluster : "", sku, check, cohort };
}

/** The scope a run is compared in. */
export function scopeOfRun({ intent, result }: RunRecord): BaselineScope {
  const { cluster, sku, check } = intent;
  return { cluster, sku, check, cohort: result?.cohort ?? "" };
}

/** A key no two scopes share. */
export function scopeKey({ cluster, sku, check, cohort }: BaselineScope): string {
  return JSON.stringify([cluster, sku, check, cohort]);
}

/** The scope in words: `h100-sxm5-80gb nccl-loopback fw-2 in prod`. */
export function describeScope({ cluster, sku, check, cohort }: BaselineScope): string {
  return `${sku} ${check}${cohort === "" ? "" : ` ${cohort}`} in ${cluster}`;
}

/**
 * The baselines in force, by scope: active and not expired; of several the one activated last, so
 * that an activation that was interrupted half-way still leaves exactly one in force.
 */
export function baselinesInForce(
  baselines: Iterable<BaselineRecord>,
  nowMs: number,
): ReadonlyMap<string, BaselineRecord> {
  const inForce = new Map<string, BaselineRecord>();
  for (const baseline of baselines) {
    if (baseline.state !== "active" || baseline.expiresAtMs <= nowMs) continue;
    const key = scopeKey(scopeOf(baseline));
    const known = inForce.get(key);
    if (known === undefined || known.changedAtMs < baseline.changedAtMs) inForce.set(key, baseline);
  }
  return inForce;
}
