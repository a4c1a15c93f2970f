import type { Fleet } from "../../plan/index.ts";

/** Names and addresses of a run's network, which follow from its prefix. */
export interface NetworkLayout {
  readonly bridge: string;
  /** Of the runner. */
  readonly host: string;
  readonly nodes: number;
  namespaceOf(node: number): string;
  /** The end of a node's link that is outside its namespace. */
  linkOf(node: number): string;
  nodeOf(slot: number): number;
  addressOf(slot: number): string;
  readonly maskBits: number;
}

const firstHostByte = 10;

export function networkLayout(prefix: string, fleet: Fleet): NetworkLayout {
  // A net of its own for each run: two at once do not hear each other.
  const number = Number.parseInt(prefix.slice(-4), 16);
  const net = `10.${64 + ((number >> 8) % 128)}.${number & 0xff}`;
  return {
    bridge: `${prefix}b`,
    host: `${net}.1`,
    nodes: fleet.nodes + fleet.spareNodes,
    namespaceOf: (node) => `${prefix}n${node}`,
    linkOf: (node) => `${prefix}v${node}`,
    nodeOf: (slot) => Math.floor(slot / fleet.devicesPerNode),
    addressOf: (slot) => `${net}.${firstHostByte + slot}`,
    maskBits: 24,
  };
}
