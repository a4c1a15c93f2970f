import { TesseraError } from "../errors/index.ts";
import type { SlurmCallOptions, SlurmClient, SlurmNodeChange } from "./client.ts";
import { type SlurmTools, submissionNames, toolError } from "./tools/tools.ts";

type Actions = Pick<
  SlurmClient,
  | "submit"
  | "cancel"
  | "requeue"
  | "steps"
  | "updateNode"
  | "createReservation"
  | "deleteReservation"
>;

/** Arguments of one call of scancel; more are handed over in turns. */
const idsPerCall = 500;
const gone =
  /invalid job id|job\/step already completing|job has already (finished|completed)|already completed/i;

/** What changes something in the cluster. */
export function createActions(
  tools: SlurmTools,
  reservations: SlurmClient["reservations"],
): Actions {
  const isReserved = async (name: string, options: SlurmCallOptions | undefined) =>
    (await reservations(options)).some((one) => one.name === name);
  return {
    submit: async ({ script, args, env }, options) => {
      // Exactly this environment, all of it: none of ours, and none that sbatch would make up.
      const words = ["--parsable", "--export=ALL", ...args];
      const input = withoutToolNames(script, env);
      const printed = await tools.run("sbatch", words, { ...options, input, jobEnv: env });
      const [, id] = /^(\d+)(?:;\S+)?\s*$/m.exec(printed) ?? [];
      if (id === undefined) {
        const problem = `it took the job and did not say its number: ${JSON.stringify(printed)}`;
        throw new TesseraError("E_SLURM_FAILED", { tool: "sbatch", problem });
      }
      return Number(id);
    },
    cancel: async (ids, options = {}) => {
      const { kill, batch = false, ...call } = options;
      const words = [
        ...(kill === undefined ? [] : [`--signal=${kill}`]),
        ...(batch ? ["--batch"] : []),
      ];
      for (let at = 0; at < ids.length; at += idsPerCall) {
        const some = ids.slice(at, at + idsPerCall).map(checkedId);
        const result = await tools.try("scancel", [...words, ...some], call);
        if (!result.ok && !onlyGone(result.stderr)) throw toolError("scancel", result);
      }
    },
    requeue: async (id, options) => {
      await tools.run("scontrol", ["requeue", checkedId(id)], options);
    },
    steps: async (id, options) => {
      const words = ["--steps", "--noheader", "--format=%i", `--jobs=${checkedId(id)}`];
      const result = await tools.try("squeue", words, options);
      if (!result.ok && !onlyGone(result.stderr)) throw toolError("squeue", result);
      return result.ok ? result.stdout.split("\n").flatMap((line) => line.trim() || []) : [];
    },
    updateNode: async (name, change, options) => {
      const words = ["update", `NodeName=${checkedName(name)}`, ...changeWords(change)];
      await tools.run("scontrol", words, options);
    },
    createReservation: async ({ name, nodes, users, flags }, options) => {
      const words = [
        `ReservationName=${checkedName(name)}`,
        "StartTime=now",
        "Duration=UNLIMITED",
        `Nodes=${nodes.map(checkedName).join(",")}`,
        `Users=${users.map(checkedName).join(",")}`,
        ...(flags.length === 0 ? [] : [`Flags=${flags.map(checkedName).join(",")}`]),
      ];
      const result = await tools.try("scontrol", ["create", "reservation", ...words], options);
      // What it says of one that is there already depends on the release, and on who runs on it.
      if (!result.ok && !(await isReserved(name, options))) throw toolError("scontrol", result);
    },
    deleteReservation: async (name, options) => {
      const words = ["delete", `ReservationName=${checkedName(name)}`];
      const result = await tools.try("scontrol", words, options);
      if (!result.ok && !/requested reservation is invalid|not found/i.test(result.stderr)) {
        throw toolError("scontrol", result);
      }
    },
  };
}

/**
 * The script of a job that takes leave of what only sbatch needed. A list of names in `--export` would not
 * do: Slurm adds what begins with SLURM_ to it, and has the node load the user's login environment.
 */
function withoutToolNames(script: string, env: Readonly<Record<string, string>>): string {
  const names = submissionNames.filter((name) => env[name] === undefined);
  return script.replace(/^(#!.*\n)?/, `$1unset ${names.join(" ")}\n`);
}

function changeWords(change: SlurmNodeChange): string[] {
  if ("comment" in change) return [`Comment=${oneLine(change.comment)}`];
  const state = `State=${change.state}`;
  return "reason" in change ? [state, `Reason=${oneLine(change.reason)}`] : [state];
}

/** Line ends would let a text pass for other fields where text is read. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function onlyGone(said: string): boolean {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => gone.test(line));
}

/** A name is one word: nothing in it may be read as another field or as an option. Users may be of a realm. */
function checkedName(name: string): string {
  return checked(name, /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,255}$/, "a name");
}

function checkedId(id: string): string {
  return checked(id, /^\d+(?:_\d+)?(?:\.\w+)?$/, "a job's number");
}

function checked(text: string, pattern: RegExp, what: string): string {
  if (pattern.test(text)) return text;
  const problem = `${JSON.stringify(text)} is not ${what}`;
  throw new TesseraError("E_SLURM_FAILED", { tool: "scontrol", problem });
}
