import type { Direction } from "../proxy/link-proxy.ts";
import type { NetworkLayout } from "./layout.ts";

/** Rules of one injection, by namespace, in the words of nftables. */
export type Rules = ReadonlyMap<string, string>;

/** The name of an injection's table: what is not a letter or digit is written out. */
export function tableOf(injection: string): string {
  return `tessera_${Buffer.from(injection).toString("hex").slice(0, 40)}`;
}

/**
 * Rules that drop what goes one way between slots. All of it passes the proxy, where each pair has a port:
 * the receiver drops what comes from it, the sender what goes to it.
 *
 * @param share of packets, 1 is all
 */
export function dropRules(
  injection: string,
  directions: readonly Direction[],
  about: {
    readonly layout: NetworkLayout;
    readonly slots: number;
    readonly share: number;
    /** The port of the proxy where `dialler` reaches `listener`. */
    readonly portFor: (dialler: number, listener: number) => number;
  },
): Rules {
  const { layout, slots, share, portFor } = about;
  const table = tableOf(injection);
  const chance = share >= 1 ? "" : `numgen random mod 1000000 < ${Math.round(share * 1e6)} `;
  const byNamespace = new Map<string, string[]>();
  const add = (slot: number, rule: string) => {
    const name = layout.namespaceOf(layout.nodeOf(slot));
    byNamespace.set(name, [...(byNamespace.get(name) ?? []), rule]);
  };
  for (const { from, to } of directions) {
    // The coordinator is no slot: it has no namespace, and dials nobody.
    if (to < slots) {
      add(to, `add rule inet ${table} input tcp sport ${portFor(to, from)} ${chance}counter drop`);
    }
    if (from < slots) {
      add(
        from,
        `add rule inet ${table} output tcp dport ${portFor(from, to)} ${chance}counter drop`,
      );
    }
  }
  const head = [
    `add table inet ${table}`,
    `add chain inet ${table} input { type filter hook input priority 0; }`,
    `add chain inet ${table} output { type filter hook output priority 0; }`,
  ];
  return new Map(
    [...byNamespace].map(([name, rules]) => [name, [...head, ...rules, ""].join("\n")]),
  );
}

/** Packets that the rules of a table have met, from what nftables prints. */
export function packetsIn(listing: string): number {
  return [...listing.matchAll(/counter packets (\d+)/g)].reduce(
    (sum, [, packets]) => sum + Number(packets),
    0,
  );
}

/** Nodes all of whose traffic from outside is among these directions: there the link itself can be slowed. */
export function nodesCovered(
  directions: readonly Direction[],
  { layout, slots }: { readonly layout: NetworkLayout; readonly slots: number },
): readonly number[] {
  const hit = new Set(directions.map(({ from, to }) => `${from} ${to}`));
  const all = Array.from({ length: slots }, (_, slot) => slot);
  return Array.from({ length: layout.nodes }, (_, node) => node).filter((node) =>
    all
      .filter((slot) => layout.nodeOf(slot) === node)
      .every((to) =>
        all
          .filter((from) => layout.nodeOf(from) !== node)
          .every((from) => hit.has(`${from} ${to}`)),
      ),
  );
}
