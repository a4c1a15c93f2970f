import type { FaultRequestInput, FaultView } from "../../hardware/api/index.ts";
import { isTesseraError, TesseraError } from "../../platform/errors/index.ts";
import type { Caller } from "../../platform/http/index.ts";
import { randomSeed } from "../../platform/rng/index.ts";
import type {
  FaultBody,
  FaultsPort,
  HardwareFaultPlanView,
  HardwareFaultsView,
  HardwareFaultView,
} from "../api/faults.ts";
import { faultsRoutes } from "../api/routes/faults.ts";
import { decodeCursor, encodeCursor } from "../fleet/cursor.ts";
import type { Service, ServiceContext } from "../service.ts";
import { type FaultLook, FaultLooks } from "./fault-look.ts";
import { FaultPlans } from "./fault-plans.ts";
import { FaultWatch } from "./fault-watch.ts";
import { isLeft } from "./is-left.ts";
import { type OpenedFaultApi, openFaultApi, required } from "./open-client.ts";
import { type RequireOwnRight, requireOwnRight } from "./own-rights.ts";
import { asFaultPlan, isLive } from "./predicted.ts";
import { faultViewOf, planViewOf, xidRows } from "./views.ts";

/** Faults for the overview. */
export interface FaultsSummary {
  /** Null where nobody can tell. */
  readonly live: number | null;
  /** Why the fault API of the configuration cannot be asked; null while it can, or where there is none. */
  readonly problem: string | null;
  /** Those that could not be undone, or not whole. */
  readonly left: readonly {
    readonly id: string;
    readonly title: string;
    readonly reason: string;
    readonly since: string | null;
  }[];
}

export interface FaultsService extends Service {
  summary(): Promise<FaultsSummary>;
}

/** A fault ends so long after the last renewal: when this server is gone. */
const leaseSeconds = 60;
const revertMs = 20_000;

/** Hardware faults by the fault API of the configuration. */
export function createFaultsService(context: ServiceContext): FaultsService {
  const api = openFaultApi(context);
  const looks = new FaultLooks(api, context.clock);
  const watch = new FaultWatch({ context, api, looks });
  const requireRight = requireOwnRight(context.clusterTokens?.client);
  const port = new Faults({ context, api, looks, watch, requireRight });
  return {
    routes: faultsRoutes(port),
    start: () => watch.start(),
    stop: () => watch.stop(),
    summary: async () => summaryOf(await looks.now()),
  };
}

interface FaultsOptions {
  readonly context: ServiceContext;
  readonly api: OpenedFaultApi | undefined;
  readonly looks: FaultLooks;
  readonly watch: FaultWatch;
  readonly requireRight: RequireOwnRight;
}

class Faults implements FaultsPort {
  readonly #options: FaultsOptions;
  readonly #plans: FaultPlans;

  constructor(options: FaultsOptions) {
    this.#options = options;
    this.#plans = new FaultPlans(options.context.store);
  }

  async list({ limit, cursor }: Parameters<FaultsPort["list"]>[0]): Promise<HardwareFaultsView> {
    const { looks, api } = this.#options;
    const after = decodeCursor(cursor, "GET /api/v1/faults");
    const look = await looks.look();
    if (!look.known) {
      const { reason, isFailure } = look;
      const nothing = { faults: [], live: null, left: null, next: null };
      return { available: false, unanswered: isFailure, reason, ...nothing };
    }
    const all = look.faults.toSorted((a, b) => newestFirst(placeOf(a), placeOf(b)));
    const rest = all.filter((one) => after === undefined || newestFirst(after, placeOf(one)) < 0);
    const shown = rest.slice(0, limit);
    const last = rest.length > limit ? shown.at(-1) : undefined;
    const plans = await this.#plans.of(shown.map(({ id }) => id));
    return {
      available: true,
      unanswered: false,
      reason: `The fault API at ${api?.url ?? ""}.`,
      faults: shown.map((fault) => faultViewOf(fault, plans.get(fault.id))),
      live: look.faults.filter(isLive).length,
      left: look.faults.filter((fault) => !isLive(fault) && isLeft(fault)).length,
      next: last === undefined ? null : encodeCursor(placeOf(last)),
    };
  }

