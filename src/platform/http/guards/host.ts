import { BlockList, isIP, isIPv6 } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** True for addresses only this machine can reach: localhost, 127.0.0.0/8 and ::1. */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host.toLowerCase());
  if (name === "localhost") return true;
  const family = isIP(name);
  return family !== 0 && loopback.check(name, family === 4 ? "ipv4" : "ipv6");
}

/** A host as it stands in a URL: IPv6 addresses get brackets. */
export function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** The name in a Host header, without port and brackets; undefined when it is not one. */
export function hostnameOf(hostHeader: string | undefined): string | undefined {
  const match = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.exec(hostHeader ?? "");
  return match?.[1] === undefined ? undefined : withoutBrackets(match[1].toLowerCase());
}

/**
 * The names a server may be called by. A page of another site can make its own name point at
 * 127.0.0.1 (DNS rebinding) and would then count as the same origin; it cannot choose these names.
 */
export function loopbackNames(listenHost: string): readonly string[] {
  const configured = withoutBrackets(listenHost.toLowerCase());
  return [...new Set(["localhost", "127.0.0.1", "::1", configured])];
}

function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}
