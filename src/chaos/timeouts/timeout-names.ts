/** The timeouts that the rules know, from the innermost outwards, and what each of them ends. */
export const timeoutNames = {
  heartbeatEvery: "the time between two signs of life",
  heartbeat: "silence after which a worker counts as lost",
  slowestCollective: "the slowest exchange of a healthy job, as measured",
  collective: "how long a rank waits in an exchange",
  processGroup: "how long an exchange between replicas may take",
  abort: "how long it takes to abort an exchange",
  train: "how long an exchange inside a replica may take while it trains",
  step: "the longest step of a healthy job",
  save: "how long a checkpoint may take to be written",
  load: "how long a checkpoint may take to be read",
  drain: "from the order to stop until a worker is killed",
  init: "how long an exchange inside a replica may take while it starts",
  rendezvous: "how long ranks wait for each other to meet",
  quorum: "how long replicas wait until enough of them are there",
  watchdogHeartbeat:
    "how long the watchdog of a process may be silent before the process is killed",
  preemptGrace: "from the notice that a machine is taken away until it is",
  schedulerGrace: "how long the scheduler lets a job be that does not answer",
} as const;

export type TimeoutName = keyof typeof timeoutNames;

export function isTimeoutName(name: string): name is TimeoutName {
  return Object.hasOwn(timeoutNames, name);
}
