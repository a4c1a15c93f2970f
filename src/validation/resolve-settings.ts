import { type Config, didYouMean } from "../platform/config/index.ts";
import { TesseraError } from "../platform/errors/index.ts";
import {
  availableChecks,
  type CheckHost,
  checkCatalogue,
  findCheck,
  findPlugIns,
  withPlugIn,
} from "./checks/index.ts";
import { fleetChecks } from "./fleet-log/index.ts";
import type { CheckSettings, GuardSettings, ValidationSettings } from "./settings.ts";

/** The part of the configuration validation reads. */
export type ValidationConfig = Pick<Config, "validation">;

/** An entry of `validation.clusters`. */
export type ClusterEntry = Config["validation"]["clusters"][number];

type ConfiguredChecks = NonNullable<Config["validation"]["checks"]>;

const dayMs = 86_400_000;

export interface ResolveOptions {
  /**
   * The checks the cluster says it can run: what is meant where the configuration names none.
   * @default those a machine with GPUs could run; those that are simulated for a simulated cluster
   */
  readonly available?: readonly string[];
}

/** Where results and templates are, for one cluster. */
export interface ClusterPlaces {
  /** The shared volume as this process sees it. */
  readonly resultsDir: string;
  /** The base of the URL pods hand in at; undefined when the server's own address has to do. */
  readonly resultUrl: string | undefined;
  /** The file with the job's template; undefined for the built-in one. */
  readonly template: string | undefined;
}

/**
 * The entry of a cluster.
 *
 * @throws E_CLUSTER_UNKNOWN when the configuration has no cluster of that name.
 */
export function clusterEntry(config: ValidationConfig, clusterName: string): ClusterEntry {
  const { clusters } = config.validation;
  const entry = clusters.find(({ name }) => name === clusterName);
  if (entry !== undefined) return entry;
  const names = clusters.map(({ name }) => name);
  throw new TesseraError("E_CLUSTER_UNKNOWN", {
    cluster: clusterName,
    suggestion: didYouMean(clusterName, names),
    known: names.join(", ") || "none",
  });
}

/**
 * How a cluster is validated: what its entry says, else what the section says, else what the
 * catalogue of checks says.
 *
 * @throws E_CLUSTER_UNKNOWN; E_CHECK_UNKNOWN when a check is named that does not exist;
 * E_PLUGIN_INVALID.
 */
export function resolveValidationSettings(
  config: ValidationConfig,
  clusterName: string,
  options: ResolveOptions = {},
): ValidationSettings {
  const shared = config.validation;
  const entry = clusterEntry(config, clusterName);
  return {
    policy: entry.policy ?? shared.policy,
    staleAfterDays: (entry.staleAfter ?? shared.staleAfterMs) / dayMs,
    checks: resolveChecks(config, entry, options),
    guard: resolveGuard(config, entry),
    pendingTimeoutMs: entry.pendingTimeout ?? shared.pendingTimeoutMs,
    runTimeoutMs: entry.runTimeout ?? shared.runTimeoutMs,
    resultGraceMs: entry.resultGrace ?? shared.resultGraceMs,
    compareDays: entry.compareDays ?? shared.compareDays,
    act: {
      mode: entry.act?.mode ?? shared.act.mode,
      label: entry.act?.label ?? shared.act.label,
      cordon: entry.act?.cordon ?? shared.act.cordon,
      cordonedShareMax: entry.act?.cordonedShareMax ?? shared.act.cordonedShareMax,
    },
  };
}

/** The places of a cluster, by the same rules. */
export function resolveClusterPlaces(config: ValidationConfig, clusterName: string): ClusterPlaces {
  const shared = config.validation;
  const entry = clusterEntry(config, clusterName);
  return {
    resultsDir: entry.resultsDir ?? shared.resultsDir,
    resultUrl: entry.resultUrl ?? shared.resultUrl,
    template: entry.template ?? shared.template,
  };
}

function resolveGuard({ validation }: ValidationConfig, entry: ClusterEntry): GuardSettings {
  const { limits } = validation;
  const own = entry.limits ?? {};
  return {
    inFlightMax: own.inFlight ?? limits.inFlight,
    perRackMax: own.perRack ?? limits.perRack,
    perFileSystemMax: own.perFileSystem ?? limits.perFileSystem,
    cooldownMs: own.cooldown ?? limits.cooldownMs,
    retestAfterMs: own.retestAfter ?? limits.retestAfterMs,
    gpuHoursPerDay: own.gpuHoursPerDay ?? limits.gpuHoursPerDay ?? Number.POSITIVE_INFINITY,
    quietHours: own.quietHours ?? limits.quietHours,
  };
}

function resolveChecks(
  { validation }: ValidationConfig,
  entry: ClusterEntry,
  { available = usualChecks(entry) }: ResolveOptions,
): readonly CheckSettings[] {
  const plugIns = findPlugIns(entry.kind === "simulated" ? [] : validation.plugins);
  const names = new Set([
    // Whatever a check asks of others, nothing is asked of a simulated cluster.
    ...available.filter((name) => entry.kind === "simulated" || !mustBeNamed(name)),
    ...plugIns.keys(),
  ]);
  const every: ConfiguredChecks = [...names].map((name) => ({ name }));
  const wanted = entry.checks ?? validation.checks ?? every;
  return wanted.map(({ name, minutes, fileSystem = "", options: own = {} }): CheckSettings => {
    const options = withPlugIn(plugIns, { name, options: own });
    const known = findCheck(name, options);
    const { sensitivity, falseAlarm } = known;
    return {
      name,
      minutes: minutes ?? known.minutes,
      sensitivity,
      falseAlarm,
      fileSystem,
      options,
    };
  });
}

function mustBeNamed(name: string): boolean {
  return checkCatalogue.some((check) => check.name === name && check.onlyWhenNamed === true);
}

/** A machine that lacks nothing, to ask which checks there are at all. */
const wellEquipped: CheckHost = {
  os: "linux",
  arch: "x64",
  cpus: 64,
  cpuModel: "",
  memoryBytes: 2 ** 40,
  gpus: Array.from({ length: 8 }, () => "h100-sxm5-80gb"),
};

function usualChecks({ kind }: ClusterEntry): readonly string[] {
  if (kind === "simulated") return fleetChecks.map(({ name }) => name);
  return availableChecks(wellEquipped).available;
}
