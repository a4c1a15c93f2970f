/** How a reliable transport sends again what its link did not take. */
export interface Retransmission {
  /** The wait before the first retransmission; each further one waits twice as long. */
  readonly retransmitUs: number;
  /** Retransmissions before a connection counts as broken. */
  readonly retransmitsMax: number;
  /** How coarse the kernel's timers are; 0: not at all. Long ones are coarser. */
  readonly tickUs: number;
}

/**
 * As in Linux with 250 ticks in a second: 200 ms and a tick at first, doubled each time, given up after
 * about 100 s.
 */
export const linuxRetransmission: Retransmission = {
  retransmitUs: 204_000,
  retransmitsMax: 9,
  tickUs: 4000,
};

/**
 * The first time at which something gets through that is sent then and again and again; infinite when the
 * connection breaks before.
 *
 * @param chance in [0, 1), asked once for each retransmission
 * @param passes whether the link takes it at a time
 */
export function passesAtUs(
  sentUs: number,
  { retransmitUs, retransmitsMax, tickUs }: Retransmission,
  { chance, passes }: { readonly chance: () => number; passes(atUs: number): boolean },
): number {
  let atUs = sentUs;
  for (let tries = 0; !passes(atUs); tries++) {
    if (tries === retransmitsMax) return Number.POSITIVE_INFINITY;
    const waitUs = retransmitUs * 2 ** tries;
    // Without this a link that flaps in step with the retransmissions would be met down for ever.
    atUs += waitUs + Math.floor(chance() * coarsenessUs(waitUs, tickUs));
  }
  return atUs;
}

const ticksOfLevel = 63;
const coarserByLevel = 8;

/** By how much a timer may be late: that of the level of the kernel's timer wheel in which it lies. */
function coarsenessUs(waitUs: number, tickUs: number): number {
  let levelUs = tickUs;
  while (levelUs > 0 && waitUs > ticksOfLevel * levelUs) levelUs *= coarserByLevel;
  return levelUs;
}
