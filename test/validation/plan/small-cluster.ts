import type { ClusterNode, NotFreeCode } from "../../../src/validation/clusters/cluster.ts";
import type { PlanInput } from "../../../src/validation/plan/index.ts";
import type { OpenRun } from "../../../src/validation/run.ts";
import type {
  CheckSettings,
  GuardSettings,
  ValidationSettings,
} from "../../../src/validation/settings.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Noon of a day. */
export const noonMs = 20_000 * dayMs + 12 * hourMs;

export function checkOf(name: string, changes: Partial<CheckSettings> = {}): CheckSettings {
  return {
    name,
    minutes: 30,
    sensitivity: { hbm: 0.9 },
    falseAlarm: 0,
    fileSystem: "",
    options: {},
    ...changes,
  };
}

/** Settings whose rails bind nothing. */
export function settingsOf(
  changes: Partial<Omit<ValidationSettings, "guard">> & {
    readonly guard?: Partial<GuardSettings>;
  } = {},
): ValidationSettings {
  const { guard, ...others } = changes;
  return {
    policy: "stale",
    staleAfterDays: 7,
    checks: [checkOf("dl"), checkOf("io")],
    pendingTimeoutMs: 600_000,
    runTimeoutMs: 3_600_000,
    resultGraceMs: 60_000,
    compareDays: 30,
    act: { mode: "off", label: false, cordon: false, cordonedShareMax: 0.1 },
    ...others,
    guard: {
      inFlightMax: 1_000_000,
      perRackMax: 1_000_000,
      perFileSystemMax: 1_000_000,
      cooldownMs: 0,
      retestAfterMs: 0,
      gpuHoursPerDay: Number.POSITIVE_INFINITY,
      quietHours: [],
      ...guard,
    },
  };
}

export function nodeOf(name: string, changes: Partial<ClusterNode> = {}): ClusterNode {
  return {
    name,
    sku: "h100-sxm5-80gb",
    rack: "",
    gpus: 8,
    notFree: [],
    awaitsAcceptance: false,
    cordoned: false,
    ...changes,
  };
}

export const because = (code: NotFreeCode) => [{ code, text: `it is ${code}` }];

/** Ages of results in days, by `node/check`; a pair that is not there was never tested. */
export function inputOf(
  nodes: readonly ClusterNode[],
  changes: Partial<PlanInput> & {
    readonly agesDays?: Readonly<Record<string, number>>;
    readonly checks?: readonly string[];
  } = {},
): PlanInput {
  const { agesDays = {}, checks = ["dl", "io"], ...others } = changes;
  const nowMs = changes.nowMs ?? noonMs;
  return {
    nowMs,
    nodes,
    latest: {
      readAtMs: nowMs,
      checks,
      testedAtMs: (node, check) => {
        const age = agesDays[`${node}/${check}`];
        return age === undefined ? undefined : nowMs - age * dayMs;
      },
    },
    open: [],
    lastEndedAtMs: new Map(),
    gpuHoursToday: 0,
    wanted: [],
    ...others,
  };
}

export function openRunOf(
  node: ClusterNode,
  check: string,
  changes: { readonly fileSystem?: string } = {},
): OpenRun {
  return {
    intent: {
      id: `${node.name}-${check}`,
      cluster: "c",
      node: node.name,
      check,
      plannedAtMs: noonMs - hourMs,
      jobName: `tsr-${node.name}`,
      purpose: "routine",
      reason: "",
      policy: "stale",
      sku: node.sku,
      rack: node.rack,
      fileSystem: changes.fileSystem ?? "",
      gpus: node.gpus,
      gpuHours: 4,
      provenance: "simulated",
    },
    submittedAtMs: undefined,
    runningAtMs: undefined,
    cancelling: undefined,
  };
}
