import { never } from "../network/index.ts";
import type { Channel, Group } from "./crew.ts";
import type { JobContext } from "./job-context.ts";
import { sumUs } from "./link-times.ts";

/** How long exchanges take: worked out once, and each time anew while links are disturbed. */
export class ExchangeTimes {
  readonly #context: JobContext;
  /** How many faults of links are in force; 0: times are those of before. */
  #disturbances = 0;

  constructor(context: JobContext) {
    this.#context = context;
  }

  get isDisturbed(): boolean {
    return this.#disturbances > 0;
  }

  linksChanged(change: 1 | -1): void {
    this.#disturbances += change;
  }

  /** Of one sum; `never`: links that it needs carry nothing. */
  ofGroup(group: Group): number {
    if (!this.isDisturbed && group.cleanUs >= 0) return group.cleanUs;
    const { network, effects } = this.#context;
    const slots = group.crew.slotsOf(group.ranks);
    const { bytes } = group;
    const isDisturbed = this.isDisturbed;
    const us = sumUs(network, slots, { bytes, isDisturbed });
    if (!isDisturbed) group.cleanUs = us;
    else if (us === never) effects.sawBetween(slots, `${nameOf(group)} got nothing through`);
    else if (group.cleanUs >= 0 && us > group.cleanUs) {
      const sentence = `${nameOf(group)} took ${us} us instead of ${group.cleanUs} us`;
      effects.sawBetween(slots, sentence);
    }
    return us;
  }

  /** Of what one rank hands to the next stage or back; `never` as above. */
  ofChannel(channel: Channel): number {
    if (!this.isDisturbed && channel.cleanUs >= 0) return channel.cleanUs;
    const { network, effects } = this.#context;
    const { crew, bytes } = channel;
    const [from, to] = [crew.slotOf(channel.from), crew.slotOf(channel.to)];
    if (from < 0 || to < 0) return never;
    const us = Math.max(1, network.transferUs(from, to, bytes) + network.waitUs(from, to));
    const what = `a transfer from rank ${channel.from} to ${channel.to}`;
    if (!this.isDisturbed) channel.cleanUs = us;
    else if (us === never) effects.sawBetween([from, to], `${what} got nothing through`);
    else if (channel.cleanUs >= 0 && us > channel.cleanUs) {
      const sentence = `${what} took ${us} us instead of ${channel.cleanUs} us`;
      effects.sawBetween([from, to], sentence);
    }
    return us;
  }
}

function nameOf({ axis, ranks, sequence }: Group): string {
  return `exchange ${sequence + 1} of ${ranks.length} ranks (${axis})`;
}
