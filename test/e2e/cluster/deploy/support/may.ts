import type { Cluster } from "../../../../cluster/fixture.ts";
import { namespace } from "./release.ts";

/** Asks the API server whether somebody may do something: `yes` or `no`. */
export async function askMay(
  cluster: Cluster,
  user: string,
  what: { readonly verb: string; readonly resource: string; readonly in?: string },
): Promise<string> {
  const args = ["auth", "can-i", what.verb, what.resource, `--as=${user}`];
  // It ends with 1 where the answer is no.
  const answer = cluster.kubectl(["-n", what.in ?? namespace, ...args]).catch(() => "no");
  return (await answer).trim();
}
