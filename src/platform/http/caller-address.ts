import { BlockList, isIP } from "node:net";

export interface Peer {
  /** The other end of the connection. */
  readonly address: string | undefined;
  /** The header `X-Forwarded-For`: each proxy adds on the right whom it was called by. */
  readonly forwardedFor: string | undefined;
}

/**
 * Says where requests come from. Only what a trusted proxy says of its caller counts; what stands left of the
 * first address that is none of them anybody may have written.
 *
 * @param trustedProxies ranges of addresses: `10.0.0.0/8`, `fd00::/8`
 */
export function createCallerAddress(trustedProxies: readonly string[]): (peer: Peer) => string {
  const trusted = rangesOf(trustedProxies);
  const isTrusted = (address: string) => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 4 ? "ipv4" : "ipv6");
  };
  return ({ address, forwardedFor = "" }) => {
    let caller = plainAddress(address ?? "unknown");
    const hops = trustedProxies.length === 0 ? [] : forwardedFor.split(",");
    for (const hop of hops.toReversed()) {
      const before = plainAddress(withoutPort(hop.trim()));
      if (!isTrusted(caller) || isIP(before) === 0) break;
      caller = before;
    }
    return caller;
  };
}

/** By what an address is counted: whoever has one of IPv6 usually has the other 2^64 of its network too. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [left = "", right] = address.split("::");
  const front = left === "" ? [] : left.split(":");
  const back = right === undefined || right === "" ? [] : right.split(":");
  const middle = right === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array.from({ length: middle }, () => "0"), ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits = ""] = range.split("/");
    list.addSubnet(network, Number(bits), isIP(network) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/** Without the zone of a link, and an address of IPv4 as such: a socket that hears both writes it as IPv6. */
function plainAddress(address: string): string {
  const [plain = ""] = address.split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  return mapped ?? plain;
}

function withoutPort(hop: string): string {
  return /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
}
