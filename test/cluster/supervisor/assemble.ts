import type { Clock } from "../../../src/platform/time/clock.ts";
import { apiserverComponent } from "../control-plane/apiserver.ts";
import { type ClusterContext, createContext } from "../control-plane/context.ts";
import { controllerManagerComponent, schedulerComponent } from "../control-plane/controllers.ts";
import { etcdComponent } from "../control-plane/etcd.ts";
import { startKwok, startVolcano } from "../extras/start.ts";
import { startKubelets, startRuntimes } from "../nodes/start.ts";
import { startSlurm } from "../slurm/start.ts";
import type { Fleet } from "./fleet.ts";
import { coverFolders, coverKernelSettings, setUpMasquerading, setUpNetwork } from "./inside.ts";
import type { SupervisorConfig } from "./protocol.ts";

interface AssembleOptions {
  readonly clock: Clock;
  readonly config: SupervisorConfig;
  readonly fleet: Fleet;
  readonly progress: (text: string) => void;
}

/** Sets a cluster up inside its namespaces, part by part; resolves when all of it is ready. */
export async function assemble(options: AssembleOptions): Promise<void> {
  const { config, progress } = options;
  const { kubernetes, slurm } = config.shape;
  await coverFolders();
  await setUpNetwork(config.clusterAddress);
  if (slurm > 0) progress(`starting Slurm with ${slurm} nodes`);
  await Promise.all([
    ...(kubernetes ? [assembleKubernetes(options)] : []),
    ...(slurm > 0 ? [startSlurm(options)] : []),
  ]);
}

async function assembleKubernetes(options: AssembleOptions): Promise<void> {
  const { clock, config, fleet, progress } = options;
  const context = await createContext(config);
  const { kwok, volcano } = config.shape;
  const hasNodes = config.shape.nodes > 0;
  if (hasNodes) {
    await setUpMasquerading();
    await coverKernelSettings();
  }
  progress(`starting the control plane${hasNodes ? " and loading images" : ""}`);
  const [nodes] = await Promise.all([
    startRuntimes(context, fleet),
    startControlPlane(context, fleet),
  ]);
  const parts: [asked: boolean, what: string, start: () => Promise<void>][] = [
    [hasNodes, `${nodes.length} real nodes`, () => startKubelets(context, fleet, nodes)],
    [kwok > 0, `${kwok} KWOK nodes`, () => startKwok(context, fleet, clock)],
    [volcano, "Volcano", () => startVolcano(context, fleet, clock)],
  ];
  const asked = parts.filter(([wanted]) => wanted);
  if (asked.length > 0) progress(`starting ${asked.map(([, what]) => what).join(", ")}`);
  await Promise.all(asked.map(([, , start]) => start()));
}

async function startControlPlane(context: ClusterContext, fleet: Fleet): Promise<void> {
  await fleet.start(etcdComponent(context));
  await fleet.start(apiserverComponent(context));
  const specs = await Promise.all([
    controllerManagerComponent(context),
    schedulerComponent(context),
  ]);
  await Promise.all(specs.map((spec) => fleet.start(spec)));
}
