import type { Chance, ChanceStream } from "../../chance/index.ts";
import type { PlannedFault, RecoveryPolicy } from "../../plan/index.ts";
import type { SwarmWorld } from "./draw-world.ts";
import { pick, whole } from "./draws.ts";

/** A world and faults that no policy claims to survive: the job must end, named and clean. */
export interface OutsideDraw {
  readonly world: SwarmWorld;
  readonly faults: readonly PlannedFault[];
}

type Recipe = (world: SwarmWorld, stream: ChanceStream) => OutsideDraw;

const recipes: readonly Recipe[] = [failsFast, staysGone, hasNoSpare, loosesAll, exceedsRestarts];

export function drawOutside(chance: Chance, world: SwarmWorld): OutsideDraw {
  const stream = chance.stream("outside");
  return pick(stream, recipes)(world, stream);
}

function failsFast(world: SwarmWorld, stream: ChanceStream): OutsideDraw {
  return { world: under(world, { onFailure: "failFast" }), faults: [killed(world, stream)] };
}

/** The place is waited for, and nobody comes back. */
function staysGone(world: SwarmWorld, stream: ChanceStream): OutsideDraw {
  return { world: under(world, { onFailure: "drainThenResume" }), faults: [killed(world, stream)] };
}

function hasNoSpare(world: SwarmWorld, stream: ChanceStream): OutsideDraw {
  return { world: under(world, { onFailure: "spare" }), faults: [killed(world, stream)] };
}

/** A rank of every replica. */
function loosesAll(world: SwarmWorld, stream: ChanceStream): OutsideDraw {
  const { dp, tp, pp } = world.workload.shape;
  const ranks = Array.from({ length: dp }, (_, at) => at * tp * pp + stream.int(tp * pp));
  const fault = {
    ...killed(world, stream),
    targets: ranks.map((rank) => ({ kind: "rank", rank }) as const),
  };
  return { world: under(world, { onFailure: "shrink" }), faults: [fault] };
}

/** One more than are allowed, each after the one before is over. */
function exceedsRestarts(world: SwarmWorld, stream: ChanceStream): OutsideDraw {
  const restartsMax = 1;
  const { steps } = world.workload;
  const between = Math.floor((steps - 2) / (restartsMax + 1));
  const faults = Array.from(
    { length: restartsMax + 1 },
    (_, at): PlannedFault => ({
      id: `f${at + 1}`,
      fault: "restart_worker",
      params: { signal: "SIGKILL" },
      targets: [{ kind: "rank", rank: stream.int(world.ranks) }],
      trigger: { kind: "step", step: 2 + at * between },
      durationUs: null,
    }),
  );
  return { world: under(world, { onFailure: "drainThenResume", restartsMax }), faults };
}

function killed(world: SwarmWorld, stream: ChanceStream): PlannedFault {
  return {
    id: "f1",
    fault: "kill_device",
    params: {},
    targets: [{ kind: "rank", rank: stream.int(world.ranks) }],
    trigger: { kind: "step", step: whole(stream, 2, world.workload.steps - 1) },
    durationUs: null,
  };
}

function under(world: SwarmWorld, policy: Partial<RecoveryPolicy>): SwarmWorld {
  const { workload } = world;
  return {
    ...world,
    fleet: { ...world.fleet, spareNodes: 0 },
    workload: { ...workload, policy: { ...workload.policy, ...policy } },
  };
}
