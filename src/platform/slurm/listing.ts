import { expandTasks, type ListedJob } from "./array-tasks.ts";
import type { SlurmJobsOptions } from "./client.ts";
import { isChosen, type SlurmJobChoice } from "./job-choice.ts";
import { AnswerProblem } from "./json/answer.ts";
import { jobsOfJson } from "./json/jobs.ts";
import { nodesOfJson } from "./json/nodes.ts";
import { understood } from "./shape-error.ts";
import { holdingStates } from "./text/holding.ts";
import { jobsOfText } from "./text/jobs.ts";
import { nodesOfText } from "./text/nodes.ts";
import { isTooLong, type SlurmTools, type ToolResult, toolError } from "./tools/tools.ts";
import type { SlurmJob, SlurmNode, SlurmRelease } from "./words.ts";

/** One way to ask for a list. */
interface Source<T> {
  readonly tool: string;
  readonly args: readonly string[];
  readonly json: boolean;
  readonly parse: (printed: string) => readonly T[];
}

const nodesText: Source<SlurmNode> = {
  tool: "scontrol",
  // With details: without them it does not say what of the GPUs is in use.
  args: ["--all", "-d", "show", "nodes"],
  json: false,
  parse: nodesOfText,
};
const jobsText: Source<ListedJob> = {
  tool: "scontrol",
  args: ["--all", "show", "jobs"],
  json: false,
  parse: jobsOfText,
};

/** Which way a release has, best first: text is always the last. */
export function nodeSources(release: SlurmRelease): readonly Source<SlurmNode>[] {
  const json = { json: true, parse: nodesOfJson };
  if (isBefore(release, 22, 5)) return [nodesText];
  // Newer ones print what sinfo shows, grouped; 22.05 has no JSON in scontrol.
  if (isBefore(release, 23, 2)) return [{ ...json, tool: "sinfo", args: ["--json"] }, nodesText];
  const args = ["--all", "show", "nodes", "--json"];
  return [{ ...json, tool: "scontrol", args }, nodesText];
}

export function jobSources(
  release: SlurmRelease,
  options: SlurmJobsOptions | undefined,
): readonly Source<SlurmJob>[] {
  const { choice, tasks = false } = options ?? {};
  const only = (source: Source<ListedJob>): Source<SlurmJob> => ({
    ...source,
    parse: (printed) => {
      const chosen = source.parse(printed).filter(({ job }) => isChosen(job, choice));
      return tasks ? chosen.flatMap(expandTasks) : chosen.map(({ job }) => job);
    },
  });
  const text = only(jobsText);
  const json = { json: true, parse: jobsOfJson };
  if (isBefore(release, 22, 5)) return [text];
  // This one prints all jobs, whatever it is asked for.
  if (isBefore(release, 23, 2)) {
    return [only({ ...json, tool: "squeue", args: ["--json", "--all"] }), text];
  }
  // squeue of newer releases leaves out ended jobs; scontrol shows all that the controller remembers.
  if (choice === undefined) {
    return [only({ ...json, tool: "scontrol", args: ["--all", "show", "jobs", "--json"] }), text];
  }
  return [only({ ...json, tool: "squeue", args: ["--json", "--all", ...chosenBy(choice)] }), text];
}

function chosenBy(choice: SlurmJobChoice): readonly string[] {
  if (choice === "holding") return [holdingStates];
  return "user" in choice ? [`--user=${choice.user}`, "--states=all"] : [];
}

/** Whether squeue prints only jobs in the states it is asked for also as JSON; older ones print all. */
export function choosesStatesInJson(release: SlurmRelease): boolean {
  return !isBefore(release, 24, 5) && !release.text.startsWith("24.05.0");
}

function isBefore(release: SlurmRelease, major: number, minor: number): boolean {
  return release.major < major || (release.major === major && release.minor < minor);
}

/** The tool knows no JSON, or was installed without the plug-in that prints it. */
const noJson = [
  /unrecognized option/i,
  /unable to find plugin: (serializer|data_parser|openapi)/i,
  /could not find plugin for application\/json/i,
  /json plugin load failure/i,
];

/** A list that is asked for by the best way this cluster has, which is found out once for each release. */
export class Listing<T> {
  readonly #tools: SlurmTools;
  readonly #sourcesOf: (release: SlurmRelease, options?: SlurmJobsOptions) => readonly Source<T>[];
  /** How many of the ways of a release are known not to work here. */
  #known = { release: "", skip: 0 };

  constructor(
    tools: SlurmTools,
    sourcesOf: (release: SlurmRelease, options?: SlurmJobsOptions) => readonly Source<T>[],
  ) {
    this.#tools = tools;
    this.#sourcesOf = sourcesOf;
  }

  async list(release: SlurmRelease, options: SlurmJobsOptions | undefined): Promise<readonly T[]> {
    const sources = this.#sourcesOf(release, options);
    for (const source of sources.slice(this.#skip(release))) {
      const { tool } = source;
      const result = await this.#try(source, options);
      if (result === undefined || (source.json && lacksJson(result))) {
        // Not one more: calls at the same time find out the same.
        this.#known = { release: release.text, skip: sources.indexOf(source) + 1 };
        continue;
      }
      if (!result.ok) throw toolError(tool, result);
      try {
        return read(source, release, result);
      } catch (error) {
        // 22.05 prints an empty list and no reason while the controller is away: text says what it is.
        if (!(error instanceof AnswerProblem) || !source.json) throw error;
      }
    }
    throw new Error("text is always a way");
  }

  /** What a tool printed; undefined where that is too long as JSON: text of the same is a tenth of it. */
  async #try(
    { tool, args, json }: Source<T>,
    options: SlurmJobsOptions | undefined,
  ): Promise<ToolResult | undefined> {
    try {
      return await this.#tools.try(tool, args, options);
    } catch (error) {
      if (json && isTooLong(error)) return undefined;
      throw error;
    }
  }

  /** Whether the tools here print only what is asked for; else one answer holds everything. */
  chooses(release: SlurmRelease): boolean {
    return !isBefore(release, 23, 2) && this.#skip(release) === 0;
  }

  #skip(release: SlurmRelease): number {
    return this.#known.release === release.text ? this.#known.skip : 0;
  }
}

function lacksJson(result: ToolResult): boolean {
  return (
    (!result.ok || result.stdout.trim() === "") && noJson.some((words) => words.test(result.stderr))
  );
}

function read<T>(
  source: Source<T>,
  release: SlurmRelease,
  result: { readonly stdout: string },
): readonly T[] {
  const tool = `${source.tool} ${source.args.join(" ")}`;
  return understood({ tool, release: release.text }, () => source.parse(result.stdout));
}
