import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HcaPort } from "./hca-port.ts";

/** Ports that are looked at; the largest nodes have a few dozen. */
const portsMax = 256;
const countersMax = 256;

/**
 * The ports of all network cards that speak InfiniBand or RoCE, with their counters. None when there
 * are none, or when the kernel does not show them.
 *
 * @param options.sysfs where the host's sysfs is mounted. @default "/sys"
 */
export async function readHcaPorts(
  options: { readonly sysfs?: string } = {},
): Promise<readonly HcaPort[]> {
  const root = join(options.sysfs ?? "/sys", "class", "infiniband");
  const ports: HcaPort[] = [];
  for (const hca of await namesIn(root)) {
    for (const port of await namesIn(join(root, hca, "ports"))) {
      if (!/^\d+$/.test(port) || ports.length >= portsMax) continue;
      ports.push(await readPort(join(root, hca, "ports", port), { hca, port: Number(port) }));
    }
  }
  return ports;
}

async function readPort(
  folder: string,
  id: { readonly hca: string; readonly port: number },
): Promise<HcaPort> {
  const [state = "", rate = "", linkLayer = ""] = await Promise.all(
    ["state", "rate", "link_layer"].map((name) => textOf(join(folder, name))),
  );
  const gbps = Number.parseFloat(rate);
  const counters = {
    ...(await readCounters(join(folder, "counters"))),
    ...(await readCounters(join(folder, "hw_counters"))),
  };
  return {
    ...id,
    linkLayer,
    active: /ACTIVE/.test(state),
    rateGbps: Number.isFinite(gbps) ? gbps : undefined,
    counters,
  };
}

async function readCounters(folder: string): Promise<Readonly<Record<string, bigint>>> {
  const names = (await namesIn(folder)).slice(0, countersMax);
  const texts = await Promise.all(names.map((name) => textOf(join(folder, name))));
  const counters: Record<string, bigint> = {};
  for (const [index, name] of names.entries()) {
    const text = texts[index] ?? "";
    if (/^\d{1,20}$/.test(text)) counters[name] = BigInt(text);
  }
  return counters;
}

/** What is missing or unreadable is empty: the proof then says which counter it lacks. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.toSorted((a, b) => (a < b ? -1 : 1));
}

async function textOf(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.trim();
}
