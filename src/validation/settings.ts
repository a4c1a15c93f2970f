import type { JsonObject } from "../platform/store/index.ts";
import type { PolicyName } from "./prioritize/index.ts";

/** A time of day in which nothing new is begun, minutes since midnight UTC; may span midnight. */
export interface QuietHours {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** A check as a cluster runs it. */
export interface CheckSettings {
  readonly name: string;
  /** How long it is expected to hold a node; what a run is charged for. */
  readonly minutes: number;
  /** The chance that one run finds a defect, by kind; for the risk policy. */
  readonly sensitivity: Readonly<Record<string, number>>;
  readonly falseAlarm: number;
  /** The shared file system it loads, for the limit per file system; empty for none. */
  readonly fileSystem: string;
  readonly options: JsonObject;
}

/** Limits on what is begun. */
export interface GuardSettings {
  /** Runs at the same time. */
  readonly inFlightMax: number;
  readonly perRackMax: number;
  readonly perFileSystemMax: number;
  /** How long a node is left alone after a run of any check, unless it is a retest. */
  readonly cooldownMs: number;
  /** How long a suspect node is left alone before its retest. */
  readonly retestAfterMs: number;
  /** GPU-hours of runs begun on one day (UTC). Infinity for no limit. */
  readonly gpuHoursPerDay: number;
  readonly quietHours: readonly QuietHours[];
}

/** What is done about nodes, beside testing them. */
export interface ActSettings {
  /** `off` nothing; `dry-run` says what it would do; `on` does it. */
  readonly mode: "off" | "dry-run" | "on";
  /** Sets a label with the verdict on each node. */
  readonly label: boolean;
  /** Closes a node that failed, and opens it after a complete fresh pass. */
  readonly cordon: boolean;
  /** No node is closed when more than this share of the fleet would be closed by us. */
  readonly cordonedShareMax: number;
}

/** How one cluster is validated; every value filled in. */
export interface ValidationSettings {
  readonly policy: PolicyName;
  /** Z of the seed. */
  readonly staleAfterDays: number;
  readonly checks: readonly CheckSettings[];
  readonly guard: GuardSettings;
  /** A job that has not begun to run after this long is cancelled. */
  readonly pendingTimeoutMs: number;
  /** A job that has run for this long is cancelled. */
  readonly runTimeoutMs: number;
  /** How long after the end of its job a result may still come in. */
  readonly resultGraceMs: number;
  /** How far back runs are compared with each other. */
  readonly compareDays: number;
  readonly act: ActSettings;
}
