import type { ClusterNode } from "../clusters/cluster.ts";
import type { RefusalCode } from "./decision.ts";
import type { OpenIncident } from "./open-incident.ts";

/** Decides whether one more node may be closed, and counts those that are. */
export interface CircuitBreaker {
  /** Why a node must stay open; undefined when it may be closed. */
  refusal(node: ClusterNode): { readonly code: RefusalCode; readonly reason: string } | undefined;
  /** Takes note that a node will be closed. */
  close(node: ClusterNode): void;
}

/** For comparing shares of whole numbers. */
const roundingSlack = 1e-9;

/**
 * A breaker for one round of decisions.
 *
 * @param options.closed how many nodes are closed by us already.
 */
export function createCircuitBreaker(options: {
  readonly nodes: readonly ClusterNode[];
  readonly closed: number;
  readonly cordonedShareMax: number;
  readonly openNodesMin: number;
  readonly incident: OpenIncident | undefined;
}): CircuitBreaker {
  const { nodes, cordonedShareMax, openNodesMin, incident } = options;
  const total = nodes.length;
  let closed = options.closed;
  let open = nodes.filter(isInUse).length;
  return {
    refusal: (node) => {
      if (incident !== undefined) {
        const reason = `${incident.nodes} nodes are bad together in ${incident.check}: nothing is closed while that lasts.`;
        return { code: "incident", reason };
      }
      if (closed + 1 > cordonedShareMax * total + roundingSlack) {
        const percent = Number((100 * cordonedShareMax).toPrecision(3));
        const reason = `${closed} of ${total} nodes are closed by us, and more than ${percent} % must not be.`;
        return { code: "share", reason };
      }
      if (isInUse(node) && open - 1 < openNodesMin) {
        const reason = `Only ${open} of ${total} nodes are open, and ${openNodesMin} must stay so.`;
        return { code: "last-nodes", reason };
      }
      return undefined;
    },
    close: (node) => {
      closed++;
      if (isInUse(node)) open--;
    },
  };
}

/** True for a node that users' jobs can run on. */
function isInUse({ cordoned, notFree }: ClusterNode): boolean {
  return !cordoned && !notFree.some(({ code }) => code === "not-ready" || code === "leaving");
}
