import type { Network, Sourced, Topology } from "../../dist/topology/index.ts";
import type { Knob } from "./types.ts";

const without: Sourced = { value: 0, source: "taken away for comparison" };
/** So fast that no byte takes time. */
const boundless: Sourced = { value: 1e12, source: "taken away for comparison" };
/** The names of weights of a machine's own measurements that do not grow with bytes. */
const ownLatency: ReadonlySet<string> = new Set(["launchUs", "hopUs"]);

/** The causes that are properties of the system. */
export const topologyKnobs = ["latency", "link-bandwidth", "network-bandwidth"] as const;

/** The same system without some of its costs. The time model then finds the best algorithm again. */
export function counterfactual(topology: Topology, taken: ReadonlySet<Knob>): Topology {
  const latency = taken.has("latency");
  const links = taken.has("link-bandwidth");
  const nics = taken.has("network-bandwidth");
  if (!latency && !links && !nics) return topology;
  const { fabric, network, measured } = topology;
  return {
    ...topology,
    fabric: {
      ...fabric,
      ...(links ? { linkGBps: boundless } : {}),
      calibration: {
        ...fabric.calibration,
        ...(latency ? { latencyScale: without } : {}),
        ...(links ? { transferScale: without } : {}),
      },
    },
    ...(network === undefined ? {} : { network: networkWithout(network, { latency, nics }) }),
    ...(measured === undefined ? {} : { measured: ownWithout(measured, { latency, links }) }),
  };
}

function networkWithout(
  network: Network,
  { latency, nics }: { readonly latency: boolean; readonly nics: boolean },
): Network {
  return {
    ...network,
    ...(nics ? { nicGBps: boundless } : {}),
    ...(latency
      ? { baseUs: without, innerHopUs: without, hopUs: without, exchangeUs: without }
      : {}),
  };
}

function ownWithout(
  measured: NonNullable<Topology["measured"]>,
  { latency, links }: { readonly latency: boolean; readonly links: boolean },
): NonNullable<Topology["measured"]> {
  const kept = (name: string) => (ownLatency.has(name) ? !latency : !links);
  return Object.fromEntries(
    Object.entries(measured).map(([op, fit]) => {
      const weights = Object.entries(fit.weights).filter(([name]) => kept(name));
      return [op, { ...fit, weights: Object.fromEntries(weights) }];
    }),
  );
}
