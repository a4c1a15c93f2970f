import type { ListedJob } from "../array-tasks.ts";
import { parseExit } from "../exit-status.ts";
import { expandHostlist } from "../hostlist.ts";
import { jobTimes } from "../job-times.ts";
import { parseJobState } from "../states.ts";
import { parseTimeMs } from "../times.ts";
import type { SlurmJob } from "../words.ts";
import { readRecords, type TextRecord, wholeNumber } from "./records.ts";

/** The jobs of `scontrol show jobs`. */
export function jobsOfText(printed: string): readonly ListedJob[] {
  return readRecords(printed, "JobId", "jobs").map(jobOf);
}

function jobOf(record: TextRecord): ListedJob {
  const { state, flags } = record.need("JobState", (text) => parseJobState([text]));
  const times = jobTimes(state, {
    startMs: record.may("StartTime", parseTimeMs),
    endMs: record.may("EndTime", parseTimeMs),
    ...record.need("ExitCode", parseExit),
  });
  const task = record.text("ArrayTaskId");
  // After the word may stand more of it: `RaisedSignal:9(Killed)`, `ReqNodeNotAvail,_UnavailableNodes:g1`.
  const [reason = ""] = record.text("Reason").split(/[,:]/);
  const one: SlurmJob = {
    id: record.need("JobId", wholeNumber),
    arrayJobId: record.may("ArrayJobId", wholeNumber),
    arrayTaskId: /^\d+$/.test(task) ? Number(task) : undefined,
    name: record.text("JobName"),
    user: record.need("UserId", userOf),
    state,
    flags,
    partition: record.text("Partition"),
    qos: record.text("QOS"),
    account: record.text("Account"),
    reservation: record.text("Reservation"),
    nodes: record.may("NodeList", expandHostlist) ?? [],
    requestedNodes: record.may("ReqNodeList", expandHostlist) ?? [],
    plannedNodes: record.may("SchedNodeList", expandHostlist) ?? [],
    reason: reason === "None" ? "" : reason,
    comment: record.text("Comment"),
    submittedAtMs: record.need("SubmitTime", parseTimeMs) ?? 0,
    ...times,
    preemptedAtMs: record.may("PreemptTime", parseTimeMs),
    restarts: record.may("Restarts", wholeNumber) ?? 0,
  };
  return { job: one, tasks: task };
}

/** `alice(1000)`. */
function userOf(text: string): string {
  return text.replace(/\(\d+\)$/, "");
}
