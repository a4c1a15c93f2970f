import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import { readTextFile } from "../../platform/files/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import {
  hostRendezvous,
  type RankMembership,
  type RankTask,
  type RankTaskContext,
  readMembership,
} from "../../runtime/ranks/index.ts";
import {
  type CollectiveMeasurement,
  collectiveInputSchema,
} from "../../runtime/ranks/tasks/collective.ts";
import { launcherLines, workForLauncher } from "../agent/launcher-lines.ts";
import { loadRankTask } from "../agent/tasks.ts";
import { measurementDocument } from "../collective/saved.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";

const secretBytesMax = 4096;
/** How long rank 0 stays at the rendezvous for the others to say goodbye. */
const farewellMs = 30_000;

/** `tessera agent rank`: one rank of a run whose processes somebody else started. */
export const run: Action = async (invocation) => {
  const { args, clock, io } = invocation;
  const [name = ""] = args;
  const task = await loadRankTask(name, "agent rank");
  const member = await readMembership(io.env, (path) =>
    readTextFile(path, { sizeBytesMax: secretBytesMax }),
  );
  const input = inputIn(io.env["TESSERA_RANK_INPUT"]);
  const tell = launcherLines(io);
  const context = { ...contextOf(invocation, member), input };
  const work = (more: Partial<RankTaskContext>) =>
    carryOut(task, { ...context, ...more }, { member, clock });
  if (tell !== undefined) return workForLauncher(work, { tell, env: io.env });
  const value = await work({});
  const measured = name === "collective" ? (value as CollectiveMeasurement) : undefined;
  const said = measured === undefined ? value : documentOf(measured, { input, invocation });
  if (member.rank === 0) writeLine(io.stdout, JSON.stringify(said ?? null));
  // A job whose answer was wrong must not look like one that went well.
  return measured?.sizes.some(({ wrong }) => wrong !== 0) ? exitCodes.failed : exitCodes.good;
};

/** The task of a rank; rank 0 hosts the rendezvous meanwhile. */
async function carryOut(
  task: RankTask,
  context: RankTaskContext,
  { member, clock }: { readonly member: RankMembership; readonly clock: Clock },
): Promise<unknown> {
  const rendezvous = member.rank === 0 ? await hostRendezvous(member, { clock }) : undefined;
  try {
    return await task(context);
  } finally {
    await rendezvous?.close({ waitMs: farewellMs });
  }
}

function contextOf({ clock, io, signal }: Invocation, member: RankMembership) {
  const { rank, worldSize, rendezvous, secret } = member;
  const report = (value: unknown) => writeLine(io.stderr, `rank ${rank}: ${JSON.stringify(value)}`);
  return { rank, worldSize, rendezvous, secret, signal, clock, env: io.env, report };
}

function inputIn(text: string | undefined): unknown {
  if (text === undefined || text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new TesseraError("E_RANK_ENVIRONMENT", { problem: "TESSERA_RANK_INPUT is not JSON" });
  }
}

/** What `collective calibrate` reads, so that times across hosts serve as those of one host do. */
function documentOf(
  { sizes, facts }: CollectiveMeasurement,
  { input, invocation }: { readonly input: unknown; readonly invocation: Invocation },
): object {
  const { op, transport } = collectiveInputSchema.parse(input);
  const [first] = sizes;
  const { dtype = "", ranks = 0 } = first ?? {};
  const atMs = invocation.clock.nowMs();
  return measurementDocument({ op, dtype, ranks, transport, sizes, facts, atMs });
}
