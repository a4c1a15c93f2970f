/** Something generic that a node has or a job holds: `gpu:h100:8`. */
export interface SlurmGres {
  readonly name: string;
  /** Empty when not told. */
  readonly type: string;
  readonly count: number;
}

/** A node as Slurm shows it. Names of states and flags are Slurm's own, in upper case. */
export interface SlurmNode {
  readonly name: string;
  readonly address: string;
  /** The base state alone: `IDLE`, `MIXED`, `ALLOCATED`, `DOWN`, `ERROR`, `FUTURE`, `UNKNOWN`. */
  readonly state: string;
  /** What is added to it: `DRAIN`, `NOT_RESPONDING`, `RESERVED`, `MAINTENANCE`, `PLANNED`, `COMPLETING`, ... */
  readonly flags: readonly string[];
  readonly partitions: readonly string[];
  /** Those in force. */
  readonly features: readonly string[];
  readonly gres: readonly SlurmGres[];
  readonly gresUsed: readonly SlurmGres[];
  readonly cpus: number;
  readonly cpusAllocated: number;
  readonly memoryMiB: number;
  readonly memoryAllocatedMiB: number;
  /** Why it is drained or down; empty when nobody said. */
  readonly reason: string;
  /** Who said so; empty when not told. */
  readonly reasonBy: string;
  readonly reasonAtMs: number | undefined;
  readonly comment: string;
  readonly bootAtMs: number | undefined;
  readonly slurmdStartedAtMs: number | undefined;
}

/** A job, or a task of an array, as the controller shows it while it remembers it. */
export interface SlurmJob {
  readonly id: number;
  readonly arrayJobId: number | undefined;
  readonly arrayTaskId: number | undefined;
  readonly name: string;
  readonly user: string;
  /** The base state alone: `PENDING`, `RUNNING`, `COMPLETED`, `FAILED`, `PREEMPTED`, `NODE_FAIL`, ... */
  readonly state: string;
  /** `COMPLETING`, `REQUEUED`, `CONFIGURING`, ... */
  readonly flags: readonly string[];
  readonly partition: string;
  readonly qos: string;
  readonly account: string;
  readonly reservation: string;
  /** Those it holds, or held. */
  readonly nodes: readonly string[];
  /** Those it asked for by name. */
  readonly requestedNodes: readonly string[];
  /** Those the scheduler means to give it; empty when it has not decided. */
  readonly plannedNodes: readonly string[];
  /** Why it waits or ended, in Slurm's word: `Resources`, `Priority`, `NonZeroExitCode`; empty for `None`. */
  readonly reason: string;
  readonly comment: string;
  readonly submittedAtMs: number;
  readonly startedAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  readonly preemptedAtMs: number | undefined;
  /** Of the batch script; undefined while it runs or when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly exitSignal: number | undefined;
  /** How often it was put back into the queue. */
  readonly restarts: number;
}

export interface SlurmReservation {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly users: readonly string[];
  readonly flags: readonly string[];
  readonly startAtMs: number;
  readonly endAtMs: number | undefined;
}

export interface SlurmPartition {
  readonly name: string;
  readonly nodes: readonly string[];
  /** `UP`, `DOWN`, `DRAIN`, `INACTIVE`. */
  readonly state: string;
  readonly priorityTier: number;
  /** `OFF`, `CANCEL`, `REQUEUE`, `SUSPEND`, ...; empty when not told. */
  readonly preemptMode: string;
  readonly isDefault: boolean;
  readonly maxTimeMs: number | undefined;
  /** How long a job that another preempts may go on before it is ended; undefined when not told. */
  readonly graceMs?: number | undefined;
}

/** A quality of service, as accounting keeps it. */
export interface SlurmQos {
  readonly name: string;
  /** Those whose jobs give way to its jobs. */
  readonly preempts: readonly string[];
  /** How its own jobs give way: `CLUSTER` (as the cluster says), `CANCEL`, `REQUEUE`, `SUSPEND`, ... */
  readonly preemptMode: string;
  /** How long its jobs may go on when another preempts them; undefined when not told. */
  readonly graceMs?: number | undefined;
  /** How long its jobs must have run before another may preempt them; undefined where the cluster says it. */
  readonly exemptMs?: number | undefined;
}

/** How a job ended, from accounting or from the file of completed jobs. */
export interface SlurmJobEnd {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  /** `COMPLETED`, `FAILED`, `NODE_FAIL`, `OUT_OF_MEMORY`, `CANCELLED`, `TIMEOUT`, `PREEMPTED`, `REQUEUED`, ... */
  readonly state: string;
  readonly nodes: readonly string[];
  readonly startedAtMs: number | undefined;
  readonly endedAtMs: number;
  readonly exitCode: number | undefined;
  readonly exitSignal: number | undefined;
}

/** A change of a node's state as accounting keeps it: when it could not be used, and why. */
export interface SlurmNodeEvent {
  readonly node: string;
  readonly state: string;
  readonly reason: string;
  readonly user: string;
  readonly startAtMs: number;
  readonly endAtMs: number | undefined;
}

export interface SlurmRelease {
  /** As Slurm writes it: `22.05.8`. */
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}
