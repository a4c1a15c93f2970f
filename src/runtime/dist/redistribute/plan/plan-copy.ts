import type { LinkBytes, LinkSummary, RedistributeStep } from "./plan-types.ts";
import { type CopyQuestion, type Transfer, transfersOf } from "./transfers.ts";

const busiestMax = 8;

/** The step that copies a tensor to another mesh. */
export function planCopy(question: CopyQuestion, elementBytes: number): RedistributeStep {
  const { from, to } = question;
  const received = new Map<number, number>();
  const sent = new Map<number, number>();
  const busiest: LinkBytes[] = [];
  let pairs = 0;
  let bytesInPlace = 0;
  for (const transfer of transfersOf(question)) {
    const bytes = transfer.elements * elementBytes;
    if (transfer.inPlace) {
      bytesInPlace += bytes;
      continue;
    }
    pairs += 1;
    add(received, transfer.toRank, bytes);
    add(sent, transfer.fromRank, bytes);
    keepBusiest(busiest, linkOf(question, transfer, bytes));
  }
  const links: LinkSummary = { pairs, bytesInPlace, mostSent: mostOf(sent), busiest };
  let totalBytes = 0;
  for (const bytes of received.values()) totalBytes += bytes;
  const bytesPerRank = mostOf(received);
  return { kind: "copy", from, to, meshAxes: [], bytesPerRank, totalBytes, links };
}

function linkOf({ from, to }: CopyQuestion, transfer: Transfer, bytes: number): LinkBytes {
  const { fromRank, toRank } = transfer;
  return { from: from.mesh.deviceOf(fromRank), to: to.mesh.deviceOf(toRank), bytes };
}

/** Keeps the list short and sorted, the largest first. */
function keepBusiest(busiest: LinkBytes[], link: LinkBytes): void {
  const last = busiest.at(-1);
  if (busiest.length === busiestMax && last !== undefined && last.bytes >= link.bytes) return;
  const at = busiest.findIndex(({ bytes }) => bytes < link.bytes);
  busiest.splice(at < 0 ? busiest.length : at, 0, link);
  busiest.length = Math.min(busiest.length, busiestMax);
}

function add(sums: Map<number, number>, rank: number, bytes: number): void {
  sums.set(rank, (sums.get(rank) ?? 0) + bytes);
}

function mostOf(sums: ReadonlyMap<number, number>): number {
  let most = 0;
  for (const bytes of sums.values()) most = Math.max(most, bytes);
  return most;
}
