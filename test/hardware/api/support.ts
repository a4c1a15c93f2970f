import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { startFaultApi } from "../../../src/hardware/api/index.ts";
import { createFaultClient, type FaultClient } from "../../../src/hardware/client/index.ts";
import { createFaultBook, type FaultBook } from "../../../src/hardware/faults/index.ts";
import { type GuardFinding, guardLimitsDefaults } from "../../../src/hardware/guard/index.ts";
import type { HardwareFault } from "../../../src/hardware/objects/index.ts";
import type { KubeClient } from "../../../src/platform/kube/index.ts";
import { createLogger } from "../../../src/platform/log/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { type AuditRecord, auditLog, openStore } from "../../../src/platform/store/index.ts";
import { type Clock, createRealClock } from "../../../src/platform/time/index.ts";
import { collections, type FakeKube, startFakeKube } from "../../support/fake-kube/index.ts";
import { tempDir } from "../../support/temp-dir.ts";

export const installation = "tessera-hardware";

/** Who may do what where, as `user verb namespace`; a token is the user's name with `-token`. */
export type Rights = Set<string>;

export const allVerbs = ["plan", "inject", "renew", "revert", "read", "audit"] as const;

/** Answers reviews of tokens and rights as an API server with these rights would. */
export function answerReviews(kube: FakeKube, rights: Rights): void {
  kube.answerPost("/apis/authentication.k8s.io/v1/tokenreviews", ({ body }) => {
    const { token } = (body as unknown as { spec: { token: string } }).spec;
    const name = /^(\w+)-token$/.exec(token)?.[1];
    const user = { username: `user:${name}`, uid: `uid-${name}`, groups: ["testers"] };
    return {
      status: name === undefined ? { authenticated: false } : { authenticated: true, user },
    };
  });
  kube.answerPost("/apis/authorization.k8s.io/v1/subjectaccessreviews", ({ body }) => {
    const { user, resourceAttributes } = (
      body as unknown as {
        spec: { user: string; resourceAttributes: Record<string, string> };
      }
    ).spec;
    const { verb, namespace, group, resource } = resourceAttributes;
    const isOurs = group === "tessera.dev" && resource === "hardwarefaults";
    return { status: { allowed: isOurs && rights.has(`${user} ${verb} ${namespace}`) } };
  });
}

export interface TestApi {
  readonly kube: FakeKube;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly url: string;
  readonly rights: Rights;
  /** What the guard finds; change it to have faults refused. */
  readonly findings: GuardFinding[];
  readonly book: FaultBook;
  readonly logged: () => string;
  readonly stop: () => Promise<void>;
  as(user: string): FaultClient;
  audit(): Promise<readonly AuditRecord[]>;
  fault(id: string): HardwareFault | undefined;
  /** One plain request as a user. */
  send(
    user: string | undefined,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly json: Record<string, unknown> }>;
}

/** A fault API on a fake cluster with two GPU nodes and a workload, all gone when the test ends. */
export async function startTestApi(
  options: {
    readonly clock?: Clock;
    readonly allowNamespaces?: readonly string[];
    /** What is foretold. */
    readonly plan?: object;
  } = {},
): Promise<TestApi> {
  const { kube, client, clock } = await startFakeKube({
    clock: options.clock ?? createRealClock(),
  });
  seed(kube);
  const rights: Rights = new Set(allVerbs.map((verb) => `user:alice ${verb} prod`));
  answerReviews(kube, rights);
  const lines: string[] = [];
  const log = createLogger({
    level: "debug",
    format: "json",
    stream: { write: (text: string) => lines.push(text) },
    clock,
  });
  const url = pathToFileURL(join(await tempDir(), "store.db")).href.replace("file:", "sqlite:");
  const store = await openStore({ url, clock });
  const findings: GuardFinding[] = [
    { rule: "opt-in", verdict: "ok", reason: "the node has the label" },
  ];
  const api = await startFaultApi({
    client,
    clock,
    rng: createRng("api tests"),
    log,
    store,
    namespace: installation,
    limits: { ...guardLimitsDefaults, namespaces: [...(options.allowNamespaces ?? ["prod"])] },
    judge: {
      judge: async () => ({ findings, plan: options.plan ?? { lines: [] }, text: "the plan" }),
    },
    port: 0,
  });
  onTestFinished(async () => {
    await api.stop();
    await store.close();
  });
  return {
    kube,
    client,
    clock,
    url: api.url,
    rights,
    findings,
    book: createFaultBook({ client, namespace: installation, clock, by: "agent/gpu-1" }),
    logged: () => lines.join(""),
    stop: api.stop,
    as: (user) => createFaultClient({ url: api.url, token: `${user}-token`, clock }),
    audit: () => auditLog.list(store.db, { limit: 1000 }),
    fault: (id) =>
      kube.get(collections.hardwareFaults, `${installation}/${id}`) as HardwareFault | undefined,
    send: (user, method, path, body) => send(api.url, user, method, path, body),
  };
}

async function send(
  url: string,
  user: string | undefined,
  method: string,
  path: string,
  body: unknown,
) {
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(user === undefined ? {} : { authorization: `Bearer ${user}-token` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : { text };
  return { status: response.status, json };
}

/** A request that is allowed on the seeded cluster. */
export const xidRequest = {
  run: "run-1",
  namespace: "prod",
  action: { kind: "xid", node: "gpu-1", gpu: { index: 0 }, lines: [{ xid: 79 }] },
  durationSeconds: 60,
  leaseSeconds: 30,
} as const;

export const passthroughRequest = {
  run: "run-1",
  namespace: "prod",
  action: {
    kind: "passthrough",
    workload: { namespace: "prod", name: "vllm", kind: "deployment" },
  },
  durationSeconds: 60,
  leaseSeconds: 30,
} as const;

export const partitionRequest = {
  run: "run-1",
  namespace: "prod",
  action: { kind: "partition", podSelector: { app: "vllm" } },
  durationSeconds: 60,
  leaseSeconds: 30,
} as const;

function seed(kube: FakeKube): void {
  for (const name of ["gpu-1", "gpu-2"]) {
    kube.put(collections.nodes, { metadata: { name }, spec: {}, status: { conditions: [] } });
  }
  kube.put(collections.namespaces, { metadata: { name: "prod" } });
  const container = { name: "vllm", resources: { limits: { "nvidia.com/gpu": "1" } } };
  kube.put(collections.deployments, {
    metadata: { name: "vllm", namespace: "prod" },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "vllm" } },
      template: { metadata: { labels: { app: "vllm" } }, spec: { containers: [container] } },
    },
  });
  for (const [name, app] of [
    ["vllm-0", "vllm"],
    ["vllm-1", "vllm"],
    ["frontend-0", "frontend"],
  ] as const) {
    kube.put(collections.pods, {
      metadata: { name, namespace: "prod", labels: { app, "pod-template-hash": name } },
      spec: { nodeName: "gpu-1" },
    });
  }
}
