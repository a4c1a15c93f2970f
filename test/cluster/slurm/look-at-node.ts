/** A node as users meet it. */
interface NodeLook {
  readonly closed: boolean;
  /** Empty where nobody gave one. */
  readonly reason: string;
}

/** Runs one of Slurm's programs; what it printed. */
type Run = (program: string, args: readonly string[]) => Promise<string>;

/**
 * Looks at a node. While a closed one is tested it is not drained: a reservation keeps them
 * away. Slurm cannot be asked for both at once, so reservations are looked at before the node and after
 * it; else a look that meets the begin or the end of such a test would see neither.
 */
export async function lookAtNode(run: Run, name: string): Promise<NodeLook> {
  const isReserved = async () => {
    const reservations = await run("scontrol", ["-o", "show", "reservations"]);
    return new RegExp(`ReservationName=tessera-\\S*-${name} `).test(reservations);
  };
  const wasReserved = await isReserved();
  const node = await run("scontrol", ["-o", "show", "node", name]);
  const [, reason = ""] = / Reason=(.*?)(?: \[\S+@\S+\])?\s*$/.exec(node) ?? [];
  const isDrained = /\bState=\S*DRAIN/.test(node);
  return { closed: wasReserved || isDrained || (await isReserved()), reason };
}
