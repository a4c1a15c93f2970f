import { z } from "zod";
import type { ListedJob } from "../array-tasks.ts";
import { jobTimes } from "../job-times.ts";
import { parseJobState } from "../states.ts";
import type { SlurmJob } from "../words.ts";
import { readList } from "./answer.ts";
import { exitCode } from "./exit-code.ts";
import { hosts, neededNumber, number, text, time } from "./shapes.ts";

const entry = z
  .object({
    job_id: neededNumber,
    array_job_id: number.optional(),
    array_task_id: number.optional(),
    array_task_string: text.default(""),
    name: text.default(""),
    user_name: text.default(""),
    user_id: number.optional(),
    job_state: z.union([z.string().min(1), z.array(z.string()).min(1)]),
    partition: text.default(""),
    qos: text.default(""),
    account: text.default(""),
    resv_name: text.default(""),
    nodes: hosts,
    required_nodes: hosts.default([]),
    scheduled_nodes: hosts.default([]),
    state_reason: text.default(""),
    comment: text.default(""),
    submit_time: time,
    start_time: time.optional(),
    end_time: time.optional(),
    preempt_time: time.optional(),
    exit_code: exitCode.optional(),
    restart_cnt: number.optional(),
  })
  .transform((job): ListedJob => {
    const states = typeof job.job_state === "string" ? [job.job_state] : job.job_state;
    const { state, flags } = parseJobState(states);
    const array = job.array_job_id === 0 ? undefined : job.array_job_id;
    const user = job.user_name === "" ? String(job.user_id ?? "") : job.user_name;
    const times = jobTimes(state, {
      startMs: job.start_time,
      endMs: job.end_time,
      ...job.exit_code,
    });
    const one: SlurmJob = {
      id: job.job_id,
      arrayJobId: array,
      arrayTaskId: array === undefined ? undefined : job.array_task_id,
      name: job.name,
      user,
      state,
      flags,
      partition: job.partition,
      qos: job.qos,
      account: job.account,
      reservation: job.resv_name,
      nodes: job.nodes,
      requestedNodes: job.required_nodes,
      plannedNodes: job.scheduled_nodes,
      reason: job.state_reason === "None" ? "" : job.state_reason,
      comment: job.comment,
      submittedAtMs: job.submit_time ?? 0,
      ...times,
      preemptedAtMs: job.preempt_time,
      restarts: job.restart_cnt ?? 0,
    };
    return { job: one, tasks: job.array_task_string };
  });

/** The jobs in the JSON of squeue or scontrol. */
export function jobsOfJson(printed: string): readonly ListedJob[] {
  return readList(printed, "jobs", entry);
}
