import type { HcaPort } from "./hca-port.ts";

const lineOf =
  /\/class\/infiniband\/([\w.-]{1,64})\/ports\/(\d{1,3})\/(?:(?:hw_)?counters\/)?(\w{1,64}):(.*)$/;
const portsMax = 256;

/**
 * Ports and counters out of a listing that was saved beside a run, one file of sysfs a line as
 * `grep -r` prints it: `/sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_data:123`. Other
 * lines are passed over.
 */
export function parseHcaListing(text: string): readonly HcaPort[] {
  const ports = new Map<string, { hca: string; port: number; files: Map<string, string> }>();
  for (const line of text.split("\n")) {
    const found = lineOf.exec(line.trim());
    if (found === null) continue;
    const [, hca = "", port = "", name = "", value = ""] = found;
    const key = `${hca}/${port}`;
    const entry = ports.get(key) ?? { hca, port: Number(port), files: new Map() };
    if (ports.size < portsMax || ports.has(key)) ports.set(key, entry);
    entry.files.set(name, value.trim());
  }
  return [...ports.values()].map(({ hca, port, files }) => ({
    hca,
    port,
    linkLayer: files.get("link_layer") ?? "",
    active: /ACTIVE/.test(files.get("state") ?? "ACTIVE"),
    rateGbps: rateOf(files.get("rate")),
    counters: countersOf(files),
  }));
}

function rateOf(text: string | undefined): number | undefined {
  const gbps = Number.parseFloat(text ?? "");
  return Number.isFinite(gbps) ? gbps : undefined;
}

function countersOf(files: ReadonlyMap<string, string>): Readonly<Record<string, bigint>> {
  const counters: Record<string, bigint> = {};
  for (const [name, value] of files) if (/^\d{1,20}$/.test(value)) counters[name] = BigInt(value);
  return counters;
}
