/** NVSentinel's recommended actions and the numbers they have on the wire. */
export const recommendedActions = {
  NONE: 0,
  COMPONENT_RESET: 2,
  CONTACT_SUPPORT: 5,
  RUN_FIELDDIAG: 6,
  RESTART_VM: 15,
  RESTART_BM: 24,
  REPLACE_VM: 25,
  RUN_DCGMEUD: 26,
  CUSTOM: 27,
  UNKNOWN: 99,
} as const;
export type RecommendedAction = keyof typeof recommendedActions;

/** A thing that is broken: `PCI 0000:3b:00`, `GPU_UUID GPU-…`. */
export interface Entity {
  readonly entityType: string;
  readonly entityValue: string;
}

/** What a monitor reports; absent booleans are false, as on the wire. */
export interface HealthEvent {
  readonly version: number;
  readonly agent: string;
  readonly componentClass: string;
  readonly checkName: string;
  readonly isFatal?: boolean;
  readonly isHealthy?: boolean;
  readonly message?: string;
  /** Its number; absent: NONE. */
  readonly recommendedAction?: number;
  readonly errorCode?: readonly string[];
  readonly entitiesImpacted?: readonly Entity[];
  readonly generatedTimestamp?: { readonly seconds: number };
  readonly nodeName: string;
  /** 1 is EXECUTE_REMEDIATION; others are kept and change nothing on the node. */
  readonly processingStrategy?: number;
  readonly id?: string;
}

/** What the parser of the syslog monitor makes of one line. */
export interface XidReading {
  readonly xid: number;
  /** Without a function digit: `0000:3b:00`. */
  readonly pci: string;
  readonly action: RecommendedAction;
}

const agent = "syslog-health-monitor";

/** The event of one XID line. */
export function xidEvent(
  reading: XidReading,
  about: {
    readonly node: string;
    readonly line: string;
    readonly atMs: number;
    readonly id: string;
    /** What metadata-collector knows; without it a reset of the GPU becomes a restart of the machine. */
    readonly gpuUuid?: string | undefined;
  },
): HealthEvent {
  const { node, line, atMs, id, gpuUuid } = about;
  const resetWithoutUuid = reading.action === "COMPONENT_RESET" && gpuUuid === undefined;
  const action = resetWithoutUuid ? "RESTART_VM" : reading.action;
  const uuid = gpuUuid === undefined ? [] : [{ entityType: "GPU_UUID", entityValue: gpuUuid }];
  return {
    version: 1,
    agent,
    componentClass: "GPU",
    checkName: "SysLogsXIDError",
    ...(action === "NONE" ? {} : { isFatal: true }),
    message: line,
    ...(action === "NONE" ? {} : { recommendedAction: recommendedActions[action] }),
    errorCode: [String(reading.xid)],
    entitiesImpacted: [{ entityType: "PCI", entityValue: reading.pci }, ...uuid],
    generatedTimestamp: { seconds: Math.floor(atMs / 1000) },
    nodeName: node,
    processingStrategy: 1,
    id,
  };
}

/** Says that a check of a node is well again: all of it, or these entities alone. */
export function healthyEvent(about: {
  readonly node: string;
  readonly atMs: number;
  readonly id: string;
  /** @default "SysLogsXIDError" */
  readonly checkName?: string;
  /** @default all */
  readonly entities?: readonly Entity[];
}): HealthEvent {
  return {
    version: 1,
    agent,
    componentClass: "GPU",
    checkName: about.checkName ?? "SysLogsXIDError",
    isHealthy: true,
    message: "No Health Failures",
    ...(about.entities === undefined ? {} : { entitiesImpacted: about.entities }),
    generatedTimestamp: { seconds: Math.floor(about.atMs / 1000) },
    nodeName: about.node,
    processingStrategy: 1,
    id: about.id,
  };
}

/** `RESTART_BM` of 24. */
export function actionName(number: number | undefined): RecommendedAction {
  const found = Object.entries(recommendedActions).find(([, value]) => value === (number ?? 0));
  return (found?.[0] ?? "UNKNOWN") as RecommendedAction;
}
