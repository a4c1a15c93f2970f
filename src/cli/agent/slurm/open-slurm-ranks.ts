import { formatError, toTesseraError } from "../../../platform/errors/index.ts";
import { redact } from "../../../platform/log/redact-text.ts";
import type { SlurmClient } from "../../../platform/slurm/index.ts";
import type { RankLauncher } from "../../../runtime/ranks/index.ts";
import type { AllocationRequest, SlurmTools } from "../../../runtime/ranks/slurm/index.ts";
import type { Invocation } from "../../invocation.ts";
import { openSlurm } from "../../open-slurm.ts";
import { writeLine } from "../../output.ts";
import { usageError } from "../../usage-error.ts";
import { gpusPerNodeIn, type LayoutWish, layoutOf, type RankLayout } from "./layout.ts";
import { ownUser } from "./own-user.ts";
import type { SlurmPlace } from "./place.ts";

/** What a result says about where its ranks ran. */
export interface SlurmFacts {
  readonly release: string;
  readonly jobId: number;
  readonly partition: string;
  readonly nodes: readonly string[];
  readonly ranksPerNode: number;
}

/** Nodes of a Slurm cluster that are ours, and a way to start ranks there. */
export interface SlurmRanks {
  readonly launch: RankLauncher;
  readonly facts: SlurmFacts;
  /** Gives the nodes back. Where that fails, the user is told: no result or error makes way for it. */
  release(): Promise<void>;
}

/** How many GPUs so many nodes of the place have at least, each. @throws E_SLURM_… */
export async function chooseGpus(about: {
  readonly client: SlurmClient;
  readonly place: Pick<SlurmPlace, "partition">;
  readonly signal: AbortSignal;
}): Promise<(count: number) => number> {
  const { client, signal } = about;
  const { partition } = about.place;
  const [nodes, partitions] = await Promise.all([
    client.nodes({ signal }),
    client.partitions({ signal }),
  ]);
  return (count) => gpusPerNodeIn({ nodes, partitions, partition }, count);
}

/** The layout of ranks that a wish comes to on the cluster as it is. @throws E_USAGE, E_SLURM_… */
export async function chooseLayout(
  wish: Omit<LayoutWish, "gpusPerNode">,
  about: {
    readonly client: SlurmClient;
    readonly place: SlurmPlace;
    readonly command: string;
    readonly signal: AbortSignal;
  },
): Promise<RankLayout> {
  const gpusPerNode = wish.gpus === false ? () => 0 : await chooseGpus(about);
  const layout = layoutOf({ ...wish, gpusPerNode });
  if (typeof layout === "string") throw usageError(about.command, layout);
  return layout;
}

/** Slurm ends a job at a whole minute of its own, and can say so better than we can. */
const lateMs = 120_000;

/** How long a step of the place may last. */
export function stepTimeoutMs({ timeLimitMs }: Pick<SlurmPlace, "timeLimitMs">): number {
  return timeLimitMs + lateMs;
}

/** What is asked of salloc or sbatch. */
export function allocationOf(
  place: SlurmPlace,
  layout: RankLayout,
  name: string,
): AllocationRequest {
  const { partition, account, qos, reservation, nodelist, exclude, timeLimitMs } = place;
  const where = { partition, account, qos, reservation, nodelist, exclude, timeLimitMs };
  return { name, ...layout, ...where };
}

/**
 * Waits for nodes and takes them.
 *
 * @throws what `allocateNodes` does.
 */
export async function openSlurmRanks(
  invocation: Invocation,
  about: {
    readonly place: SlurmPlace;
    readonly name: string;
    /** Decided once the cluster is known. */
    readonly layout: (client: SlurmClient) => Promise<RankLayout>;
  },
): Promise<SlurmRanks & { readonly layout: RankLayout }> {
  const { clock, globals, io, signal } = invocation;
  const { place, name } = about;
  const [{ values }, { allocateNodes, createSrunLauncher }] = await Promise.all([
    invocation.config(),
    import("../../../runtime/ranks/slurm/index.ts"),
  ]);
  const { bin, conf } = values.slurm;
  const tools: SlurmTools = { bin, conf, env: io.env, clock };
  const client = await openSlurm(invocation);
  const layout = await about.layout(client);
  const release = await client.release({ signal });
  const user = ownUser();
  const warn = (problem: string) => writeLine(io.stderr, `Warning: ${redact(problem)}`);
  const allocation = await allocateNodes(allocationOf(place, layout, name), {
    ...{ client, user, tools, signal, pendingMs: place.pendingMs, onProblem: warn },
    onPending: (jobId) => {
      if (!globals.quiet && !globals.json)
        writeLine(io.stderr, `Job ${jobId} waits for its nodes.`);
    },
  });
  const { ranksPerNode, gpus } = layout;
  const { program } = place;
  const nodes = allocation.nodes.map((node) => node.name);
  const { jobId, partition } = allocation;
  return {
    launch: createSrunLauncher({ allocation, ranksPerNode, gpus, program, client, user, tools }),
    facts: { release: release.text, jobId, partition, nodes, ranksPerNode },
    release: () =>
      allocation.release().catch((error: unknown) => warn(formatError(toTesseraError(error)))),
    layout,
  };
}
