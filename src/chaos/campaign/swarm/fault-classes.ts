import type { ChanceStream } from "../../chance/index.ts";
import type { FaultName } from "../../fault/fault-names.ts";
import type { Target } from "../../plan/index.ts";
import type { SwarmWorld } from "./draw-world.ts";
import { logUniform, logUniformUs, pick, whole } from "./draws.ts";

/** What a class needs to know to make one fault. */
export interface ClassContext {
  readonly stream: ChanceStream;
  readonly world: SwarmWorld;
  /** The rank that it hits, or that stands for what it hits. */
  readonly rank: number;
}

/** A fault of the class, without its trigger. */
export interface DrawnFault {
  readonly targets: readonly Target[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly durationUs: number | null;
}

/** A class of faults that a swarm switches on or off as a whole. */
export interface FaultClass {
  readonly fault: FaultName;
  /** Whether somebody is taken out of the job, or may be suspected and taken out. */
  readonly loses: "nobody" | "rank" | "node";
  /** Where it begins: a step, the write of a checkpoint, or of one that others came before. */
  readonly begins: "step" | "save" | "later-save";
  readonly draw: (context: ClassContext) => DrawnFault;
  /** Worlds in which it is survived. @default all */
  readonly fits?: (world: SwarmWorld) => boolean;
}

const rankTarget = (rank: number): readonly Target[] => [{ kind: "rank", rank }];
const storage: readonly Target[] = [{ kind: "storage" }];

/** Long enough to be felt, short enough that whoever waits for the place still waits. */
function absenceUs({ stream, world }: ClassContext): number | null {
  const { onFailure } = world.workload.policy;
  const waits = onFailure === "drainThenResume" || onFailure === "pauseForManual";
  if (!waits && stream.bernoulli(0.5)) return null;
  return logUniformUs(stream, 50_000, world.timeouts.rendezvousUs / 4);
}

function aWhileUs({ stream, world }: ClassContext): number {
  const stepUs = world.workload.pace.computeUs;
  return logUniformUs(stream, 4 * stepUs, 40 * stepUs);
}

/** One side is the rank alone. */
function cutOff({ rank }: ClassContext): readonly Target[] {
  return [{ kind: "cut", sides: [[rank]], asymmetric: false }];
}

function loss(
  fault: FaultName,
  params: (stream: ChanceStream) => DrawnFault["params"],
): FaultClass {
  const draw = (context: ClassContext): DrawnFault => ({
    targets: rankTarget(context.rank),
    params: params(context.stream),
    durationUs: absenceUs(context),
  });
  return { fault, loses: "rank", begins: "step", draw };
}

/** Over as soon as it is done, or in force for a number of times. */
function forGood(params: DrawnFault["params"]): FaultClass["draw"] {
  return ({ rank }) => ({ targets: rankTarget(rank), params, durationUs: null });
}

function comparesCopies({ workload }: SwarmWorld): boolean {
  return workload.policy.compareEverySteps === 1 && workload.shape.dp >= 3;
}

/** From hardly felt to longer than a rank may be silent. */
function untilSilentUs({ stream, world }: ClassContext): number {
  const { workload, timeouts } = world;
  return logUniformUs(stream, 4 * workload.pace.computeUs, 2 * timeouts.heartbeatUs);
}

function nuisance(
  fault: FaultName,
  params: (context: ClassContext) => DrawnFault["params"],
  targets: (context: ClassContext) => readonly Target[] = ({ rank }) => rankTarget(rank),
  lastsUs: (context: ClassContext) => number = aWhileUs,
): FaultClass {
  const draw = (context: ClassContext): DrawnFault => ({
    targets: targets(context),
    params: params(context),
    durationUs: lastsUs(context),
  });
  return { fault, loses: "nobody", begins: "step", draw };
}

const none = (): DrawnFault["params"] => ({});

/** Faults after which somebody has to be started again, or replaced. */
const losses: readonly FaultClass[] = [
  loss("kill_device", none),
  loss("off_bus", none),
  loss("ecc_error", (stream) => ({ xid: pick(stream, [48, 94, 95]) })),
  loss("gsp_error", () => ({ xid: 120 })),
  loss("row_remap", () => ({ failed: true })),
  loss("drop_rank", none),
  {
    ...loss("restart_worker", (stream) => ({ signal: pick(stream, ["SIGKILL", "SIGTERM"]) })),
    draw: ({ rank, stream }) => ({
      targets: rankTarget(rank),
      params: { signal: pick(stream, ["SIGKILL", "SIGTERM"]) },
      durationUs: null,
    }),
  },
  {
    ...loss("freeze_worker", none),
    // A shorter one is over before anybody could tell it from a slow step.
    draw: ({ rank, world: { timeouts }, stream }) => ({
      targets: rankTarget(rank),
      params: {},
      durationUs: logUniformUs(stream, 1.5 * timeouts.heartbeatUs, 4 * timeouts.heartbeatUs),
    }),
  },
  {
    ...loss("hang_device", none),
    draw: ({ rank, world: { timeouts }, stream }) => ({
      targets: rankTarget(rank),
      params: {},
      durationUs: logUniformUs(stream, 1.1 * timeouts.collectiveUs, 2 * timeouts.collectiveUs),
    }),
  },
  {
    ...loss("fail_node", none),
    loses: "node",
    draw: (context) => ({
      targets: [
        { kind: "node", node: Math.floor(context.rank / context.world.fleet.devicesPerNode) },
      ],
      params: {},
      durationUs: absenceUs(context),
    }),
  },
  {
    ...loss("preempt", none),
    draw: (context) => ({
      targets: rankTarget(context.rank),
      params: { graceUs: logUniformUs(context.stream, 10_000, 2_000_000) },
      durationUs: absenceUs(context),
    }),
  },
  {
    ...loss("partition", none),
    draw: (context) => ({
      targets: cutOff(context),
      params: {},
      durationUs: logUniformUs(context.stream, 1000, 3 * context.world.timeouts.heartbeatUs),
    }),
  },
  {
    ...loss("out_of_memory", none),
    draw: ({ rank, stream }) => ({
      targets: rankTarget(rank),
      params: {},
      durationUs: logUniformUs(stream, 1000, 500_000),
    }),
  },
  { ...loss("collective_timeout", none), draw: forGood({}) },
  {
    ...loss("drop_collective", none),
    draw: forGood({ count: 1, share: 1 }),
  },
  // Only who compares finds it, and only of three or more copies it is clear which one is wrong.
  { ...loss("bit_flip", none), fits: comparesCopies, draw: forGood({ where: "parameter" }) },
  {
    ...loss("strided_corruption", none),
    fits: comparesCopies,
    draw: forGood({ where: "parameter" }),
  },
  { ...loss("not_a_number", none), draw: forGood({ where: "gradient" }) },
];

/** Faults that only take time. */
const nuisances: readonly FaultClass[] = [
  nuisance(
    "network_latency",
    ({ stream, world }) => {
      const latencyUs = logUniformUs(stream, 1000, world.timeouts.heartbeatUs / 100);
      return { latencyUs, jitterUs: Math.round(latencyUs * stream.float()) };
    },
    cutOff,
  ),
  nuisance(
    "packet_loss",
    ({ stream }) => ({ share: logUniform(stream, 0.01, 0.2) }),
    cutOff,
    untilSilentUs,
  ),
  nuisance(
    "bandwidth_cap",
    ({ stream }) => ({ bytesPerSecond: Math.round(logUniform(stream, 1e6, 1e8)) }),
    cutOff,
  ),
  nuisance(
    "link_flap",
    ({ stream, world }) => {
      const stepUs = world.workload.pace.computeUs;
      return {
        downUs: logUniformUs(stream, stepUs, 5 * stepUs),
        upUs: logUniformUs(stream, stepUs, 5 * stepUs),
      };
    },
    cutOff,
    untilSilentUs,
  ),
  nuisance("fragment_memory", none),
  nuisance("straggler", ({ stream }) => ({ factor: logUniform(stream, 1.5, 8) })),
  {
    ...nuisance("delay_collective", none),
    draw: ({ rank, world, stream }) => ({
      targets: rankTarget(rank),
      params: {
        delayUs: logUniformUs(stream, 1000, world.timeouts.collectiveUs / 4),
        count: whole(stream, 1, 3),
      },
      durationUs: null,
    }),
  },
];

/** Faults of where checkpoints lie. What they spoil must be passed over when it is needed. */
const stores: readonly FaultClass[] = [
  {
    fault: "slow_storage",
    loses: "nobody",
    begins: "save",
    draw: (context) => ({
      targets: storage,
      params: { factor: logUniform(context.stream, 1.5, 10) },
      durationUs: 1_000_000,
    }),
  },
  {
    fault: "torn_write",
    loses: "nobody",
    begins: "save",
    draw: ({ rank }) => ({ targets: storage, params: { shard: rank, count: 1 }, durationUs: null }),
  },
  {
    fault: "corrupt_shard",
    loses: "nobody",
    begins: "later-save",
    draw: ({ rank }) => ({ targets: storage, params: { shard: rank }, durationUs: null }),
  },
  {
    fault: "full_storage",
    loses: "nobody",
    begins: "save",
    draw: ({ stream }) => ({
      targets: storage,
      params: { freeBytes: 0 },
      durationUs: logUniformUs(stream, 10_000, 1_000_000),
    }),
  },
];

/** All classes that a campaign draws from. */
export const faultClasses: readonly FaultClass[] = [...losses, ...nuisances, ...stores];
