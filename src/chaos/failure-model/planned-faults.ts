import { resolveParams } from "../fault/catalogue/index.ts";
import type { FaultName } from "../fault/fault-names.ts";
import type { Fleet, PlannedFault, Target } from "../plan/index.ts";
import { nodesHit } from "./domains.ts";
import type { DrawnFailures } from "./draw-incidents.ts";
import type { FailureModel } from "./failure-model.ts";
import type { Incident } from "./incident.ts";

export interface PlannedFaultOptions {
  readonly fleet: Fleet;
  /** Faults that are over with a restart last so long. */
  readonly transientUs: number;
}

/**
 * What was drawn as faults of a plan. Each fault is named for its node and its turn there, so that names stay
 * when a node goes. Planned stops are notices; devices that compute wrong are left to the campaign.
 */
export function plannedFaultsOf(
  model: FailureModel,
  { incidents, stragglers, stops }: Omit<DrawnFailures, "defects">,
  options: PlannedFaultOptions,
): readonly PlannedFault[] {
  const turns = new Map<string, number>();
  const idOf = (what: string): string => {
    const turn = (turns.get(what) ?? 0) + 1;
    turns.set(what, turn);
    return `${what}-${turn}`;
  };
  const faults = [
    ...incidents.map((incident) => ofIncident(model, incident, { ...options, idOf })),
    ...stragglers.map(({ atUs, node, slowdown, durationUs }) => ({
      ...planned(idOf(`slow-node${node}`), "straggler", { factor: slowdown }),
      targets: ranksOf(options.fleet, node).map((rank): Target => ({ kind: "rank", rank })),
      trigger: { kind: "time", atUs } as const,
      durationUs,
    })),
    ...stops.map(({ atUs, cause, isPlanned }) => ({
      ...planned(
        idOf(isPlanned ? "planned" : "software"),
        isPlanned ? "preempt" : (model.causes[cause]?.fault ?? "restart_worker"),
      ),
      targets: [{ kind: "rank", rank: 0 }] as const,
      trigger: { kind: "time", atUs } as const,
      durationUs: isPlanned ? options.transientUs : null,
    })),
  ];
  return faults.toSorted((one, other) => one.trigger.atUs - other.trigger.atUs);
}

function ofIncident(
  model: FailureModel,
  incident: Incident,
  { fleet, transientUs, idOf }: PlannedFaultOptions & { readonly idOf: (what: string) => string },
) {
  const { atUs, node, cause, repairUs } = incident;
  const named = model.causes[cause]?.fault ?? "fail_node";
  // What takes more than one node takes the nodes, whatever it was; a cut switch still cuts.
  const fault: FaultName =
    incident.extent === "rack" || incident.extent === "power" ? "fail_node" : named;
  return {
    ...planned(idOf(`node${node}`), fault),
    targets: targetsOf(model, incident, { fleet, fault }),
    trigger: { kind: "time", atUs } as const,
    durationUs: repairUs > 0 ? repairUs : transientUs,
  };
}

function targetsOf(
  model: FailureModel,
  incident: Incident,
  { fleet, fault }: { readonly fleet: Fleet; readonly fault: FaultName },
): readonly Target[] {
  const nodes = nodesHit(model, fleet.nodes + fleet.spareNodes, incident);
  if (fault === "partition") {
    const side = nodes.flatMap((node) => ranksOf(fleet, node));
    return [{ kind: "cut", sides: [side], asymmetric: false }];
  }
  if (fault === "fail_node") return nodes.map((node) => ({ kind: "node", node }));
  const first = incident.node * fleet.devicesPerNode + incident.device;
  // A process that hangs is one process.
  const count = incident.extent === "device" ? incident.devices : 1;
  return Array.from({ length: count }, (_, index) => ({ kind: "rank", rank: first + index }));
}

function ranksOf({ devicesPerNode }: Fleet, node: number): readonly number[] {
  return Array.from({ length: devicesPerNode }, (_, index) => node * devicesPerNode + index);
}

function planned(id: string, fault: FaultName, given: Readonly<Record<string, unknown>> = {}) {
  return { id, fault, params: resolveParams(fault, given) };
}
