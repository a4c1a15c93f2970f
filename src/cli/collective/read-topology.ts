import { resolve } from "node:path";
import { readTextFile } from "../../platform/files/index.ts";
import { parseTopology, type Topology, topologyOf } from "../../runtime/dist/topology/index.ts";

const fileBytesMax = 2 ** 20;

/** The system of a name, or of a YAML file. @throws E_TOPOLOGY, E_FILE_READ */
export async function readTopology(given: string, cwd: string): Promise<Topology> {
  const isFile = /[/\\]|\.ya?ml$/i.test(given);
  if (!isFile) return topologyOf(given);
  const content = await readTextFile(resolve(cwd, given), { sizeBytesMax: fileBytesMax });
  return parseTopology(content, given);
}
