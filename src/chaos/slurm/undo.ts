import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import type { SlurmClient, SlurmNode } from "../../platform/slurm/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Undo, UndoExecutor } from "../ledger/index.ts";
import type { NodeHook } from "../live/index.ts";
import { markOf } from "./marks.ts";

const releaseSchema = z.object({ node: z.string(), run: z.string() });

export type ReleaseUndo = z.output<typeof releaseSchema>;

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

/** Only while the node still bears our mark: what a person said of it since is theirs. */
export async function releaseNode(
  { client, clock }: Pick<SlurmUndoOptions, "client" | "clock">,
  { node, run }: ReleaseUndo,
): Promise<void> {
  const isOurs = (now: SlurmNode | undefined) => now !== undefined && markOf(now)?.run === run;
  if (!isOurs(await find(client, node))) return;
  await client.updateNode(node, { state: "RESUME" });
  const released = await waitFor({ client, clock, node, withinMs: showsMs }, (now) => !isOurs(now));
  if (!released) throw new Error(`node ${node} still bears the mark of run ${run}`);
}

/** The node is opened when somebody answers there, and only while it bears our mark. */
async function startDaemon(options: SlurmUndoOptions, undo: ReleaseUndo): Promise<void> {
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
