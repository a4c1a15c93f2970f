import {
  type GuardFacts,
  type GuardFinding,
  type GuardLimits,
  type GuardNode,
  type GuardRequest,
  guardLimitsDefaults,
  judgeGuard,
} from "../../../src/hardware/guard/index.ts";
import {
  type FaultAction,
  type FaultState,
  type HardwareFault,
  marks,
  type XidAction,
} from "../../../src/hardware/objects/index.ts";

export const nowMs = Date.parse("2026-11-15T12:00:00Z");

export function known<T>(value: T) {
  return { known: true, value } as const;
}

export const unknown = { known: false, problem: "the API server is away" } as const;

export function guardNode(name: string, more: Partial<GuardNode> = {}): GuardNode {
  return {
    name,
    ready: "yes",
    labels: { [marks.nodeOptIn]: "allowed", "nvidia.com/gpu.present": "true" },
    cordon: { cordoned: false, by: "nobody", evidence: "" },
    hasGpus: true,
    countsForBreaker: false,
    ...more,
  };
}

/** Ten good nodes, an allowed namespace, and a pod of it. */
export function goodFacts(more: Partial<GuardFacts> = {}): GuardFacts {
  return {
    nowMs,
    nodes: known(Array.from({ length: 10 }, (_, at) => guardNode(`n${at + 1}`))),
    namespace: known({ name: "team", labels: { [marks.namespaceOptIn]: "allowed" } }),
    pods: known([{ namespace: "team", name: "web", labels: {}, usesGpus: false, hasEnded: false }]),
    budgets: known([]),
    faults: known([]),
    breaker: known("CLOSED"),
    nvsentinel: known({ namespace: "nvsentinel", parts: [] }),
    otherDetectors: known({ gpud: false, dcgm: false }),
    ...more,
  };
}

export function xidAction(node = "n1", ...xids: readonly number[]): XidAction {
  const numbers = xids.length === 0 ? [79] : xids;
  return {
    kind: "xid",
    node,
    gpu: { index: 0 },
    lines: numbers.map((xid) => ({ xid })),
    correlationId: "0123456789ab",
  };
}

export function request(
  action: FaultAction = xidAction(),
  more: Partial<GuardRequest> = {},
): GuardRequest {
  return { action, namespace: "team", run: "run-1", ...more };
}

/** A fault as the cluster keeps it. */
export function fault(
  action: FaultAction,
  more: {
    readonly run?: string;
    readonly state?: FaultState;
    readonly at?: number;
    readonly name?: string;
    readonly namespace?: string;
  } = {},
): HardwareFault {
  const { run = "run-1", state = "injected", at = nowMs - 1_000, name = "xid-1" } = more;
  const { namespace = "team" } = more;
  const time = new Date(at).toISOString();
  return {
    metadata: { name, creationTimestamp: time },
    spec: {
      run,
      requestedBy: "somebody",
      namespace,
      action,
      expiresAt: time,
      leaseSeconds: 15,
    },
    status: { state, leaseUntil: time, history: [{ at: time, state, by: "test" }] },
  };
}

export const cudaAction = {
  kind: "cuda",
  node: "n1",
  scope: "team.deployment.web",
  fault: { xid: 79 },
} as const satisfies FaultAction;

export const passthroughAction = {
  kind: "passthrough",
  workload: { namespace: "team", name: "web", kind: "deployment" },
  scope: "team.deployment.web",
} as const satisfies FaultAction;

export const partitionAction = {
  kind: "partition",
  namespace: "team",
  policy: "cut",
  podSelector: { app: "web" },
  direction: "both",
} as const satisfies FaultAction;

interface Case {
  readonly request?: GuardRequest;
  readonly facts?: Partial<GuardFacts>;
  readonly limits?: Partial<GuardLimits>;
}

/** What one rule says about a fault on a cluster where all else is well. */
export function verdict(rule: string, more: Case = {}): string | undefined {
  return finding(rule, more)?.verdict;
}

/** The same, with its reason. */
export function finding(rule: string, more: Case = {}): GuardFinding | undefined {
  const findings = judgeGuard(more.request ?? request(), goodFacts(more.facts), {
    ...guardLimitsDefaults,
    ...more.limits,
  });
  return findings.find((each) => each.rule === rule);
}

/** These parts of NVSentinel are installed. */
export const parts = (...names: readonly string[]) =>
  known({ namespace: "nvsentinel", parts: names }) as GuardFacts["nvsentinel"];
