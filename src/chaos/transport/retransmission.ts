/** How a reliable transport sends again what its link did not take. */
export interface Retransmission {
  /** The wait before the first retransmission; each further one waits twice as long. */
  readonly retransmitUs: number;
  /** Retransmissions before a connection counts as broken. */
  readonly retransmitsMax: number;
  /** How coarse the kernel's timers are; 0: not at all. Long ones are coarser. */
  readonly tickUs: number;
}

/** One time at which something is sent. */
export interface Try {
  readonly atUs: number;
  /** Tries in vain before it. */
  readonly before: number;
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
 * The first try after one in vain that is not before a time; null when the connection breaks first. Whether a
 * link takes it is known only when its time has come: what was wrong with the link may be over by then.
 *
 * @param chance in [0, 1), asked once for each try
 */
export function nextTry(
  tried: Try,
  fromUs: number,
  { retransmitUs, retransmitsMax, tickUs }: Retransmission,
  chance: () => number,
): Try | null {
  let { atUs, before } = tried;
  do {
    if (before === retransmitsMax) return null;
    const waitUs = retransmitUs * 2 ** before;
    // Without this a link that flaps in step with the retransmissions would be met down for ever.
    atUs += waitUs + Math.floor(chance() * coarsenessUs(waitUs, tickUs));
    before++;
  } while (atUs < fromUs);
  return { atUs, before };
}

/**
 * How long something waits at most that meets a link which takes nothing for so long, and everything after
 * that; infinite when the connection may break before.
 */
export function longestWaitUs(shutUs: number, retransmission: Retransmission): number {
  const { retransmitUs, retransmitsMax, tickUs } = retransmission;
  if (shutUs <= 0) return 0;
  let earliestUs = 0;
  let latestUs = 0;
  for (let before = 0; earliestUs < shutUs; before++) {
    if (before === retransmitsMax) return Number.POSITIVE_INFINITY;
    const waitUs = retransmitUs * 2 ** before;
    earliestUs += waitUs;
    latestUs += waitUs + coarsenessUs(waitUs, tickUs);
  }
  return latestUs;
}

const ticksOfLevel = 63;
const coarserByLevel = 8;

/** By how much a timer may be late: that of the level of the kernel's timer wheel in which it lies. */
function coarsenessUs(waitUs: number, tickUs: number): number {
  let levelUs = tickUs;
  while (levelUs > 0 && waitUs > ticksOfLevel * levelUs) levelUs *= coarserByLevel;
  return levelUs;
}
