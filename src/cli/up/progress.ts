import type { AdminToken } from "../../control/admin-token.ts";
import type { StartStep } from "../../control/options.ts";
import type { DoctorRunView } from "../../platform/http/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";

/** One line for each step of the start, in columns. */
export function describeStep(step: StartStep): string {
  switch (step.step) {
    case "store":
      return `store        ${step.engine}, schema ${step.schemaVersion}`;
    case "token":
      return `token        ${describeToken(step.token)}`;
    case "listening":
      return `listening    ${step.url}`;
  }
}

/** Where the token is, never what it is. */
function describeToken(token: AdminToken): string {
  switch (token.kind) {
    case "configured":
      return `the administrator's, from ${token.source}`;
    case "made":
      return `the administrator's, made now: ${token.path}`;
    case "kept":
      return `the administrator's, made earlier: ${token.path}`;
  }
}

export function describeDoctorRun({ counts, duration }: DoctorRunView): string {
  const parts = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  return `doctor       ${parts.join(", ")} (${formatDurationMs(duration.value * 1000)})`;
}
