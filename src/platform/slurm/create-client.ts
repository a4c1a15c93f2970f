import { createActions } from "./actions.ts";
import type { SlurmCallOptions, SlurmClient, SlurmClientOptions } from "./client.ts";
import { createHistory } from "./history/history.ts";
import { createJobList } from "./job-list.ts";
import { Listing, nodeSources } from "./listing.ts";
import { parseRelease } from "./release.ts";
import { FieldProblem, understood } from "./shape-error.ts";
import { partitionsOfText } from "./text/partitions.ts";
import { qosArgs, qosOfSacctmgr } from "./text/qos.ts";
import { reservationsOfText } from "./text/reservations.ts";
import { settingsOfText } from "./text/settings.ts";
import { createTools, type SlurmTools } from "./tools/tools.ts";
import type { SlurmRelease } from "./words.ts";

/** A Slurm cluster through its own command-line tools. Starts nothing until it is asked something. */
export function createSlurmClient(options: SlurmClientOptions): SlurmClient {
  const tools = createTools(options);
  const release = rememberedRelease(tools);
  const nodes = new Listing(tools, nodeSources);
  const jobs = createJobList(tools);
  const show = async <T>(
    what: string,
    parse: (printed: string) => T,
    call: SlurmCallOptions | undefined,
  ): Promise<T> => {
    const args = ["--all", "show", what];
    const { text } = await release(call);
    const printed = await tools.run("scontrol", args, call);
    const origin = { tool: `scontrol show ${what}`, release: text };
    return understood(origin, () => parse(printed));
  };
  const reservations: SlurmClient["reservations"] = (call) =>
    show("reservations", reservationsOfText, call);
  const settings: SlurmClient["settings"] = (call) => show("config", settingsOfText, call);
  return {
    release,
    nodes: async (call) => nodes.list(await release(call), call),
    jobs: async (call) => jobs(await release(call), call),
    partitions: (call) => show("partitions", partitionsOfText, call),
    qos: async (call) => {
      const origin = { tool: "sacctmgr show qos", release: (await release(call)).text };
      const printed = await tools.run("sacctmgr", qosArgs, call);
      return understood(origin, () => qosOfSacctmgr(printed));
    },
    reservations,
    settings,
    history: createHistory({ tools, release, settings }),
    ...createActions(tools, reservations),
  };
}

/** The release of the tools, asked once: they are not exchanged under a process often enough to ask again. */
function rememberedRelease(tools: SlurmTools): SlurmClient["release"] {
  let known: SlurmRelease | undefined;
  return async (call) => {
    if (known !== undefined) return known;
    const printed = await tools.run("sinfo", ["--version"], call);
    known = understood({ tool: "sinfo --version", release: "of unknown release" }, () => {
      const parsed = parseRelease(printed);
      if (parsed === undefined) throw new FieldProblem("version", JSON.stringify(printed.trim()));
      return parsed;
    });
    return known;
  };
}
