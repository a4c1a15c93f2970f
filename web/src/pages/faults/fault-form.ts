/** What the form holds: texts, as people type them. */
export interface FaultFields {
  readonly namespace: string;
  readonly node: string;
  readonly gpu: string;
  readonly xid: string;
  readonly minutes: string;
  readonly allowRealReboot: boolean;
}

/** What goes over the wire; the server reads it again. */
export interface FaultRequest {
  readonly namespace: string;
  readonly node: string;
  readonly gpu: number;
  readonly xid: number;
  readonly durationSeconds: number;
  readonly allowRealReboot: boolean;
}

export const emptyFields: FaultFields = {
  namespace: "",
  node: "",
  gpu: "0",
  xid: "79",
  minutes: "5",
  allowRealReboot: false,
};

export type FieldErrors = Partial<Readonly<Record<keyof FaultFields, string>>>;

const name = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const minutesMax = 1440;

/** The request in the fields, or what is wrong with which of them. */
export function readFields(
  fields: FaultFields,
): { readonly request: FaultRequest } | { readonly errors: FieldErrors } {
  const gpu = wholeNumber(fields.gpu, 0, 63);
  const xid = wholeNumber(fields.xid, 1, 999);
  const minutes = Number(fields.minutes);
  const seconds = fields.minutes.trim() === "" ? Number.NaN : Math.round(minutes * 60);
  const errors: FieldErrors = {
    ...nameError("namespace", fields.namespace),
    ...nameError("node", fields.node),
    ...(gpu === undefined ? { gpu: "A number from 0 to 63." } : {}),
    ...(xid === undefined ? { xid: "A number from 1 to 999." } : {}),
    ...(seconds >= 5 && minutes <= minutesMax ? {} : { minutes: "From 0.1 to 1440 minutes." }),
  };
  if (Object.keys(errors).length > 0 || gpu === undefined || xid === undefined) return { errors };
  const { namespace, node, allowRealReboot } = fields;
  return {
    request: {
      namespace: namespace.trim(),
      node: node.trim(),
      gpu,
      xid,
      durationSeconds: seconds,
      allowRealReboot,
    },
  };
}

function nameError(field: "namespace" | "node", typed: string): FieldErrors {
  const text = typed.trim();
  if (text === "") return { [field]: `Which ${field}?` };
  const isName = text.length <= 253 && name.test(text);
  return isName ? {} : { [field]: "Lower-case letters, digits, hyphens and dots." };
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}
