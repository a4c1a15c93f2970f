import type { TimeoutName } from "./timeout-names.ts";

/** `inner`, so many times over, must fit into `outer`; alone it must be shorter. */
export interface TimeoutRule {
  readonly rule: string;
  readonly inner: TimeoutName;
  readonly outer: TimeoutName;
  /** @default 1 */
  readonly times?: number;
  /** What goes wrong when it does not hold. */
  readonly why: string;
}

/**
 * Each must be shorter than the next: what is inside notices and recovers before what is outside kills it.
 * Several names at one level are the same limit in different systems.
 */
export const nesting: readonly {
  readonly names: readonly TimeoutName[];
  readonly why: string;
}[] = [
  {
    names: ["collective", "processGroup"],
    why: "a hung exchange has not been given up yet when the process around it is killed, so the step is never marked as failed and everything restarts",
  },
  {
    names: ["train"],
    why: "a replica that has just begun to start again is held to a shorter limit than one that trains",
  },
  {
    names: ["init", "rendezvous"],
    why: "the others stop waiting for a replica that is still about to start",
  },
  { names: ["quorum"], why: "a process that waits for the others is taken for hung and killed" },
  {
    names: ["watchdogHeartbeat"],
    why: "the scheduler kills the whole job before its own watchdog has ended one process",
  },
  { names: ["schedulerGrace"], why: "" },
];

/** Rules beside the nesting. */
export const timeoutRules: readonly TimeoutRule[] = [
  {
    rule: "heartbeat-interval",
    inner: "heartbeatEvery",
    outer: "heartbeat",
    times: 3,
    why: "one sign of life that is lost or late is taken for a death",
  },
  {
    rule: "slow-is-not-hung",
    inner: "slowestCollective",
    outer: "collective",
    why: "an exchange that is only slow is taken for hung",
  },
  {
    rule: "slow-is-not-hung",
    inner: "slowestCollective",
    outer: "processGroup",
    why: "an exchange that is only slow is taken for hung",
  },
  {
    rule: "silence-before-complaint",
    inner: "heartbeat",
    outer: "collective",
    why: "all that wait for a dead rank complain before its silence says who it is, and the wrong one may be blamed",
  },
  {
    rule: "silence-before-meeting",
    inner: "heartbeat",
    outer: "rendezvous",
    why: "a worker that dies while all meet is not noticed before the meeting is given up",
  },
  {
    rule: "abort-before-kill",
    inner: "abort",
    outer: "drain",
    why: "a worker that is still aborting its exchange is killed, and its process has to be started again",
  },
  {
    rule: "drain-before-meeting",
    inner: "drain",
    outer: "rendezvous",
    why: "ranks that still drain are missing when the others meet",
  },
  {
    rule: "save-within-grace",
    inner: "save",
    outer: "preemptGrace",
    why: "the machine is taken away while the checkpoint is being written",
  },
  {
    rule: "step-within-grace",
    inner: "step",
    outer: "preemptGrace",
    why: "the machine is taken away before the step ends after which it could save",
  },
  {
    rule: "drain-within-grace",
    inner: "drain",
    outer: "preemptGrace",
    why: "the machine is taken away before the job has stopped by itself",
  },
  {
    rule: "load-before-scheduler",
    inner: "load",
    outer: "schedulerGrace",
    why: "a job that reads its checkpoint is taken for hung by the scheduler, and reads it again",
  },
  {
    rule: "save-before-scheduler",
    inner: "save",
    outer: "schedulerGrace",
    why: "a job that writes its checkpoint is taken for hung by the scheduler",
  },
];
