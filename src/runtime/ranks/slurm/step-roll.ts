import type { Clock, Timer } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import type { RankOutcome, RankRun } from "../ranks.ts";
import { RankLineReader } from "./rank-lines.ts";
import { readSrunLine } from "./srun-words.ts";
import { stepMessageSchema } from "./step-messages.ts";

const lastLineCharsMax = 300;

export interface StepRollOptions extends Pick<RankRun, "silenceMs" | "onReport" | "onLine"> {
  readonly worldSize: number;
  readonly clock: Clock;
  /** Where Slurm put each rank. */
  readonly nodeOf: (rank: number) => string;
  /** Told when a rank is silent too long. */
  readonly onStop: (reason: string) => void;
}

interface Entry {
  readonly rank: number;
  readonly reader: RankLineReader;
  node: string;
  lastLine: string;
  /** How it ended by srun's account; its own last words may come after that. */
  end: string | undefined;
  /** Whether it ended before anything else was known to be wrong. */
  isFirst: boolean;
  outcome: RankOutcome | undefined;
}

/** What is known about the ranks of one step, by what srun and they themselves print. */
export class StepRoll {
  readonly #options: StepRollOptions;
  readonly #entries: readonly Entry[];
  #stopping: string | undefined;
  #heardMs: number;
  #timer: Timer | undefined;
  #anyCame = false;
  /** Why Slurm ended the step, in its own words; empty when it did not or did not say. */
  because = "";
  failedNode: string | undefined;
  /** The last that srun itself said. */
  srunWords = "srun said nothing";

  constructor(options: StepRollOptions) {
    this.#options = options;
    this.#heardMs = options.clock.monotonicMs();
    this.#entries = Array.from({ length: options.worldSize }, (_, rank) => ({
      rank,
      reader: new RankLineReader(),
      node: options.nodeOf(rank),
      lastLine: "",
      end: undefined,
      isFirst: false,
      outcome: undefined,
    }));
    if (options.silenceMs !== undefined) this.#watch(options.silenceMs);
  }

  /** Whether any rank ran at all. */
  get anyCame(): boolean {
    return this.#anyCame;
  }

  hear(line: string, stream: "stdout" | "stderr"): void {
    const word = readSrunLine(line);
    if (word.is === "task") this.#task(word.rank, word.text, stream);
    else if (word.is === "ended") this.#ended(word);
    else if (word.is === "terminating") this.#stopping ??= "srun ended the step";
    else if (word.is === "cancelled") {
      if (this.because === "") this.because = word.because;
      this.#stopping ??= "Slurm ended the step";
    } else if (word.is === "node-failure") {
      this.failedNode ??= word.node;
      this.#anyCame = true;
    } else if (word.text.startsWith("srun: ")) {
      this.srunWords = word.text.replace(/^srun: (error: )?/, "").slice(0, 500);
    }
  }

  /** From now on a rank that ends does so because of this. */
  stop(reason: string): void {
    this.#stopping ??= reason;
  }

  close(): void {
    this.#timer?.cancel();
  }

  /** How each rank ended, once srun has. */
  outcomes(): readonly RankOutcome[] {
    return this.#entries.map((entry) => {
      const { rank, outcome } = entry;
      const end = entry.isFirst ? entry.end : undefined;
      if (outcome !== undefined) return this.#withNode(outcome);
      const stopped =
        this.#stopping === undefined ? undefined : `stopped because ${this.#stopping}`;
      const why = end ?? stopped ?? "srun ended, and it had not handed in anything";
      return { rank, ended: "lost", reason: `${why}${aboutOf(entry)}` };
    });
  }

  /** What ranks say of each other names no node, and does not know how the other ended. */
  #withNode(outcome: RankOutcome): RankOutcome {
    if (outcome.ended !== "failed" || outcome.error.code !== "E_RANK_LOST") return outcome;
    const { details = {} } = outcome.error;
    const culprit = this.#entries[Number(details["rank"])];
    if (culprit === undefined || typeof details["problem"] !== "string") return outcome;
    const end = culprit.end === undefined ? "" : `; ${culprit.end}`;
    const problem = `${details["problem"]}${end}; it ran on ${culprit.node}`;
    return { ...outcome, error: { ...outcome.error, details: { ...details, problem } } };
  }

  #task(rank: number, text: string, stream: "stdout" | "stderr"): void {
    const entry = this.#entries[rank];
    if (entry === undefined) return;
    this.#anyCame = true;
    this.#heardMs = this.#options.clock.monotonicMs();
    const read = stream === "stdout" ? entry.reader.push(text) : { is: "foreign" as const };
    if (read.is === "message") this.#message(entry, read.message);
    else if (read.is === "broken") {
      entry.outcome ??= { rank, ended: "lost", reason: `what it said is broken: ${text}` };
    } else if (read.is === "foreign") {
      if (stream === "stderr" && text.trim() !== "") {
        entry.lastLine = text.slice(0, lastLineCharsMax);
      }
      this.#options.onLine?.(rank, text);
    }
  }

  #message(entry: Entry, message: unknown): void {
    const { rank } = entry;
    const { success, data } = stepMessageSchema.safeParse(message);
    if (!success) {
      entry.outcome ??= { rank, ended: "lost", reason: "what it said is of another version" };
    } else if (data.type === "here") {
      entry.node = data.node;
    } else if (data.type === "report") {
      this.#options.onReport?.(rank, data.report);
    } else if (data.type === "completed") {
      entry.outcome ??= { rank, ended: "completed", value: data.value };
    } else if (data.code === "E_INTERRUPTED") {
      // A rank that was told to end is no cause of anything.
      const reason = `stopped because it was told to end${aboutOf(entry)}`;
      entry.outcome ??= { rank, ended: "lost", reason };
    } else {
      const { code, message: text, details } = data;
      const about = { ...(code && { code }), ...(details && { details }) };
      entry.outcome ??= { rank, ended: "failed", error: { ...about, message: text } };
      this.#stopping ??= `rank ${rank} failed`;
    }
  }

  #ended(word: {
    readonly node: string;
    readonly ranks: readonly number[];
    readonly how: string;
  }): void {
    this.#anyCame = true;
    for (const rank of word.ranks) {
      const entry = this.#entries[rank];
      if (entry === undefined) continue;
      entry.node = word.node;
      // What srun itself ended says nothing about the rank.
      if (entry.outcome !== undefined || word.how.startsWith("Terminated")) continue;
      entry.end = endOf(word.how);
      if (this.#stopping !== undefined) continue;
      // Those that end after the first are ended because of it.
      entry.isFirst = true;
      this.#stopping = `rank ${rank} was lost: ${entry.end}`;
    }
  }

  /** Looks again whenever the silence of all ranks could have become too long. */
  #watch(silenceMs: number): void {
    const { clock, onStop } = this.#options;
    const leftMs = this.#heardMs + silenceMs - clock.monotonicMs();
    if (leftMs > 0) this.#timer = clock.setTimer(leftMs, () => this.#watch(silenceMs));
    else onStop(`all ranks were silent for ${formatDurationMs(silenceMs)}`);
  }
}

function aboutOf({ node, lastLine }: Entry): string {
  return `; it ran on ${node}${lastLine === "" ? "" : `, its last words: ${lastLine}`}`;
}

/** srun's words for how a task ended: `Killed`, `Exited with exit code 2`. */
function endOf(how: string): string {
  const [, code] = /^Exited with exit code (\d+)/.exec(how) ?? [];
  if (code !== undefined) return `it ended with exit code ${code}`;
  return `srun says of it: ${how}`;
}
