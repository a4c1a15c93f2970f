import { exitCodes } from "../../platform/errors/index.ts";
import type { NodeSummary } from "../../platform/kube/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera nodes`: what the cluster is made of. */
export const run: Action = async (invocation) => {
  const { globals, io } = invocation;
  const { context, nodes } = await readNodes(invocation);
  if (globals.json) {
    writeJson(io.stdout, { context, nodes });
    return exitCodes.good;
  }
  const gpus = nodes.reduce((sum, node) => sum + node.gpus, 0);
  const width = Math.max(4, ...nodes.map(({ name }) => name.length));
  if (nodes.length > 0) writeLine(io.stdout, `${"NODE".padEnd(width)}  READY    TAKES PODS  GPUS`);
  for (const { name, ready, schedulable, gpus: own } of nodes) {
    const takes = schedulable ? "yes" : "no";
    writeLine(io.stdout, `${name.padEnd(width)}  ${ready.padEnd(7)}  ${takes.padEnd(10)}  ${own}`);
  }
  const counted = nodes.length === 1 ? "1 node" : `${nodes.length} nodes`;
  writeLine(io.stdout, `${counted}, ${gpus} GPUs in context ${context}.`);
  return exitCodes.good;
};

async function readNodes(
  invocation: Invocation,
): Promise<{ readonly context: string; readonly nodes: readonly NodeSummary[] }> {
  const { clock, io, signal } = invocation;
  const [{ values }, kube, { createRng, randomSeed }] = await Promise.all([
    invocation.config(),
    import("../../platform/kube/index.ts"),
    import("../../platform/rng/index.ts"),
  ]);
  const { kubeconfig, context, namespace } = values.kubernetes;
  const options = { path: kubeconfig, context, namespace, env: io.env, clock };
  const config = await kube.loadKubeConfig(options);
  const random = createRng(values.seed ?? randomSeed()).stream("nodes");
  const client = kube.createKubeClient({ config, clock, random });
  try {
    return { context: config.context, nodes: await kube.listNodes(client, { signal }) };
  } finally {
    client.close();
  }
}
