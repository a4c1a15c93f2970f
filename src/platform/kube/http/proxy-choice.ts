import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy the environment asks for, as curl, Go and kubectl read it: HTTPS_PROXY or HTTP_PROXY by
 * the target's scheme (lower case too), unless NO_PROXY names the target. Loopback is never proxied.
 * Returns the text of the variable; undefined for a direct connection.
 */
export function proxyFromEnvironment(target: URL, env: Environment): string | undefined {
  const name = target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy || isLoopback(target.hostname)) return undefined;
  const exceptions = env["NO_PROXY"] || env["no_proxy"] || "";
  return exceptions.split(",").some((entry) => matches(target, entry.trim())) ? undefined : proxy;
}

/** True for addresses of this machine. */
export function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}

/** One entry of NO_PROXY: `*`, an address, a CIDR block, `host`, `.domain`, any with `:port`. */
function matches(target: URL, entry: string): boolean {
  if (entry === "") return false;
  if (entry === "*") return true;
  const host = bare(target.hostname).toLowerCase();
  if (entry.includes("/")) return inBlock(host, entry);
  const { name, port } = splitPort(entry.toLowerCase());
  if (port !== undefined && port !== portOf(target)) return false;
  if (isIP(name) !== 0) return name === host;
  const domain = name.replace(/^\*?\./, "");
  return name.startsWith(".") || name.startsWith("*.")
    ? host.endsWith(`.${domain}`)
    : host === domain || host.endsWith(`.${domain}`);
}

function inBlock(host: string, block: string): boolean {
  const [network = "", prefix = ""] = block.split("/");
  const family = isIP(host);
  const bits = Number(prefix);
  if (family === 0 || isIP(network) !== family || !/^\d+$/.test(prefix)) return false;
  if (bits > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(network, bits, type);
  return list.check(host, type);
}

function splitPort(entry: string): { name: string; port?: string } {
  if (isIP(entry) === 6) return { name: entry };
  const parts = /^\[?(.+?)\]?:(\d+)$/.exec(entry);
  const [, name, port] = parts ?? [];
  return name !== undefined && port !== undefined ? { name, port } : { name: bare(entry) };
}

function portOf(target: URL): string {
  return target.port || (target.protocol === "https:" ? "443" : "80");
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
