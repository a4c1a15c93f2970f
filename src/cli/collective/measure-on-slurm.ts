import { rankValues } from "../../runtime/ranks/index.ts";
import type { CollectiveMeasurement } from "../../runtime/ranks/tasks/collective.ts";
import { chooseLayout, openSlurmRanks, stepTimeoutMs } from "../agent/slurm/open-slurm-ranks.ts";
import type { SlurmPlace } from "../agent/slurm/place.ts";
import type { Invocation } from "../invocation.ts";
import { inputOf, type Measured, type OnSize, onReportOf, silenceMs } from "./measure.ts";
import type { MeasuredRequest } from "./measured-request.ts";
import { collectiveUsage } from "./usage.ts";

/** The layout that a request wishes for. */
function wishOf(place: SlurmPlace, { ranks, transport }: MeasuredRequest) {
  const gpus = transport === "auto" ? undefined : transport === "nccl";
  return { nodes: place.nodes, ranksPerNode: place.ranksPerNode, ranks, gpus };
}

/**
 * Takes nodes of the Slurm cluster of the configuration, and measures between ranks on them.
 *
 * @throws E_RANK_LOST, E_SLURM_JOB and their like; E_USAGE when the ranks cannot be laid out.
 */
export async function measureOnSlurm(
  invocation: Invocation,
  about: {
    readonly place: SlurmPlace;
    readonly request: MeasuredRequest;
    readonly onSize: OnSize;
  },
): Promise<Measured> {
  const { place, request, onSize } = about;
  const { signal } = invocation;
  const { launch, facts, layout, release } = await openSlurmRanks(invocation, {
    place,
    name: `tessera-${request.op}`,
    layout: (client) =>
      chooseLayout(wishOf(place, request), { client, place, command: "collective", signal }),
  });
  try {
    const ranks = layout.nodes * layout.ranksPerNode;
    if (request.lose !== undefined && request.lose >= ranks) {
      throw collectiveUsage(`--lose names a rank from 0 to ${ranks - 1}, not ${request.lose}.`);
    }
    const transport = layout.gpus ? "nccl" : "tcp";
    const outcomes = await launch({
      task: "collective",
      worldSize: ranks,
      input: inputOf(request, transport),
      signal,
      timeoutMs: stepTimeoutMs(place),
      silenceMs,
      onReport: onReportOf(onSize),
    });
    const [first] = rankValues(outcomes);
    // All ranks run this very program, and hand in the same sizes.
    const measured = first as CollectiveMeasurement;
    return {
      ...measured,
      facts: { ...measured.facts, slurm: facts },
      ranks,
      transport,
      nodes: layout.nodes,
    };
  } finally {
    await release();
  }
}
