import { join } from "node:path";
import { clusterNames } from "../registry/folders.ts";
import { type ClusterPaths, clustersRoot, pathsOf } from "../registry/paths.ts";
import { type ClusterShape, type Liveness, livenessOf, readRecord } from "../registry/record.ts";
import { slurmPathsOf } from "../slurm/paths.ts";
import { askSupervisor } from "../supervisor/control-client.ts";
import type { ComponentStatus } from "../supervisor/protocol.ts";
import type { ToolIo } from "./io.ts";

interface ClusterStatus {
  readonly name: string;
  readonly state: Liveness;
  readonly shape?: ClusterShape;
  readonly kubeconfig?: string;
  readonly slurmConf?: string;
  readonly components: readonly ComponentStatus[];
}

/** Lists the clusters of this machine with their components. */
export async function status(io: ToolIo): Promise<void> {
  const clusters = await Promise.all(clusterNames().map(statusOf));
  const lines = clusters.length === 0 ? ["no clusters"] : clusters.flatMap(describe);
  io.result({ clusters }, lines);
}

async function statusOf(name: string): Promise<ClusterStatus> {
  const paths = pathsOf(join(clustersRoot, name));
  const record = readRecord(paths);
  const state = livenessOf(record);
  return {
    name,
    state,
    ...(record === undefined ? {} : { shape: record.shape }),
    ...(state === "running" && record !== undefined ? waysIn(record.shape, paths) : {}),
    components: state === "running" ? await componentsOf(paths.controlSocket) : [],
  };
}

function waysIn(
  shape: ClusterShape,
  paths: ClusterPaths,
): Pick<ClusterStatus, "kubeconfig" | "slurmConf"> {
  return {
    ...(shape.kubernetes ? { kubeconfig: paths.kubeconfig } : {}),
    ...(shape.slurm > 0 ? { slurmConf: slurmPathsOf(paths.folder).conf } : {}),
  };
}

// A supervisor that does not answer is a fact to report, not a reason to stop.
async function componentsOf(socket: string): Promise<readonly ComponentStatus[]> {
  try {
    return (await askSupervisor(socket, { op: "status" })).components ?? [];
  } catch {
    return [];
  }
}

function describe(cluster: ClusterStatus): string[] {
  const { name, state, shape, kubeconfig, slurmConf, components } = cluster;
  const size = shape === undefined ? "" : `: ${sizeOf(shape)}`;
  const rows = components.map((component) => {
    const health = component.healthy ? "healthy" : component.state;
    const again = component.restarts > 0 ? `, restarted ${component.restarts} times` : "";
    return `  ${component.name.padEnd(22)} ${health}${again}`;
  });
  const files = [kubeconfig, slurmConf].flatMap((file) =>
    file === undefined ? [] : [`  ${file}`],
  );
  return [`${name} (${state})${size}`, ...files, ...rows];
}

function sizeOf(shape: ClusterShape): string {
  const kubernetes = `${shape.nodes} nodes, ${shape.kwok} KWOK nodes`;
  return [
    ...(shape.kubernetes ? [kubernetes] : []),
    ...(shape.volcano ? ["Volcano"] : []),
    ...(shape.slurm > 0 ? [`${shape.slurm} Slurm nodes`] : []),
    ...(shape.slurmAccounting ? ["Slurm accounting"] : []),
  ].join(", ");
}
