import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { createTool } from "../tools.ts";

/** Why this machine cannot give nodes network namespaces, in a sentence; undefined when it can. */
export async function whyNoNamespaces({
  clock,
}: {
  readonly clock: Clock;
}): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "only root may make network namespaces";
  const tool = createTool(clock);
  try {
    await tool(["unshare", "--net", "ip", "link", "set", "lo", "up"]);
    await tool(["unshare", "--net", "nft", "-f", "-"], { input: trialRules });
    await tool(["ip", "netns", "list"]);
    return undefined;
  } catch (error) {
    return `a network namespace cannot be made or broken: ${messageOf(error)}`;
  }
}

const trialRules = `
add table inet tessera_trial
add chain inet tessera_trial input { type filter hook input priority 0; }
add rule inet tessera_trial input numgen random mod 100 < 5 counter drop
`;
