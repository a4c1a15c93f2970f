import type { DoctorView } from "../../platform/http/index.ts";
import { scopeOf } from "../../validation/baselines/index.ts";
import { version } from "../../version.ts";
import type {
  AttentionView,
  ClusterOverviewView,
  OverviewPort,
  OverviewView,
} from "../api/overview.ts";
import type { ClusterKeeper } from "../validation/cluster-keeper.ts";
import { countStandings, countUses } from "../validation/cluster-summary.ts";
import { baselineWaits, clusterAttention, clusterFailed } from "./attention.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";
import type { Fleet } from "./fleet.ts";
import { Kept } from "./kept.ts";
import type { LeaderWord } from "./leader-word.ts";
import { listAttention } from "./list-attention.ts";
import { Trend } from "./trend.ts";
import { waitingBaselines } from "./waiting-baselines.ts";

/** What others of the control plane know and the overview tells. */
export interface Neighbours {
  /** @default none were run */
  experiments?(): Promise<OverviewView["experiments"]>;
  /** @default nobody can tell */
  faults?(): Promise<{
    readonly live: number | null;
    /** Why the fault API cannot be asked, where there is one. */
    readonly problem: string | null;
    /** Injections that could not be undone. */
    readonly left: readonly {
      readonly id: string;
      readonly title: string;
      readonly reason: string;
      readonly since: string | null;
    }[];
  }>;
}

/** Those who hear of a change ask together, and share one answer. */
const overviewForMs = 1_000;

/** What people open in the morning. */
export function createOverview(
  fleet: Fleet,
  given: { readonly doctor: { view(): DoctorView }; readonly neighbours: Neighbours },
): OverviewPort {
  const trends = new Map<string, Trend>();
  const trendOf = (cluster: string) => {
    const known = trends.get(cluster) ?? new Trend(fleet.store, { cluster, clock: fleet.clock });
    trends.set(cluster, known);
    return known;
  };
  const { doctor, neighbours } = given;
  const kept = new Kept<OverviewView>({ clock: fleet.clock, forMs: overviewForMs, sizeMax: 1 });
  const make = async (): Promise<OverviewView> => {
    // One look at each cluster: what is counted and what is named must not be of two moments.
    const seen = await Promise.all(
      fleet.keepers.map(async (keeper) => ({
        keeper,
        snapshot: await keeper.snapshot(),
        word: await keeper.word(),
      })),
    );
    const [clusters, attention, experiments, faults] = [
      await Promise.all(
        seen.map((one) => clusterOverview(fleet, one, trendOf(one.keeper.entry.name))),
      ),
      await fleetAttention(fleet, seen),
      await neighbours.experiments?.(),
      await neighbours.faults?.(),
    ];
    const all = [...attention, ...faultsAttention(faults), ...doctorAttention(doctor.view())];
    return {
      at: new Date(fleet.clock.nowMs()).toISOString(),
      version,
      validating: fleet.isValidating,
      clusters,
      ...listAttention(all),
      attentionTotal: all.length,
      attentionSimulated: all.filter(({ provenance }) => provenance === "simulated").length,
      experiments: experiments ?? {
        running: 0,
        lastDay: { pass: 0, fail: 0, inconclusive: 0 },
      },
      injections: { live: faults?.live ?? null },
      doctor: doctorCounts(doctor.view()),
    };
  };
  return { overview: () => kept.get("overview", make) };
}

/** A cluster and how it stood at one moment; undefined when that cannot be told. */
interface SeenCluster {
  readonly keeper: ClusterKeeper;
  readonly snapshot: ClusterSnapshot | undefined;
  readonly word: LeaderWord;
}

