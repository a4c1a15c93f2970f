/** What a detector reads in a line. */
export interface Detection {
  readonly kind: "xid" | "sxid" | "fallen-off-bus";
  /** The XID or SXid; 79 for a GPU that fell off the bus. */
  readonly number: number;
  /** The address as this detector reports it, without `PCI:`. */
  readonly pci: string;
}

const int64Max = 9_223_372_036_854_775_807n;

/** Decimal digits as both detectors read them; undefined when they are too many for them. */
export function integerOf(digits: string): number | undefined {
  const plain = digits.replace(/^0+/, "");
  return plain.length > 19 || BigInt(plain) > int64Max ? undefined : Number(plain);
}
