import type { RunAnalysis } from "../analysis.ts";
import { counted, faultText, listed } from "../words.ts";
import { type Finding, finding } from "./finding.ts";

/** A run in which a fault did nothing proves nothing about it. */
export function effects({ plan, record }: RunAnalysis): readonly Finding[] {
  // What was ended early never had its moments.
  if (plan.faults.length === 0 || record.end === "aborted") return [];
  const byId = new Map(record.injections.map((injection) => [injection.id, injection]));
  const never: string[] = [];
  const without: string[] = [];
  for (const { id, fault } of plan.faults) {
    const injection = byId.get(id);
    if (injection === undefined) never.push(fault);
    else if (injection.injectedUs === null) never.push(faultText(injection));
    else if (injection.effectUs === null) without.push(faultText(injection));
  }
  if (never.length > 0) {
    const reason = `the moment to inject ${listed(never)} never came`;
    return [finding("effect", "inconclusive", reason, "a fault was never injected")];
  }
  if (without.length > 0) {
    const reason = `nobody saw an effect of ${listed(without)}`;
    return [finding("effect", "inconclusive", reason, "a fault had no effect")];
  }
  const seen = plan.faults.length === 1 ? "the fault was" : `all ${plan.faults.length} faults were`;
  return [finding("effect", "pass", `${seen} seen to take effect`)];
}

/** No more ranks may be broken at once than the experiment allows. */
export function blastRadius({ plan, record }: RunAnalysis): readonly Finding[] {
  const { targetsMax } = plan.limits;
  const most = record.injections.reduce((largest, { injectedUs }) => {
    if (injectedUs === null) return largest;
    const hit = record.injections
      .filter(
        (other) =>
          other.injectedUs !== null &&
          other.injectedUs <= injectedUs &&
          (other.revertedUs ?? Number.POSITIVE_INFINITY) > injectedUs,
      )
      .flatMap(({ ranks }) => ranks);
    return Math.max(largest, new Set(hit).size);
  }, 0);
  if (most <= targetsMax) return [];
  const reason = `${counted(most, "rank")} were hit at once; ${targetsMax} are allowed`;
  return [finding("blast-radius", "fail", reason, "more ranks were hit at once than allowed")];
}

/** Ended early on purpose: nothing that is missing then counts against the job. */
export function aborted({ record }: RunAnalysis): readonly Finding[] {
  if (record.end !== "aborted") return [];
  const why = record.notes.at(-1);
  const reason = `the run was aborted${why === undefined ? "" : `: ${why}`}`;
  return [finding("aborted", "inconclusive", reason, "the run was aborted")];
}
