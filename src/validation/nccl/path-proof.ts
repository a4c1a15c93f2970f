import type { JsonObject } from "../../platform/store/index.ts";
import { type HcaEvidence, refuseHcas } from "./hca-proof.ts";
import type { NcclConnection } from "./log-line.ts";
import type { NcclLog } from "./log-reader.ts";

/** What the data must have gone through. */
export type LoopbackPath = "ib" | "socket";

/** Whether a run went the way it should, and what that rests on. */
export interface PathProof {
  readonly proved: boolean;
  /** Why not, one sentence each; empty when it is proved. */
  readonly refusals: readonly string[];
  /** What was counted. */
  readonly evidence: JsonObject;
}

export interface PathQuestion {
  readonly path: LoopbackPath;
  readonly worldSize: number;
  readonly log: NcclLog;
  /** The counters of the cards around the run; `ib` cannot be proved without them. */
  readonly hcas?: HcaEvidence;
}

/** Networks that are InfiniBand: NCCL's own and NVIDIA's plug-in of the same. */
const infinibandNetwork = /^IB(?:ext\w*)?$/;
const toldMax = 3;

/**
 * Decides whether all data of a run went through the network cards: every channel of every rank,
 * both ways, is said to use the network and GPUDirect, nothing is said to use another way, and the
 * cards' own counters agree. What the log does not say is not proved.
 */
export function provePath(question: PathQuestion): PathProof {
  const { path, log, hcas } = question;
  const refusals = [...refuseLog(question), ...refusePaths(question)];
  if (log.lines > 0) refusals.push(...refuseGaps(question));
  const evidence: Record<string, JsonObject[string]> = {
    path,
    worldSize: question.worldSize,
    logLines: log.lines,
    ncclVersion: log.version ?? null,
    networks: log.networks,
    channels: log.channels ?? null,
    nvlsChannels: log.nvlsChannels,
    connections: countBy(log.connections.map(({ path: { text } }) => text)),
    warnings: log.warnings,
  };
  if (path === "ib") {
    const found = refuseHcas(hcas, log);
    refusals.push(...found.refusals);
    evidence["hcas"] = found.evidence;
  }
  return { proved: refusals.length === 0, refusals, evidence };
}

function refuseLog({ worldSize, log }: PathQuestion): readonly string[] {
  const refusals: string[] = [];
  if (log.lines === 0) {
    return [
      "there is no log of NCCL (NCCL_DEBUG=INFO with NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH writes it)",
    ];
  }
  if (log.worldSize === undefined) {
    refusals.push("the log does not say how many ranks there were");
  } else if (log.worldSize !== worldSize) {
    refusals.push(`the log is of ${log.worldSize} ranks and the results of ${worldSize}`);
  }
  if (log.channels === undefined) refusals.push("the log does not say how many channels there are");
  if (log.overfull) refusals.push("the log has more connections than can be looked at");
  if (log.nvlsChannels > 0) {
    refusals.push(`${log.nvlsChannels} channels let the NVLink switch add (NVLS)`);
  }
  return refusals;
}

/** What is wrong with the ways that were taken, one sentence for each kind of way. */
function refusePaths({ path, log }: PathQuestion): readonly string[] {
  const wrong = new Map<string, NcclConnection[]>();
  for (const connection of log.connections) {
    const why = wrongWith(connection, path);
    if (why === undefined) continue;
    const others = wrong.get(why) ?? [];
    others.push(connection);
    wrong.set(why, others);
  }
  return [...wrong].map(([why, all]) => {
    const [{ channel, from, to } = { channel: 0, from: 0, to: 0 }] = all;
    const count = all.length === 1 ? "1 connection" : `${all.length} connections`;
    return `${count} ${why}, the first on channel ${channel} from rank ${from} to rank ${to}`;
  });
}

function wrongWith({ path, from, side }: NcclConnection, wanted: LoopbackPath): string | undefined {
  const { transport, network = "", gpuDirect, relay, text } = path;
  if (transport !== "NET") return `via ${text} instead of the network`;
  if (wanted === "socket")
    return network === "Socket" ? undefined : `via ${text} instead of sockets`;
  if (!infinibandNetwork.test(network)) return `via ${text} instead of InfiniBand`;
  // Another GPU that hands the data on does so over NVLink.
  if (relay !== undefined && (side !== "send" || relay !== from)) {
    return `via ${text}, relayed by the GPU of rank ${relay}`;
  }
  return gpuDirect ? undefined : `via ${text} without GPUDirect (GDRDMA)`;
}

/** Ranks and channels of which the log says nothing. */
function refuseGaps({ worldSize, log }: PathQuestion): readonly string[] {
  const channels = log.channels ?? 0;
  // Transports inside of a machine write one line for both ends.
  const seen = new Set(
    log.connections.flatMap(({ channel, from, to, side }) => [
      ...(side === "receive" ? [] : [`${from} sends on ${channel}`]),
      ...(side === "send" ? [] : [`${to} receives on ${channel}`]),
    ]),
  );
  const missing: string[] = [];
  for (let rank = 0; rank < worldSize; rank++) {
    for (let channel = 0; channel < channels; channel++) {
      for (const verb of ["sends", "receives"]) {
        const fact = `${rank} ${verb} on ${channel}`;
        if (!seen.has(fact)) missing.push(`rank ${rank} ${verb} on channel ${channel}`);
      }
    }
  }
  if (missing.length === 0) return [];
  const first = missing.slice(0, toldMax).join("; ");
  const all = worldSize * channels * 2;
  return [`the log does not show how ${missing.length} of ${all} directions went: ${first}`];
}

function countBy(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
