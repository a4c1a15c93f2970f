import assert from "node:assert/strict";
import type { RunningProcess } from "../../../platform/process/index.ts";
import { type Clock, sleep, type Timer } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import type { RankOutcome } from "../ranks.ts";
import type { Peer, PeerHandlers } from "../wire/peer.ts";
import { fromWorkerSchema } from "./messages.ts";
import { describeExit } from "./rank-process.ts";

/** How long a rank that has said its last word may take to end by itself. */
const farewellMs = 10_000;
/** How long its last words may be under way after its process has ended. */
const drainMs = 2000;
const lastLineCharsMax = 300;

export interface RankRecordOptions {
  readonly rank: number;
  readonly clock: Clock;
  /** @default no limit */
  readonly silenceMs?: number;
  readonly onReport: (report: unknown) => void;
  readonly onLine: (line: string) => void;
  /** Told when this rank is lost by itself, not because it was stopped. */
  readonly onLost: (reason: string) => void;
  /** Told when this rank says that its world is over, so that no other can go on either. */
  readonly onWorldOver: (reason: string) => void;
}

/** What the launcher knows about one rank. */
export class RankRecord {
  readonly rank: number;
  /** Resolves when the process is gone and it is clear how it ended. */
  readonly ended: Promise<RankOutcome>;
  readonly #options: RankRecordOptions;
  readonly #settle: (outcome: RankOutcome) => void;
  #process: RunningProcess | undefined;
  #peer: Peer | undefined;
  #outcome: RankOutcome | undefined;
  #disconnected: () => void = () => {};
  readonly #disconnection: Promise<void>;
  #heardMs: number;
  #timer: Timer | undefined;
  #lastLine = "";
  #stopReason: string | undefined;

  constructor(options: RankRecordOptions) {
    this.#options = options;
    this.rank = options.rank;
    this.#heardMs = options.clock.monotonicMs();
    this.#disconnection = new Promise((resolve) => {
      this.#disconnected = resolve;
    });
    let settle: (outcome: RankOutcome) => void = () => {};
    this.ended = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
    if (options.silenceMs !== undefined) this.#watch(options.silenceMs);
  }

  get isConnected(): boolean {
    return this.#peer !== undefined;
  }

  started(running: RunningProcess): void {
    this.#process = running;
    void running.exited.then(async (exit) => {
      // What it said last may still be on its way; a rank that never came has nothing to say.
      if (this.isConnected) {
        await Promise.race([this.#disconnection, sleep(this.#options.clock, drainMs)]);
      }
      this.#lose(describeExit(exit, this.#lastLine));
      this.#end();
    });
    if (this.#stopReason !== undefined) void running.stop();
  }

  connect(peer: Peer): PeerHandlers {
    this.#peer = peer;
    return {
      onMessage: (message) => this.#hear(message),
      onClose: () => this.#disconnected(),
    };
  }

  line(line: string, stream: "stdout" | "stderr"): void {
    this.#heardMs = this.#options.clock.monotonicMs();
    if (stream === "stderr" && line.trim() !== "") this.#lastLine = line.slice(0, lastLineCharsMax);
    this.#options.onLine(line);
  }

  /** Ends the process; the rank counts as lost for this reason unless it is done already. */
  stop(reason: string): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.#outcome ??= { rank: this.rank, ended: "lost", reason };
    this.#timer?.cancel();
    void this.#process?.stop();
  }

  /** There is no process to wait for. */
  neverStarted(): void {
    this.#outcome ??= { rank: this.rank, ended: "lost", reason: "it could not be started" };
    this.#end();
  }

  close(): void {
    this.#timer?.cancel();
    this.#peer?.destroy();
  }

  #hear(message: unknown): void {
    this.#heardMs = this.#options.clock.monotonicMs();
    const said = fromWorkerSchema.parse(message);
    if (said.type === "report") {
      this.#options.onReport(said.report);
      return;
    }
    if (said.type === "completed") {
      this.#outcome ??= { rank: this.rank, ended: "completed", value: said.value };
    } else {
      const { code, message: text, details } = said;
      const about = { ...(code && { code }), ...(details && { details }) };
      this.#outcome ??= { rank: this.rank, ended: "failed", error: { ...about, message: text } };
    }
    this.#timer?.cancel();
    if (said.type === "failed" && isWorldOver(said.code)) this.#options.onWorldOver(said.message);
    this.#timer = this.#options.clock.setTimer(farewellMs, () => void this.#process?.stop());
  }

  /** Looks again whenever the silence could have become too long. */
  #watch(silenceMs: number): void {
    const { clock } = this.#options;
    const leftMs = this.#heardMs + silenceMs - clock.monotonicMs();
    if (leftMs > 0) {
      this.#timer = clock.setTimer(leftMs, () => this.#watch(silenceMs));
      return;
    }
    this.#lose(`it was silent for ${formatDurationMs(silenceMs)}`);
  }

  #lose(reason: string): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { rank: this.rank, ended: "lost", reason };
    this.#options.onLost(reason);
  }

  #end(): void {
    this.close();
    assert(this.#outcome !== undefined, "a rank that is gone has ended somehow");
    this.#settle(this.#outcome);
  }
}

function isWorldOver(code: string | undefined): boolean {
  return code === "E_RANK_LOST" || code === "E_RENDEZVOUS";
}
