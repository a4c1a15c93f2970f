import assert from "node:assert/strict";
import type { Clock, Timer } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import { version } from "../../../version.ts";
import type { RankLauncher, RankOutcome, RankRun } from "../ranks.ts";
import { formatAddress } from "../wire/address.ts";
import { listenForPeers } from "../wire/listen.ts";
import { createPeer } from "../wire/peer.ts";
import { newSecret } from "../wire/proof.ts";
import { worldSizeMax } from "../world/messages.ts";
import { openRendezvous } from "../world/rendezvous.ts";
import { launchFrameBytesMax, workerHelloSchema } from "./messages.ts";
import { startRankProcess } from "./rank-process.ts";
import { RankRecord } from "./rank-record.ts";

export interface RankLauncherOptions {
  /** Starts this program, as `[process.execPath, ownProgram()]`; `agent worker TASK` follows. */
  readonly command: readonly string[];
  readonly clock: Clock;
  /** The variables that ranks inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a rank may take to end after SIGTERM. @default 2000 */
  readonly graceMs?: number;
}

/**
 * Starts ranks as processes of this program.
 *
 * The launcher hosts the rendezvous of the run, on the loop-back interface. Each process has a secret
 * channel to it: over it come input, reports and the value, and its end means the launcher's end.
 *
 * @throws (from the launch) ProcessStartError when this program cannot be started again; the signal's
 * reason when that aborts, after every rank has ended.
 */
export function createRankLauncher(options: RankLauncherOptions): RankLauncher {
  return async (run) => {
    assert(Number.isInteger(run.worldSize) && run.worldSize >= 1, "a run has one rank or more");
    assert(run.worldSize <= worldSizeMax, `a run has at most ${worldSizeMax} ranks`);
    run.signal.throwIfAborted();
    const outcomes = await launch(run, options);
    run.signal.throwIfAborted();
    return outcomes;
  };
}

async function launch(run: RankRun, options: RankLauncherOptions): Promise<readonly RankOutcome[]> {
  const { clock } = options;
  const { worldSize, signal, timeoutMs } = run;
  const secret = newSecret();
  const crew = new Crew(run, clock);
  const rendezvous = await openRendezvous({ worldSize, secret, clock });
  const control = await openControl({ run, secret, clock, crew });
  const timer = clock.setTimer(timeoutMs, () =>
    crew.stop(`the run did not end within ${formatDurationMs(timeoutMs)}`),
  );
  const order = { launcher: formatAddress(control.address), secret };
  const start = (record: RankRecord) =>
    startRankProcess({
      command: options.command,
      task: run.task,
      rank: record.rank,
      worldSize,
      rendezvous: formatAddress(rendezvous.address),
      order,
      env: { ...options.env, ...run.env?.(record.rank) },
      clock,
      graceMs: options.graceMs ?? 2000,
      onLine: (line, stream) => record.line(line, stream),
    });
  const onAbort = () => crew.stop("the run was stopped");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const failures: unknown[] = [];
    const starts = crew.records.map(async (record) => {
      try {
        record.started(await start(record));
      } catch (error) {
        failures.push(error);
        record.neverStarted();
        crew.stop("another rank could not be started");
      }
    });
    await Promise.all(starts);
    const outcomes = await crew.ended();
    if (failures.length > 0) throw failures[0];
    return outcomes;
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", onAbort);
    crew.close();
    await Promise.all([control.close(), rendezvous.close()]);
  }
}

/** Where the workers report: each rank once. */
function openControl(options: {
  readonly run: RankRun;
  readonly secret: string;
  readonly clock: Clock;
  readonly crew: Crew;
}) {
  const { run, secret, clock, crew } = options;
  return listenForPeers({
    secret,
    clock,
    admit: (words) => {
      const { success, data } = workerHelloSchema.safeParse(words);
      const record = success ? crew.records[data.rank] : undefined;
      if (record === undefined || !success) return { refused: "there is no such rank" };
      if (data.version !== version) {
        return { refused: `it runs Tessera ${data.version}, its launcher ${version}` };
      }
      return record.isConnected
        ? { refused: `rank ${data.rank} is already here` }
        : { words: { version } };
    },
    onSocket: (socket, { words, rest }) => {
      const record = crew.records[workerHelloSchema.parse(words).rank];
      assert(record !== undefined, "only ranks of this run are let in");
      const handlersOf = record.connect.bind(record);
      const peer = createPeer(socket, {
        words,
        rest,
        frameBytesMax: launchFrameBytesMax,
        handlersOf,
      });
      peer.send({ type: "start", input: run.input });
    },
  });
}

/** How long ranks may differ in noticing that their world is over. */
const sameWordMs = 500;

/** The ranks of one run: when one is lost, all end. */
class Crew {
  readonly records: readonly RankRecord[];
  #stopping: string | undefined;
  #timer: Timer | undefined;

  constructor(run: RankRun, clock: Clock) {
    const { silenceMs, onReport = () => {}, onLine = () => {} } = run;
    this.records = Array.from(
      { length: run.worldSize },
      (_, rank) =>
        new RankRecord({
          rank,
          clock,
          ...(silenceMs === undefined ? {} : { silenceMs }),
          onReport: (report) => onReport(rank, report),
          onLine: (line) => onLine(rank, line),
          onLost: (reason) => this.stop(`rank ${rank} was lost: ${reason}`),
          onWorldOver: (reason) => this.#stopSoon(clock, reason),
        }),
    );
  }

  stop(reason: string): void {
    if (this.#stopping !== undefined) return;
    this.#stopping = reason;
    for (const record of this.records) record.stop(`stopped because ${reason}`);
  }

  /** The others are about to say the same; whoever does not is the one that hangs. */
  #stopSoon(clock: Clock, reason: string): void {
    this.#timer ??= clock.setTimer(sameWordMs, () => this.stop(`the ranks parted: ${reason}`));
  }

  async ended(): Promise<readonly RankOutcome[]> {
    return Promise.all(this.records.map(({ ended }) => ended));
  }

  close(): void {
    this.#timer?.cancel();
    for (const record of this.records) record.close();
  }
}
