/** One port of a network card, as the kernel describes it. */
export interface HcaPort {
  /** `mlx5_0`. */
  readonly hca: string;
  readonly port: number;
  /** `InfiniBand`, `Ethernet`. */
  readonly linkLayer: string;
  readonly active: boolean;
  /** What the link carries, in Gb/s; undefined when it is not told. */
  readonly rateGbps: number | undefined;
  /** Counters by the names of their files: `port_xmit_data`, `symbol_error`, … */
  readonly counters: Readonly<Record<string, bigint>>;
}

/** Counters that say that a link or a connection has made a mistake. */
export const hcaErrorCounters = [
  "symbol_error",
  "link_downed",
  "port_rcv_errors",
  "out_of_sequence",
  "packet_seq_err",
  "local_ack_timeout_err",
] as const;

/** What is sent is counted in words of four bytes. */
const bytesPerWord = 4n;

/** What changed on one card around a run, over all its active ports. */
export interface HcaMovement {
  readonly hca: string;
  /** Sent; undefined when the counter is missing or went back. */
  readonly sentBytes: number | undefined;
  /** Error counters that grew, and by how much. */
  readonly errors: Readonly<Record<string, number>>;
  /** Error counters that the card does not have or that went back. */
  readonly unread: readonly string[];
}

/** Puts two looks at the cards beside each other. Cards that are in one of them only are left out. */
export function hcaMovements(
  before: readonly HcaPort[],
  after: readonly HcaPort[],
): readonly HcaMovement[] {
  const names = [...new Set(after.map(({ hca }) => hca))];
  return names.flatMap((hca) => {
    const pairs = after
      .filter((port) => port.hca === hca)
      .flatMap((later) => {
        const earlier = before.find((port) => port.hca === hca && port.port === later.port);
        return earlier === undefined ? [] : [{ earlier, later }];
      });
    return pairs.length === 0 ? [] : [movementOf(hca, pairs)];
  });
}

type PortPair = { readonly earlier: HcaPort; readonly later: HcaPort };

function movementOf(hca: string, pairs: readonly PortPair[]): HcaMovement {
  const words = grown(pairs, "port_xmit_data");
  const errors: Record<string, number> = {};
  const unread: string[] = [];
  for (const name of hcaErrorCounters) {
    const growth = grown(pairs, name);
    if (growth === undefined) unread.push(name);
    else if (growth > 0n) errors[name] = Number(growth);
  }
  const sentBytes = words === undefined ? undefined : Number(words * bytesPerWord);
  return { hca, sentBytes, errors, unread };
}

/** How much a counter grew over all ports; undefined when one of them lacks it or went back. */
function grown(pairs: readonly PortPair[], name: string): bigint | undefined {
  let sum = 0n;
  for (const { earlier, later } of pairs) {
    const from = earlier.counters[name];
    const to = later.counters[name];
    if (from === undefined || to === undefined || to < from) return undefined;
    sum += to - from;
  }
  return sum;
}
