import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import {
  type ProcessExit,
  ProcessStartError,
  type RunningProcess,
  startProcess,
} from "../../platform/process/index.ts";
import { ownIdentity } from "../../platform/process/process-identity.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import { type Ledger, openLedger, recoverLedgers } from "../ledger/index.ts";
import type { ChaosPlan, CommandWorkload } from "../plan/index.ts";
import { processesOfRun, runVariable } from "../processes/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { WorldRunOptions } from "../world.ts";
import { CommandInjector } from "./command-injector.ts";
import { Moments } from "./moments.ts";
import { type OutputLog, openOutputLog } from "./output-log.ts";
import { ProgressBook } from "./progress-book.ts";
import { readProgressLine } from "./progress-line.ts";
import { commandRefusals } from "./refusals.ts";
import { folderVariable, makeScratchFolder } from "./scratch-folder.ts";
import { createCommandUndo, endUndo } from "./undo.ts";

export interface CommandRunOptions extends WorldRunOptions {
  readonly clock: Clock;
  /** Where ledgers and logs of commands lie. */
  readonly folder: string;
  /** The name of this run. @default one that no other run of this machine has */
  readonly run?: string;
  /** Variables that the program gets on top of this process's own; the plan's come last. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const lineCharsMax = 65_536;
const renewMs = 20_000;
let made = 0;

/**
 * Runs a command to its end while its processes are broken, and gives the record of it.
 *
 * @throws E_WORLD when the plan cannot be carried out; E_LEDGER when nothing may be broken.
 */
export async function createCommandRunner(
  plan: ChaosPlan,
  options: CommandRunOptions,
): Promise<RunRecord> {
  const [problem] = commandRefusals(plan);
  const { workload } = plan;
  if (problem !== undefined || workload.kind !== "command") {
    throw new TesseraError("E_WORLD", { world: "host", problem: clause(problem ?? "") });
  }
  const { folder, clock } = options;
  const run = options.run ?? (await freshName());
  const executor = createCommandUndo(options);
  const { undone } = await recoverLedgers({ folder, clock, executor });
  const ledger = await openLedger({ folder, run, clock });
  const log = await openOutputLog(folder, run);
  try {
    const commandRun = new CommandRun({ plan, workload, run, ledger, log, options });
    if (undone.length > 0)
      commandRun.note(`${undone.length} leftovers of earlier runs were cleared`);
    return await commandRun.carryOut();
  } finally {
    await ledger.revertAll(executor);
    await ledger.close();
    await log.close();
  }
}

async function freshName(): Promise<string> {
  const { pid, startTicks } = await ownIdentity();
  return `command-${pid}-${startTicks ?? 0}-${++made}`;
}

/** Without the full stop, for the middle of a sentence. */
function clause(text: string): string {
  return text.replace(/\.$/, "");
}

interface Parts {
  readonly plan: ChaosPlan;
  readonly workload: CommandWorkload;
  readonly run: string;
  readonly ledger: Ledger;
  readonly log: OutputLog;
  readonly options: CommandRunOptions;
}

type End = { readonly end: RunRecord["end"]; readonly reason: string };

class CommandRun {
  readonly #parts: Parts;
  readonly #startMs: number;
  readonly #book: ProgressBook;
  readonly #moments: Moments;
  readonly #injector: CommandInjector;
  readonly #over = new AbortController();
  readonly #notes: string[] = [];
  #program: RunningProcess | undefined;
  #badLines = 0;

