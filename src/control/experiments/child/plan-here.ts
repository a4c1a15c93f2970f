import { type Experiment, resolveExperiment } from "../../../chaos/experiment/index.ts";
import { hardwareFaults } from "../../../chaos/fault/index.ts";
import type { ExperimentPlanView } from "../../api/experiments.ts";
import { outsideRefusals } from "../outside-refusals.ts";
import { planView } from "../plan-view.ts";
import { readExperiment } from "../read-experiment.ts";
import { type ExperimentWorld, notAllowed } from "../settings.ts";
import type { ChildTools } from "./carry-out-order.ts";
import type { ChildLine, ChildOrder } from "./orders.ts";

type PlanOrder = Extract<ChildOrder, { kind: "plan" }>;

type Planned = Omit<Extract<ChildLine, { line: "plan" }>, "line">;

/**
 * What a request would do, with all that speaks against it. A cluster is asked only where it may be, and the
 * fault API only where it may be too: it knows this server, and not who asks.
 *
 * @throws E_EXPERIMENT, E_PLAN, E_FAULT_INVALID for what is no plan in any world; E_WORLD when the cluster
 *   that it is about cannot be asked, or refuses
 */
export async function planHere(order: PlanOrder, tools: ChildTools): Promise<Planned> {
  const { allowed, seed } = order;
  const experiment = readExperiment(order.text);
  const world = order.world ?? experiment.world ?? "sim";
  const closed = [
    ...(allowed.worlds.includes(world) ? [] : [notAllowed(world)]),
    ...outsideRefusals(experiment, allowed),
  ];
  const isCluster = world === "kubernetes" || world === "slurm";
  // Whom it would hit only the cluster knows, and that is not asked.
  if (isCluster && closed.length > 0) {
    return { plan: nobodyAsked(experiment, { world, seed, closed }) };
  }
  const { workload } = experiment;
  const plan = resolveExperiment(experiment, {
    ...(seed === undefined ? {} : { seed }),
    ...(isCluster ? await tools.known(workload) : {}),
  });
  const own = (await tools.openWorld(world)).refusals(plan);
  const refusals = [...closed, ...own];
  const view = planView(plan, { world, refusals });
  if (!isCluster || refusals.length > 0) return { plan: view };
  const hardwareIn = hardwareNamespace(experiment);
  if (hardwareIn === undefined || allowed.hardware) await tools.rehearse(world, plan);
  return { plan: view, ...(hardwareIn === undefined ? {} : { hardwareIn }) };
}

/** As the text says, and not as chance has it this time. */
function hardwareNamespace({ workload, faults = [] }: Experiment): string | undefined {
  const isHardware = faults.some(({ fault }) => hardwareFaults.has(fault));
  return isHardware && workload.kind === "pods" ? workload.namespace : undefined;
}

function nobodyAsked(
  experiment: Pick<Experiment, "title" | "seed">,
  about: {
    readonly world: ExperimentWorld;
    readonly seed: string | undefined;
    readonly closed: readonly string[];
  },
): ExperimentPlanView {
  const { world, closed } = about;
  const seed = about.seed ?? String(experiment.seed ?? "0");
  return { title: experiment.title, world, seed, faults: [], claims: [], refusals: [...closed] };
}
