import { ClusterError } from "../errors.ts";

/**
 * Addresses between this machine and its clusters: 198.18.0.0/16, a range that is set aside for
 * tests (RFC 2544) and so is on nobody's network. Each cluster takes a /30: the machine has the
 * first address, the cluster the second. The traffic stays on this machine.
 */
export const linkRange = { prefix: "198.18", subnets: 2 ** 14 };

const interfacePrefix = "tessera";

export interface LinkSubnet {
  readonly index: number;
  /** The name carries the index: who gets to make the interface owns the subnet. */
  readonly interfaceName: string;
  readonly hostAddress: string;
  readonly clusterAddress: string;
}

/** The n-th /30 of the range. */
export function linkSubnet(index: number): LinkSubnet {
  if (!Number.isInteger(index) || index < 0 || index >= linkRange.subnets) {
    throw new RangeError(`no subnet ${index}`);
  }
  const address = (host: number) => {
    const offset = index * 4 + host;
    return `${linkRange.prefix}.${offset >> 8}.${offset & 255}`;
  };
  return {
    index,
    interfaceName: `${interfacePrefix}${index}`,
    hostAddress: address(1),
    clusterAddress: address(2),
  };
}

/** The lowest subnets that no interface of this machine uses, in order. */
export function* freeSubnets(used: {
  readonly interfaceNames: readonly string[];
  readonly addresses: readonly string[];
}): Generator<LinkSubnet> {
  const names = new Set(used.interfaceNames);
  const taken = new Set(used.addresses.map(subnetIndexOf));
  for (let index = 0; index < linkRange.subnets; index += 1) {
    const subnet = linkSubnet(index);
    if (!names.has(subnet.interfaceName) && !taken.has(index)) yield subnet;
  }
  throw new ClusterError(`no free subnet is left in ${linkRange.prefix}.0.0/16`);
}

/** Which subnet of the range an address belongs to; undefined for one outside it. */
export function subnetIndexOf(address: string): number | undefined {
  const [a, b, c, d] = address.split(".").map(Number);
  if (`${a}.${b}` !== linkRange.prefix || c === undefined || d === undefined) return undefined;
  return (c * 256 + d) >> 2;
}
