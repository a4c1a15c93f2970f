import { version } from "../../version.ts";
import { type ExitCode, exitCodes } from "../errors/index.ts";
import type { FindingState } from "./finding.ts";
import type { Host } from "./host.ts";
import { countStates, type DoctorFinding } from "./run-doctor.ts";

/** What `tessera doctor --json` prints. The shape is documented in docs/doctor.md and stable. */
export interface Diagnosis {
  /** Version of Tessera. */
  readonly version: string;
  readonly host: Host;
  readonly findings: readonly DoctorFinding[];
  readonly summary: Readonly<Record<FindingState, number>>;
}

/** Findings with what is needed to read them elsewhere. */
export function createDiagnosis(host: Host, findings: readonly DoctorFinding[]): Diagnosis {
  return { version, host, findings: findings.map(inOrder), summary: countStates(findings) };
}

/**
 * 1 when something required is missing, 3 when that could not be found out, 0 otherwise. A limit
 * on something required is told but does not fail: its main job still works.
 */
export function exitCodeOf({ findings }: Pick<Diagnosis, "findings">): ExitCode {
  const required = findings.filter((finding) => finding.required).map(({ state }) => state);
  if (required.includes("missing")) return exitCodes.failed;
  return required.includes("unknown") ? exitCodes.undecided : exitCodes.good;
}

/** Keys always in the same order, so that two diagnoses can be compared line by line. */
function inOrder(finding: DoctorFinding): DoctorFinding {
  const { id, title, state, required, reason, hint, neededFor, evidence, durationMs } = finding;
  return {
    id,
    title,
    state,
    required,
    reason,
    ...(hint === undefined ? {} : { hint }),
    neededFor,
    ...(evidence === undefined ? {} : { evidence }),
    durationMs,
  };
}
