import { TesseraError } from "../errors/index.ts";
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
  const remembered = new RememberedRelease(tools);
  const release: SlurmClient["release"] = (call) => remembered.get(call);
  const nodes = new Listing(tools, nodeSources);
  const jobs = createJobList(tools);
  const show = <T>(
    what: string,
    parse: (printed: string) => T,
    call: SlurmCallOptions | undefined,
  ): Promise<T> =>
    remembered.use(call, async ({ text }) => {
      const printed = await tools.run("scontrol", ["--all", "show", what], call);
      const origin = { tool: `scontrol show ${what}`, release: text };
      return understood(origin, () => parse(printed));
    });
  const reservations: SlurmClient["reservations"] = (call) =>
    show("reservations", reservationsOfText, call);
  const settings: SlurmClient["settings"] = (call) => show("config", settingsOfText, call);
  const history = createHistory({ tools, release, settings });
  return {
    release,
    nodes: (call) => remembered.use(call, (known) => nodes.list(known, call)),
    jobs: (call) => remembered.use(call, (known) => jobs(known, call)),
    partitions: (call) => show("partitions", partitionsOfText, call),
    qos: (call) =>
      remembered.use(call, async ({ text }) => {
        const origin = { tool: "sacctmgr show qos", release: text };
        const printed = await tools.run("sacctmgr", qosArgs, call);
        return understood(origin, () => qosOfSacctmgr(printed));
      }),
    reservations,
    settings,
    history: (sinceMs, call) => remembered.use(call, () => history(sinceMs, call)),
    ...createActions(tools, reservations),
  };
}

/** The release of the tools: asked once, and again when an answer is not that of the release it was thought to be. */
class RememberedRelease {
  readonly #tools: SlurmTools;
  #known: SlurmRelease | undefined;

  constructor(tools: SlurmTools) {
    this.#tools = tools;
  }

  async get(call: SlurmCallOptions | undefined): Promise<SlurmRelease> {
    if (this.#known !== undefined) return this.#known;
    const printed = await this.#tools.run("sinfo", ["--version"], call);
    const known = understood({ tool: "sinfo --version", release: "of unknown release" }, () => {
      const parsed = parseRelease(printed);
      if (parsed === undefined) throw new FieldProblem("version", JSON.stringify(printed.trim()));
      return parsed;
    });
    this.#known = known;
    return known;
  }

  /** Asks a question of the release; tools that were exchanged under a process show in what they answer. */
  async use<T>(
    call: SlurmCallOptions | undefined,
    ask: (release: SlurmRelease) => Promise<T>,
  ): Promise<T> {
    const release = await this.get(call);
    try {
      return await ask(release);
    } catch (error) {
      const isStrange = error instanceof TesseraError && error.code === "E_SLURM_SHAPE";
      // Not one that somebody else has asked for meanwhile.
      if (isStrange && this.#known === release) this.#known = undefined;
      throw error;
    }
  }
}
