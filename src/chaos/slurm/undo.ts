import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import type { SlurmClient, SlurmNode } from "../../platform/slurm/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Undo, UndoExecutor } from "../ledger/index.ts";
import type { NodeHook } from "../live/index.ts";
import { isToBoot } from "./guards.ts";
import { leadingMark, markOf } from "./marks.ts";

const releaseSchema = z.object({
  node: z.string(),
  run: z.string(),
  /** Whether the fault takes the node down, or only drains it. */
  takesDown: z.boolean().default(true),
});

export type ReleaseUndo = z.input<typeof releaseSchema>;
type Release = z.output<typeof releaseSchema>;

export const undoes = {
  release: (data: ReleaseUndo): Undo => ({ kind: "release-slurm-node", data }),
  daemon: (data: ReleaseUndo): Undo => ({ kind: "start-slurmd", data }),
  /** What was ended comes back by Slurm, by its own launcher, or not at all. */
  none: (): Undo => ({ kind: "nothing", data: {} }),
} as const;

export interface SlurmUndoOptions {
  readonly client: SlurmClient;
  readonly clock: Clock;
  readonly daemonHook?: NodeHook | undefined;
  /** So long a controller may be away, which is being restarted, before a fault stays. @default three minutes */
  readonly patienceMs?: number;
}

/** A daemon registers within seconds; a cluster whose controller is busy gets the time. */
const answersMs = 120_000;
const showsMs = 10_000;
const pollMs = 500;
const patienceMsDefault = 180_000;

/** Takes faults back, for the run itself and for whoever comes after it. */
export function createSlurmUndo(options: SlurmUndoOptions): UndoExecutor {
  const { clock, patienceMs = patienceMsDefault } = options;
  /** Since when nobody has answered: many faults wait for one controller together. */
  let awayMs: number | undefined;
  return async ({ undo }) => {
    for (;;) {
      try {
        await undoOnce(options, undo);
        awayMs = undefined;
        return;
      } catch (error) {
        if (!isAway(error)) throw error;
        awayMs ??= clock.monotonicMs();
        if (clock.monotonicMs() - awayMs >= patienceMs) throw error;
        await sleep(clock, pollMs);
      }
    }
  };
}

function isAway(error: unknown): boolean {
  return error instanceof TesseraError && error.code === "E_SLURM_UNREACHABLE";
}

async function undoOnce(options: SlurmUndoOptions, { kind, data }: Undo): Promise<void> {
  switch (kind) {
    case "release-slurm-node":
      return releaseNode(options, releaseSchema.parse(data));
    case "start-slurmd":
      return startDaemon(options, releaseSchema.parse(data));
    case "nothing":
      return;
    default:
      throw new Error(`nobody knows how to undo ${kind}`);
  }
}

/**
 * Only while the node still bears our mark: what a person said of it since is theirs.
 *
 * @throws Error where the node stays closed under a reason that begins with our mark
 */
export async function releaseNode(
  { client, clock }: Pick<SlurmUndoOptions, "client" | "clock">,
  { node, run, takesDown }: Release,
): Promise<void> {
  const isOurs = (now: SlurmNode | undefined) => now !== undefined && leadingMark(now)?.run === run;
  const now = await find(client, node);
  if (now === undefined || !isOurs(now)) return;
  if (markOf(now) === undefined) {
    throw new Error(`node ${node} has more for a reason than our mark: ${now.reason}`);
  }
  const state = openingOf(now, takesDown);
  if (state !== undefined) await client.updateNode(node, { state });
  if (now.state === "DOWN" && state !== "RESUME") {
    throw new Error(`node ${node} is down, and not by the experiment: our reason stays on it`);
  }
  const released = await waitFor({ client, clock, node, withinMs: showsMs }, (one) => !isOurs(one));
  if (!released) throw new Error(`node ${node} still bears the mark of run ${run}`);
}

/**
 * RESUME alone brings up a node that is down, and calls off a boot that somebody has asked for: only for what
 * we have taken down. Each of our faults drains first, so that a node without a drain is down by itself.
 *
 * @returns undefined where nothing of ours is left to lift
 */
function openingOf(node: SlurmNode, takesDown: boolean): "RESUME" | "UNDRAIN" | undefined {
  const isDown = node.state === "DOWN";
  if (isDown && !node.flags.includes("DRAIN")) return undefined;
  if (!isDown || !takesDown) return "UNDRAIN";
  if (isToBoot(node)) throw new Error(`node ${node.name} is to be booted: it is opened after that`);
  return "RESUME";
}

/** The node is opened when somebody answers there, and only while it bears our mark. */
async function startDaemon(options: SlurmUndoOptions, undo: Release): Promise<void> {
  const { node } = undo;
  const { client, clock, daemonHook } = options;
  if (daemonHook === undefined) throw new Error(`there is no command to start slurmd on ${node}`);
  await daemonHook.start(node);
  const about = { client, clock, node, withinMs: answersMs };
  const answers = await waitFor(about, (now) => now?.flags.includes("NOT_RESPONDING") === false);
  if (!answers) throw new Error(`node ${node} does not answer though its daemon was started`);
  await releaseNode(options, undo);
}

async function waitFor(
  about: {
    readonly client: SlurmClient;
    readonly clock: Clock;
    readonly node: string;
    readonly withinMs: number;
  },
  isSo: (node: SlurmNode | undefined) => boolean,
): Promise<boolean> {
  const { client, clock, node, withinMs } = about;
  const endMs = clock.monotonicMs() + withinMs;
  for (;;) {
    if (isSo(await find(client, node))) return true;
    if (clock.monotonicMs() >= endMs) return false;
    await sleep(clock, pollMs);
  }
}

async function find(client: SlurmClient, name: string): Promise<SlurmNode | undefined> {
  return (await client.nodes()).find((node) => node.name === name);
}
