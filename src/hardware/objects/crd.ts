import { faultKinds } from "./fault-action.ts";
import { endReasons, faultStates, hardwareFaults } from "./hardware-fault.ts";
import { workloadKinds } from "./workload-ref.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Limits on every text and list: the API server refuses what is larger, and rules stay cheap. */
const nameMax = 253;

const name: Schema = { type: "string", minLength: 1, maxLength: nameMax };
const text = (maxLength: number): Schema => ({ type: "string", maxLength });
const time: Schema = { type: "string", format: "date-time", maxLength: 40 };
const count: Schema = { type: "integer", minimum: 0 };
const amount: Schema = { type: "number", minimum: 0 };
const flag: Schema = { type: "boolean" };
/** Any JSON value: workloads of any kind are remembered. */
const anything: Schema = { "x-kubernetes-preserve-unknown-fields": true };

function object(properties: Schema, required: readonly string[] = []): Schema {
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties };
}

function list(items: Schema, maxItems: number, more: Schema = {}): Schema {
  return { type: "array", maxItems, ...more, items };
}

function map(values: Schema, maxProperties: number): Schema {
  return { type: "object", maxProperties, additionalProperties: values };
}

const labels = map(text(63), 32);
/** Null: there was none. */
const remembered = map({ ...text(262_144), nullable: true }, 64);

const workload = object(
  {
    namespace: name,
    name,
    kind: { type: "string", enum: workloadKinds },
    custom: object(
      {
        group: name,
        version: text(63),
        plural: text(63),
        kind: text(63),
        templatePaths: list(text(253), 32),
        podSelector: text(1_024),
      },
      ["group", "version", "plural", "kind", "templatePaths", "podSelector"],
    ),
  },
  ["namespace", "name", "kind"],
);

const cudaFault = object(
  {
    xid: count,
    gpus: list(count, 64),
    afterCalls: amount,
    afterMs: amount,
    probability: { type: "number", minimum: 0, maximum: 1 },
    latencyUs: amount,
    seed: { type: "number" },
  },
  ["xid"],
);

/** What each kind must say; the schema of a resource has no unions. */
const kindRules: Readonly<Record<(typeof faultKinds)[number], readonly string[]>> = {
  xid: ["node", "gpu", "lines", "correlationId"],
  cuda: ["node", "scope", "fault"],
  passthrough: ["workload", "scope"],
  partition: ["namespace", "policy", "podSelector", "direction"],
};

const action: Schema = {
  ...object(
    {
      kind: { type: "string", enum: faultKinds },
      node: name,
      gpu: object({ index: count, pci: text(16) }),
      lines: list(object({ xid: count, delayMs: amount, text: text(900) }, ["xid"]), 64, {
        minItems: 1,
      }),
      correlationId: { type: "string", pattern: "^[0-9a-f]{12}$", maxLength: 12 },
      scope: text(100),
      fault: cudaFault,
      workload,
      preferNode: name,
      namespace: name,
      policy: name,
      podSelector: labels,
      direction: { type: "string", enum: ["ingress", "egress", "both"] },
      exceptPods: labels,
      allowDns: flag,
    },
    ["kind"],
  ),
  "x-kubernetes-validations": Object.entries(kindRules).map(([kind, fields]) => ({
    rule: `self.kind != '${kind}' || (${fields.map(hasField).join(" && ")})`,
    message: `a fault of kind ${kind} needs ${fields.join(", ")}`,
  })),
};

/** `namespace` is a word of the rule language. */
function hasField(field: string): string {
  return `has(self.${field === "namespace" ? "__namespace__" : field})`;
}

const spec: Schema = {
  ...object(
    {
      run: name,
      requestedBy: text(nameMax),
      namespace: name,
      action,
      expiresAt: time,
      leaseSeconds: { type: "number", minimum: 0.001, maximum: 86_400 },
      allowRealReboot: flag,
    },
    ["run", "requestedBy", "namespace", "action", "expiresAt", "leaseSeconds"],
  ),
  "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "a fault never changes" }],
};

const undoEntry = object(
  {
    kind: { type: "string", enum: ["node", "workload", "control", "object"] },
    node: name,
    before: object(
      {
        unschedulable: flag,
        taints: list(
          object({ key: text(317), value: text(63), effect: text(63), timeAdded: text(40) }, [
            "key",
            "effect",
          ]),
          128,
        ),
        annotations: remembered,
        labels: remembered,
        conditions: remembered,
      },
      ["unschedulable", "taints", "annotations", "labels", "conditions"],
    ),
    workload,
    uid: text(nameMax),
    fields: list(
      object({ pointer: text(2_048), before: anything, applied: anything }, ["pointer"]),
      1_000,
    ),
    scope: text(100),
    type: object(
      { group: text(253), version: text(63), plural: text(63), kind: text(63), namespaced: flag },
      ["group", "version", "plural", "kind", "namespaced"],
    ),
    namespace: name,
    name,
    doneAt: time,
    left: list(text(1_024), 64),
  },
  ["kind"],
);

const state: Schema = { type: "string", enum: faultStates };

const status = object(
  {
    state,
    leaseUntil: time,
    end: object({ reason: { type: "string", enum: endReasons }, at: time, by: text(512) }, [
      "reason",
      "at",
      "by",
    ]),
    undo: list(undoEntry, 64),
    sightings: list(
      object({ at: time, by: text(512), what: text(63), detail: text(2_048) }, [
        "at",
        "by",
        "what",
      ]),
      32,
    ),
    history: list(object({ at: time, state, by: text(512) }, ["at", "state", "by"]), 32),
    message: text(1_024),
  },
  ["state", "leaseUntil"],
);

const columns = [
  ["State", ".status.state"],
  ["Kind", ".spec.action.kind"],
  ["Node", ".spec.action.node"],
  ["Run", ".spec.run"],
  // As it is written: a column of dates shows ages, and this one lies ahead.
  ["Expires", ".spec.expiresAt"],
].map(([column, jsonPath]) => ({ name: column, type: "string", jsonPath }));

const { group, version, plural, kind } = hardwareFaults;

/** The definition of the resource that faults are kept as. */
export const hardwareFaultCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: {
      plural,
      singular: "hardwarefault",
      kind,
      listKind: `${kind}List`,
      shortNames: ["hwf"],
    },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          ...columns,
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: { openAPIV3Schema: object({ spec, status }, ["spec"]) },
      },
    ],
  },
} as const;
