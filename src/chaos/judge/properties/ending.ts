import type { RunAnalysis } from "../analysis.ts";
import type { StuckIncident } from "../metrics/stuck.ts";
import { asClause, counted, faultText, listed, timeText } from "../words.ts";
import { type Finding, finding } from "./finding.ts";
import { compareStates, wrongCheckpoints } from "./state.ts";

/** The claim says that this is survived, or that it is not. */
export function expectsRecovery({ plan }: RunAnalysis): boolean {
  return plan.expect.claim === "inside" && plan.expect.recovery !== "cleanFailure";
}

/** Inside the claim: the job must finish. */
export function recovered(analysis: RunAnalysis): readonly Finding[] {
  const { record, recoveries } = analysis;
  if (!expectsRecovery(analysis) || record.end === "aborted") return [];
  if (record.end === "finished") {
    const count = recoveries.filter(({ path }) => path !== "none").length;
    const how =
      count === 0
        ? "without having to recover"
        : `after ${count} ${count === 1 ? "recovery" : "recoveries"}`;
    const reason = `the job finished ${how}`;
    return [finding("recovered", "pass", reason)];
  }
  const after = afterFaults(analysis);
  if (record.end === "gave-up") {
    const why = asClause(giveUpReason(analysis));
    const reason = `the job gave up${after}, though its claim says that it survives this: ${why}`;
    return [finding("recovered", "fail", reason, `the job gave up: ${stem(why)}`)];
  }
  const step = analysis.lineage.survivors.at(-1)?.step ?? 0;
  const reason = `the job had not finished after ${timeText(record.endUs)}${after}; it is at step ${step}`;
  return [finding("recovered", "fail", reason, "the job had not finished in time")];
}

/**
 * Outside the claim: the job must say that it cannot go on and leave nothing wrong behind. To survive more
 * than was claimed is no failure, as long as the result is right.
 */
export function failedCleanly(analysis: RunAnalysis): readonly Finding[] {
  const { record } = analysis;
  if (expectsRecovery(analysis)) return [];
  const wrong = [...wrongCheckpoints(analysis), ...otherThanSaved(analysis)];
  if (wrong.length > 0 && record.end !== "finished") {
    const reason = `wrong values are in committed checkpoints: ${listed(wrong)}`;
    const core = "wrong values are in committed checkpoints";
    return [finding("failed-cleanly", "fail", reason, core)];
  }
  switch (record.end) {
    case "gave-up": {
      const why = asClause(giveUpReason(analysis));
      if (why === "") {
        const reason = "the job gave up without saying why";
        return [finding("failed-cleanly", "fail", reason)];
      }
      const reason = `the job gave up as it should${afterFaults(analysis)} and left nothing wrong: ${why}`;
      return [finding("failed-cleanly", "pass", reason)];
    }
    case "finished":
      return [survivedMore(analysis)];
    case "aborted":
      return [];
    case "cut": {
      const reason = `the job neither went on nor gave up within ${timeText(record.endUs)}${afterFaults(analysis)}`;
      const core = "the job neither went on nor gave up";
      return [finding("failed-cleanly", "fail", reason, core)];
    }
  }
}

function survivedMore(analysis: RunAnalysis): Finding {
  const state = compareStates(analysis);
  const remark = "the job survived more than it claims";
  if (state.kind === "different") {
    const core = "the job finished with a wrong state";
    return finding("failed-cleanly", "fail", `the job finished, and ${state.reason}`, core);
  }
  if (state.kind === "equal") {
    return finding("failed-cleanly", "pass", `${remark}, and its final state is right`);
  }
  if (analysis.plan.expect.integrity === "none") {
    return finding(
      "failed-cleanly",
      "pass",
      `${remark}; whether its values are right was not asked`,
    );
  }
  return finding("failed-cleanly", "inconclusive", `${remark}, but ${state.reason}`);
}

function otherThanSaved({ record }: RunAnalysis): readonly string[] {
  return record.events.flatMap((event) =>
    event.kind === "restore" && event.sameAsSaved === false && event.tag !== null
      ? [`${event.tag} (as it was loaded)`]
      : [],
  );
}

function giveUpReason({ record }: RunAnalysis): string {
  const event = record.events.findLast(({ kind }) => kind === "give-up");
  return event?.kind === "give-up" ? event.reason : "";
}

/** Reasons quote other reasons after a colon; the first part says what kind it is. */
function stem(reason: string): string {
  return reason.split(":")[0]?.trim() ?? reason;
}

/** ` 4.2 s after kill_device on rank 1`. */
function afterFaults({ record }: RunAnalysis): string {
  const end = record.events.findLast(({ kind }) => kind === "give-up")?.atUs ?? record.endUs;
  const injected = record.injections.flatMap((one) =>
    one.injectedUs === null ? [] : [{ ...one, injectedUs: one.injectedUs }],
  );
  const last = injected.toSorted((a, b) => a.injectedUs - b.injectedUs).at(-1);
  return last === undefined ? "" : `, ${timeText(end - last.injectedUs)} after ${faultText(last)}`;
}

/** What is stuck must be noticed by the job itself. */
export function neverStuck({ stuck, record }: RunAnalysis): readonly Finding[] {
  if (record.end === "aborted" && stuck.length === 0) return [];
  const locked = stuck.filter(({ form }) => form !== "livelock");
  const busy = stuck.filter(({ form }) => form === "livelock");
  return [
    stuckFinding("no-deadlock", locked, "nobody waited for somebody who never comes"),
    stuckFinding("no-livelock", busy, "the job was never busy without getting on"),
  ];
}

function stuckFinding(
  property: "no-deadlock" | "no-livelock",
  incidents: readonly StuckIncident[],
  never: string,
): Finding {
  const worst = incidents.find(({ isResolved }) => !isResolved);
  if (worst !== undefined) {
    const { form, cause, reason, atUs } = worst;
    const what = cause === null ? form : `${form} (${cause})`;
    return finding(
      property,
      "fail",
      `${what} at ${timeText(atUs)} that the job did not get out of: ${asClause(reason)}`,
      `${what} that the job did not get out of`,
    );
  }
  if (incidents.length === 0) return finding(property, "pass", never);
  const reason = `${counted(incidents.length, incidents[0]?.form ?? "incident")}, noticed by the job itself`;
  return finding(property, "pass", reason);
}