  constructor(parts: Parts) {
    const { plan, workload, run, ledger, options } = parts;
    const { clock, onEvent = () => {}, onInjection = () => {} } = options;
    this.#parts = parts;
    this.#startMs = clock.monotonicMs();
    this.#book = new ProgressBook(onEvent);
    this.#moments = new Moments(clock);
    this.#injector = new CommandInjector(
      {
        workload,
        run,
        ledger,
        undo: createCommandUndo(options),
        clock,
        nowUs: () => this.#nowUs(),
        programPid: () => this.#program?.pid,
        over: this.#over.signal,
        onNote: (text) => this.note(text),
        onInjection,
      },
      plan.faults,
    );
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  async carryOut(): Promise<RunRecord> {
    const { plan, run, ledger, options } = this.#parts;
    const job = { fault: "job", target: this.#parts.workload.command[0], undo: endUndo(run) };
    const jobEntry = await ledger.plan(job);
    this.#program = await this.#start();
    await ledger.activate(jobEntry);
    const renewing = this.#renew();
    const faults = plan.faults.map((fault) => this.#carryOutFault(fault));
    this.#moments.reached(0);
    const { end, reason } = await this.#ended(this.#program);
    this.#over.abort(new Error("the run is over"));
    await Promise.all([...faults, renewing]);
    const executor = createCommandUndo(options);
    // Who stands still could not be asked to end.
    for (const { id } of ledger
      .residual()
      .filter(({ id }) => id !== jobEntry)
      .toReversed()) {
      await ledger.revert(id, executor).catch(() => {});
    }
    await this.#program.stop();
    const left = await ledger.revertAll(executor);
    this.#injector.markReverted();
    const still = await processesOfRun(run);
    const residualFaults = [
      ...left.map(
        ({ fault, target, problem }) => `${fault} of ${target}: ${problem ?? "not undone"}`,
      ),
      ...still.map(({ pid }) => `process ${pid} of the command still runs`),
    ];
    return this.#record({ end, reason }, residualFaults);
  }

  async #start(): Promise<RunningProcess> {
    const { plan, workload, run, options } = this.#parts;
    const [program, ...args] = workload.command;
    try {
      return await startProcess(program, args, {
        clock: options.clock,
        cwd: workload.cwd,
        env: {
          ...options.env,
          ...workload.env,
          [runVariable]: run,
          [folderVariable]: await makeScratchFolder(options.folder, run),
        },
        graceMs: plan.timeouts.drainUs / 1000,
        lineCharsMax,
        onLine: (line, stream) => this.#takeLine(line, stream),
      });
    } catch (error) {
      if (!(error instanceof ProcessStartError)) throw error;
      const problem = clause(messageOf(error));
      throw new TesseraError("E_WORLD", { world: "host", problem }, { cause: error });
    }
  }

  #takeLine(line: string, stream: "stdout" | "stderr"): void {
    const read = stream === "stdout" ? readProgressLine(line) : "foreign";
    if (read === "foreign") {
      this.#parts.log.write(line, stream);
      return;
    }
    if ("problem" in read) {
      if (this.#badLines++ === 0)
        this.note(`a line of progress is not understood: ${read.problem}`);
      this.#parts.log.write(line, stream);
      return;
    }
    this.#book.take(read, this.#nowUs());
    if (read.step !== undefined) this.#moments.reached(read.step);
  }

  async #carryOutFault(fault: ChaosPlan["faults"][number]): Promise<void> {
    const { signal } = this.#over;
    try {
      await this.#moments.wait(fault.trigger, signal);
      await this.#injector.inject(fault);
    } catch (error) {
      // Its moment never came, or it lasted until the end.
      if (!signal.aborted) this.note(`${fault.id} failed: ${messageOf(error)}`);
    }
  }

  /** As long as we are at work nobody else clears up after us. */
  async #renew(): Promise<void> {
    const { ledger, options } = this.#parts;
    const { signal } = this.#over;
    while (!signal.aborted) {
      await sleep(options.clock, renewMs, signal).catch(() => {});
      if (signal.aborted) return;
      await ledger.renew().catch((error: unknown) => this.note(messageOf(error)));
    }
  }

  /** How the run came to its end: by the program, the limit, or whoever has had enough. */
  async #ended(program: RunningProcess): Promise<End> {
    const { plan, options } = this.#parts;
    const { clock, signal } = options;
    const over = new AbortController();
    const limit = sleep(
      clock,
      plan.limits.durationUs / 1000,
      AbortSignal.any([signal, over.signal]),
    )
      .then((): End => ({ end: "cut", reason: "the limit of the run" }))
      .catch((): End => ({ end: "aborted", reason: `interrupted: ${messageOf(signal.reason)}` }));
    const exit = program.exited.then((how) => this.#endOf(how));
    const first = await Promise.race([exit, limit]);
    over.abort();
    return first;
  }

  #endOf({ exitCode, signal }: ProcessExit): End {
    const { units } = this.#parts.workload;
    if (exitCode !== 0) {
      const how =
        exitCode === null
          ? `was ended by ${signal ?? "a signal"}`
          : `ended with exit code ${exitCode}`;
      const [last] = this.#parts.log.tail.slice(-1);
      return {
        end: "gave-up",
        reason: `the program ${how}${last === undefined ? "" : `; it last said: ${last}`}`,
      };
    }
    if (units !== null && this.#book.units < units) {
      const reason = `the program ended as if all were well after ${this.#book.units} of ${units} units`;
      return { end: "gave-up", reason };
    }
    return { end: "finished", reason: "" };
  }

  #record({ end, reason }: End, residualFaults: readonly string[]): RunRecord {
    const { plan, log } = this.#parts;
    const endUs = this.#nowUs();
    const stateDigest = end === "finished" ? this.#book.digest : null;
    if (end === "finished")
      this.#book.put({ kind: "finish", stateDigest: stateDigest ?? "unknown" }, endUs);
    if (end === "gave-up") this.#book.put({ kind: "give-up", reason }, endUs);
    const notes = [
      ...this.#notes,
      "a fault begins when the line of the step before it is read: the program is not halted for it",
      ...(this.#badLines > 1 ? [`${this.#badLines} lines of progress were not understood`] : []),
      ...(this.#book.lostEvents > 0 ? [`${this.#book.lostEvents} events were left out`] : []),
      `what the program printed: ${log.file}${log.problem === undefined ? "" : ` (${log.problem})`}`,
      ...(end === "aborted" ? [reason] : []),
    ];
    return {
      world: "host",
      provenance: "measured",
      plan,
      events: this.#book.events,
      injections: this.#injector.records(),
      residualFaults,
      end,
      endUs,
      stateDigest,
      traceHash: null,
      probes: [],
      notes,
    };
  }

  #nowUs(): number {
    return Math.round((this.#parts.options.clock.monotonicMs() - this.#startMs) * 1000);
  }
}
