/** A line of the log after the first, checked; the node still by name. */
export interface EventLine {
  readonly type: "free" | "busy" | "crash" | "kernel" | "defect" | "repair";
  readonly t: number;
  readonly node: string;
  /** The job of a crash, the id of a defect, or "". */
  readonly id: string;
  /** The kind of a defect, or "". */
  readonly kind: string;
  /** The xid of a kernel event, or 0. */
  readonly xid: number;
  /** The hidden cause. */
  readonly cause: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const types = ["free", "busy", "crash", "kernel", "defect", "repair"] as const;

/** Reads one event, or says what is wrong with it. Fields nobody knows are left alone. */
export function parseEvent(value: unknown): EventLine | string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "it is not an object";
  }
  const fields = value as Fields;
  const type = types.find((one) => one === fields["type"]);
  if (type === undefined) return `there is no event ${JSON.stringify(fields["type"])}`;
  const { t } = fields;
  if (typeof t !== "number" || !Number.isFinite(t)) return `the t of a ${type} must be a number`;
  const node = nameIn(fields, "node");
  if (node === undefined) return `a ${type} must name a node`;
  const event = { type, t, node, id: "", kind: "", xid: 0, cause: undefined };
  if (type === "free" || type === "busy") return event;
  if (type === "defect") return defectOf(event, fields);
  const cause = nameIn(fields, "defect");
  if (cause === undefined && (fields["defect"] ?? null) !== null) {
    return "a cause is the id of a defect";
  }
  if (type === "repair") return { ...event, cause };
  if (type === "crash") {
    const id = nameIn(fields, "job");
    return id === undefined ? "a crash must name its job" : { ...event, id, cause };
  }
  const xid = Number(fields["xid"]);
  return Number.isSafeInteger(xid) && fields["xid"] !== null
    ? { ...event, xid, cause }
    : "a kernel event must have a whole number as xid";
}

function defectOf(event: EventLine, fields: Fields): EventLine | string {
  const id = nameIn(fields, "id");
  const kind = nameIn(fields, "kind");
  if (id === undefined) return "a defect must have an id";
  return kind === undefined ? "a defect must have a kind" : { ...event, id, kind };
}

function nameIn(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
