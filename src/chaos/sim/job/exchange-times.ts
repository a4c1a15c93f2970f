import { never } from "../network/index.ts";
import type { Channel, Group } from "./crew.ts";
import type { JobContext } from "./job-context.ts";
import { type Link, shutLinks, sumUs } from "./link-times.ts";

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

  /** Links of a sum that take nothing at this moment. */
  shutOfGroup(group: Group): readonly Link[] {
    const shut = shutLinks(this.#context.network, group.crew.slotsOf(group.ranks));
    this.#sawShut(shut, nameOf(group));
    return shut;
  }

  /** The same of what one rank hands to another. */
  shutOfChannel(channel: Channel): readonly Link[] {
    const { crew } = channel;
    const [from, to] = [crew.slotOf(channel.from), crew.slotOf(channel.to)];
    if (from < 0 || to < 0 || this.#context.network.stateOf(from, to).isOpen) return [];
    const shut = [{ from, to }];
    this.#sawShut(shut, nameOfTransfer(channel));
    return shut;
  }

  #sawShut(shut: readonly Link[], what: string): void {
    const { effects } = this.#context;
    for (const { from, to } of shut) effects.sawBetween([from, to], `${what} found a link down`);
  }

  /** Of one sum; `never`: links that it needs are cut. */
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
    const us = Math.max(1, network.transferUs(from, to, bytes));
    const what = nameOfTransfer(channel);
    if (!this.isDisturbed) channel.cleanUs = us;
    else if (us === never) effects.sawBetween([from, to], `${what} got nothing through`);
    else if (channel.cleanUs >= 0 && us > channel.cleanUs) {
      const sentence = `${what} took ${us} us instead of ${channel.cleanUs} us`;
      effects.sawBetween([from, to], sentence);
    }
    return us;
  }
}

function nameOfTransfer({ from, to }: Channel): string {
  return `a transfer from rank ${from} to ${to}`;
}

function nameOf({ axis, ranks, sequence }: Group): string {
  return `exchange ${sequence + 1} of ${ranks.length} ranks (${axis})`;
}
