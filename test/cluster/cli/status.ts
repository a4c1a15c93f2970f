import { join } from "node:path";
import { clusterNames } from "../registry/folders.ts";
import { clustersRoot, pathsOf } from "../registry/paths.ts";
import { type ClusterShape, type Liveness, livenessOf, readRecord } from "../registry/record.ts";
import { askSupervisor } from "../supervisor/control-client.ts";
import type { ComponentStatus } from "../supervisor/protocol.ts";
import type { ToolIo } from "./io.ts";

interface ClusterStatus {
  readonly name: string;
  readonly state: Liveness;
  readonly shape?: ClusterShape;
  readonly kubeconfig?: string;
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
    ...(state === "running" ? { kubeconfig: paths.kubeconfig } : {}),
    components: state === "running" ? await componentsOf(paths.controlSocket) : [],
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

function describe({ name, state, shape, kubeconfig, components }: ClusterStatus): string[] {
  const size =
    shape === undefined
      ? ""
      : `: ${shape.nodes} nodes, ${shape.kwok} KWOK nodes${shape.volcano ? ", Volcano" : ""}`;
  const rows = components.map((component) => {
    const health = component.healthy ? "healthy" : component.state;
    const again = component.restarts > 0 ? `, restarted ${component.restarts} times` : "";
    return `  ${component.name.padEnd(22)} ${health}${again}`;
  });
  return [`${name} (${state})${size}`, ...(kubeconfig ? [`  ${kubeconfig}`] : []), ...rows];
}
