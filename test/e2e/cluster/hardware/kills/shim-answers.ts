import { join } from "node:path";
import { scopeOf, shimPaths } from "../../../../../src/hardware/objects/index.ts";
import { controlPath, readControl } from "../../../../../src/hardware/shim/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { buildShimStubs, Caller } from "../../../../support/fake-cuda-shim/index.ts";
import { controlFolderOf } from "../support/node-folders.ts";
import { workload } from "./surface.ts";

/** What a new process with the shim of a node gets from CUDA: 0 when nothing is wrong. */
export async function shimAnswers(cluster: Cluster, node: string): Promise<string> {
  const library = join(controlFolderOf(cluster, node), shimPaths.library);
  const stubs = { ...(await buildShimStubs()), library };
  await using caller = new Caller(stubs, { control: blockOf(cluster, node) });
  return await caller.ask("link cudaGetDeviceCount &");
}

/** In words, that the block of a node is armed and has not expired; else nothing. */
export async function armedBlock(
  cluster: Cluster,
  node: string,
  nowMs: number,
): Promise<readonly string[]> {
  const { armed = false, expiresAtMs = 0 } = (await readControl(blockOf(cluster, node))) ?? {};
  const restMs = expiresAtMs - nowMs;
  return armed && restMs > 0 ? [`the control block of ${node} is armed for ${restMs} ms`] : [];
}

function blockOf(cluster: Cluster, node: string): string {
  return controlPath(controlFolderOf(cluster, node), scopeOf(workload));
}
