import type { Finding, Probe, ProbeContext } from "../../platform/doctor/finding.ts";
import {
  askTool,
  findProgram,
  problemOf,
  succeeded,
  type ToolAnswer,
  type ToolOptions,
} from "../../platform/doctor/program.ts";

/** Ways into a namespace of one's own: as root, or through a user namespace. */
const ways = [
  { name: "root", flags: ["--net"] },
  { name: "user namespace", flags: ["--user", "--map-root-user", "--net"] },
] as const;

// A table, a chain and a rule that drops by chance: what faults on the network are made of.
const nftRules = `
add table inet tessera_doctor
add chain inet tessera_doctor input { type filter hook input priority 0; }
add rule inet tessera_doctor input numgen random mod 100 < 5 drop
`;

/** Whether networks can be broken on this machine: really does it, in a throw-away namespace. */
export function networkProbe(): Probe {
  return {
    id: "network-namespaces",
    title: "Network namespaces",
    required: false,
    neededFor: "cutting and slowing networks between worker processes of this machine",
    find: findNetwork,
  };
}

async function findNetwork(context: ProbeContext): Promise<Finding> {
  const unshare = await findProgram("unshare", context.env);
  if (unshare === undefined) {
    return {
      state: "missing",
      reason: "No unshare was found.",
      hint: "Install util-linux (on Linux; other systems have no network namespaces).",
    };
  }
  const entered = await enter(unshare, context);
  if (entered.way === undefined) {
    return {
      state: "missing",
      reason: `A network namespace cannot be made: ${entered.problem}.`,
      hint: "Run as root, or in a container with CAP_SYS_ADMIN, or allow user namespaces.",
    };
  }
  const { way } = entered;
  const inside: Inside = (command, options) =>
    askTool([unshare, ...way.flags, ...command], context, options);
  return conclude(way.name, await tryTools(inside, context));
}

type Way = (typeof ways)[number];

async function enter(
  unshare: string,
  context: ProbeContext,
): Promise<{ way: Way } | { way: undefined; problem: string }> {
  const problems: string[] = [];
  for (const way of ways) {
    const answer = await askTool([unshare, ...way.flags, "true"], context);
    if (succeeded(answer)) return { way };
    problems.push(problemOf(answer));
  }
  return { way: undefined, problem: problems.join("; ") };
}

/** Runs a command inside a namespace that ends with it. */
type Inside = (command: readonly string[], options?: ToolOptions) => Promise<ToolAnswer>;

/** What each tool is for, and why it does not work; null when it does. */
interface Tools {
  readonly ip: string | null;
  readonly nft: string | null;
  readonly tbf: string | null;
  readonly netem: string | null;
}

async function tryTools(inside: Inside, context: ProbeContext): Promise<Tools> {
  const attempt = async (name: string, args: readonly string[], input?: string) => {
    const path = await findProgram(name, context.env);
    if (path === undefined) return `no ${name} was found`;
    const answer = await inside([path, ...args], input === undefined ? {} : { input });
    return succeeded(answer) ? null : problemOf(answer);
  };
  const qdisc = (...kind: string[]) => ["qdisc", "add", "dev", "lo", "root", ...kind];
  const tbf = ["tbf", "rate", "1mbit", "burst", "32kbit", "latency", "50ms"];
  return {
    ip: await attempt("ip", ["link", "set", "lo", "up"]),
    nft: await attempt("nft", ["-f", "-"], nftRules),
    tbf: await attempt("tc", qdisc(...tbf)),
    netem: await attempt("tc", qdisc("netem", "delay", "1ms")),
  };
}

function conclude(way: string, tools: Tools): Finding {
  const evidence = { way, problems: tools };
  const needed = [
    tools.ip === null ? undefined : `ip (${tools.ip})`,
    tools.nft === null ? undefined : `nftables (${tools.nft})`,
    tools.tbf === null ? undefined : `tc tbf (${tools.tbf})`,
  ].filter((problem) => problem !== undefined);
  const through = way === "root" ? "" : " through a user namespace";
  if (needed.length > 0) {
    return {
      state: "limited",
      reason: `Network namespaces work${through}, but not inside them: ${needed.join(", ")}.`,
      hint: "Install iproute2 and nftables, and a kernel with nf_tables and sch_tbf.",
      evidence,
    };
  }
  if (tools.netem !== null) {
    return {
      state: "limited",
      reason: `Network namespaces work${through} with nftables and tbf; netem does not (${tools.netem}).`,
      hint: "Cuts, loss and bandwidth caps are real; latency and jitter go through a proxy. A kernel with sch_netem lifts this.",
      evidence,
    };
  }
  const reason = `Network namespaces work${through}, with nftables, tbf and netem.`;
  return { state: "works", reason, evidence };
}
