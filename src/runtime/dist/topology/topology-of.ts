import { didYouMean } from "../../../platform/config/index.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import { type NetworkName, networks } from "./networks.ts";
import { systemAliases, systems } from "./systems.ts";
import type { Topology } from "./topology.ts";

const byName = new Map(systems.map((system) => [system.name, system]));

/** The names of the systems, without networks and aliases. */
export const topologyNames: readonly string[] = [...byName.keys()];

/**
 * The system of a name: `gb200-nvl72` (short `nvl72`), `hgx-h100`, …, each alone on its usual network
 * or with another, as in `hgx-h100+xdr`. More devices than one domain holds are a cluster.
 *
 * @throws TesseraError E_TOPOLOGY for a name that is not known, with what was probably meant.
 */
export function topologyOf(name: string): Topology {
  const [base = "", ...joined] = name.trim().toLowerCase().split("+");
  const system = byName.get(systemAliases[base] ?? base);
  if (system === undefined) {
    const known = [...topologyNames, ...Object.keys(systemAliases)];
    throw unknown(name, `there is no system of this name${didYouMean(base, known)}`);
  }
  if (joined.length === 0) return system;
  const network = joined.length === 1 ? joined[0] : undefined;
  if (network === undefined || !isNetwork(network)) {
    const names = Object.keys(networks);
    const meant = network === undefined ? "" : didYouMean(network, names);
    throw unknown(name, `a system is joined with one network, ${names.join(" or ")}${meant}`);
  }
  if (network === system.network?.name) return system;
  return { ...system, name: `${system.name}+${network}`, network: networks[network] };
}

function isNetwork(name: string): name is NetworkName {
  return Object.hasOwn(networks, name);
}

function unknown(topology: string, problem: string): TesseraError {
  return new TesseraError("E_TOPOLOGY", { topology, problem: `${problem}.` });
}