  async plan(body: FaultBody, by: Caller): Promise<HardwareFaultPlanView> {
    const { client } = required(this.#options.api);
    await this.#options.requireRight(by, "plan", () => body.namespace);
    return planViewOf(await client.plan(requestFor(body, "plan")));
  }

  async inject(body: FaultBody, by: Caller, signal: AbortSignal): Promise<HardwareFaultView> {
    const { context, api, watch, requireRight } = this.#options;
    const { client } = required(api);
    await requireRight(by, "inject", () => body.namespace);
    const request = requestFor(body, by.name);
    const { plan, findings } = await client.plan(request, { signal });
    const refused = findings.filter(({ verdict }) => verdict === "refuse");
    if (refused.length > 0) {
      const problem = refused.map(({ reason }) => reason).join("; ");
      throw new TesseraError("E_HW_REFUSED", { what: "The fault", problem });
    }
    const foretold = asFaultPlan(plan);
    // Whoever was told that there is no answer may ask again: then it must not be made twice.
    signal.throwIfAborted();
    const fault = await client.inject({ ...request, wait: true });
    // One that nobody was told of ends with its lease.
    if (!signal.aborted) watch.keepAlive(request.run);
    if (foretold !== undefined) {
      await this.#plans
        .keep(fault.id, foretold, context.clock.nowMs())
        .catch((err: unknown) => context.log.warn({ err }, "a plan could not be kept"));
    }
    watch.lookSoon();
    return faultViewOf(fault, foretold);
  }

  async revert(id: string, by: Caller): Promise<HardwareFaultView> {
    const { api, watch, requireRight } = this.#options;
    const { client } = required(api);
    await requireRight(by, "revert", async () => (await client.get(id)).namespace);
    const fault = await client.revert(id, { timeoutMs: revertMs }).catch((error: unknown) => {
      // It goes on: whoever looks sees how far it came.
      if (isTesseraError(error) && error.code === "E_HW_TIMEOUT") return client.get(id);
      throw error;
    });
    watch.lookSoon();
    return faultViewOf(fault, (await this.#plans.of([id])).get(id));
  }

  xids() {
    return xidRows;
  }
}

type Place = readonly [createdAt: string, id: string];

function placeOf({ createdAt, id }: Pick<FaultView, "createdAt" | "id">): Place {
  return [createdAt ?? "", id];
}

function newestFirst(one: Place, other: Place): number {
  return compare(other[0], one[0]) || compare(other[1], one[1]);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Who asked is part of the run's name: the fault API itself only knows this server. */
function requestFor(body: FaultBody, by: string): FaultRequestInput & { readonly run: string } {
  const { namespace, node, gpu, xid, durationSeconds, allowRealReboot } = body;
  const who = by
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  const random = randomSeed()
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, "")
    .slice(0, 8);
  return {
    run: `ui-${who.slice(0, 40) || "somebody"}-${random}`,
    namespace,
    durationSeconds,
    leaseSeconds: Math.min(leaseSeconds, durationSeconds),
    allowRealReboot,
    action: { kind: "xid", node, gpu: { index: gpu }, lines: [{ xid }] },
  };
}

function summaryOf(look: FaultLook): FaultsSummary {
  if (!look.known) {
    return { live: null, problem: look.isFailure ? look.reason : null, left: [] };
  }
  const left = look.faults.filter(isLeft).map((fault) => ({
    id: fault.id,
    title: `The ${fault.kind} fault on ${fault.target} could not be undone`,
    reason: fault.message ?? (fault.left.join("; ") || `it is ${fault.state}`),
    since: fault.endedAt ?? fault.injectedAt,
  }));
  return { live: look.faults.filter(isLive).length, problem: null, left };
}