async function clusterOverview(
  fleet: Fleet,
  { keeper, snapshot, word }: SeenCluster,
  trend: Trend,
): Promise<ClusterOverviewView> {
  const { validation } = fleet;
  if (validation === undefined) throw new TypeError("a keeper belongs to a service");
  const view = await validation.viewOf(keeper, snapshot);
  const rows = snapshot?.rows ?? [];
  const { name, kind, provenance, about, now, speed, state, problem, leader } = view;
  const { coverage, gpuHours, inFlight } = view;
  const settings = keeper.assembled?.settings;
  return {
    name,
    kind,
    provenance,
    about,
    now,
    speed,
    state,
    problem,
    leader,
    nodes: {
      total: rows.length,
      byStanding: countStandings(rows),
      passStale: rows.filter(({ standing, isCovered }) => standing === "pass" && !isCovered).length,
      byUse: countUses(rows),
      closedByUs: rows.filter(({ closedBy }) => closedBy === "tessera").length,
    },
    coverage,
    gpuHours,
    inFlight: { count: inFlight.count, max: inFlight.max },
    acting: settings?.act.mode ?? "off",
    policy: settings?.policy ?? validation.config.validation.policy,
    troubles: word.troubles,
    trend:
      snapshot === undefined
        ? []
        : await trend.days({
            atMs: snapshot.atMs,
            covered: coverage.covered,
            nodes: rows.length,
          }),
  };
}

async function fleetAttention(
  fleet: Fleet,
  seen: readonly SeenCluster[],
): Promise<readonly AttentionView[]> {
  const found: AttentionView[] = [];
  for (const { keeper, snapshot, word } of seen) {
    const { entry, provenance, problem, assembled } = keeper;
    if (snapshot !== undefined && assembled !== undefined) {
      const own = clusterAttention(snapshot, word);
      found.push(...own.map((one) => ({ ...one, provenance })));
    } else if (problem !== undefined) {
      found.push({ ...clusterFailed(entry.name, problem), provenance });
    }
  }
  const provenances = new Map(
    fleet.keepers.map(({ entry, provenance }) => [entry.name, provenance] as const),
  );
  const waiting = await waitingBaselines(fleet.history);
  const baselines = waiting.flatMap((one): AttentionView[] => {
    const provenance = provenances.get(scopeOf(one).cluster);
    return provenance === undefined ? [] : [{ ...baselineWaits(one), provenance }];
  });
  return [...found, ...baselines];
}

function faultsAttention(
  faults: Awaited<ReturnType<NonNullable<Neighbours["faults"]>>> | undefined,
): readonly AttentionView[] {
  const { left = [], problem = null } = faults ?? {};
  const common = { cluster: null, provenance: null, node: null };
  const items = left.map(
    ({ id, title, reason, since }): AttentionView => ({
      ...common,
      kind: "fault-left",
      severity: "critical",
      title,
      reason,
      since,
      link: `/faults?fault=${encodeURIComponent(id)}`,
    }),
  );
  if (problem === null) return items;
  const silent: AttentionView = {
    ...common,
    kind: "fault-api",
    severity: "warning",
    title: "The fault API cannot be asked",
    reason: `Nobody knows which hardware faults are in force: ${problem}`,
    since: null,
    link: "/faults",
  };
  return [...items, silent];
}

function doctorAttention({ lastRun }: DoctorView): readonly AttentionView[] {
  return (lastRun?.findings ?? []).flatMap(({ title, state, required, reason }): AttentionView[] =>
    required && state !== "works"
      ? [
          {
            kind: "doctor",
            severity: state === "missing" ? "critical" : "warning",
            title: `${title}: ${state}`,
            reason,
            cluster: null,
            provenance: null,
            node: null,
            since: lastRun?.finishedAt ?? null,
            link: "/machine",
          },
        ]
      : [],
  );
}

function doctorCounts({ lastRun }: DoctorView): OverviewView["doctor"] {
  if (lastRun === null) return null;
  const count = (...states: readonly string[]) =>
    lastRun.findings.filter(({ state }) => states.includes(state)).length;
  return {
    good: count("works"),
    lacking: count("missing", "limited"),
    unknown: count("unknown"),
  };
}
