/** The same error again within this time is the same trouble: drivers write it many times over. */
const quietS = 600;
/** Different errors remembered of a node at most. */
const xidsMax = 64;

/** Tells the first line of a burst of kernel errors from its repetitions, which say nothing new. */
export class KernelBursts {
  readonly #lastS = new Map<number, Map<number, number>>();

  /** Takes note of a kernel error. True when it is no repetition of the one before. */
  isNew(node: number, xid: number, nowS: number): boolean {
    const ofNode = this.#lastS.get(node) ?? new Map<number, number>();
    this.#lastS.set(node, ofNode);
    const last = ofNode.get(xid) ?? Number.NEGATIVE_INFINITY;
    if (ofNode.size >= xidsMax) ofNode.clear();
    ofNode.set(xid, nowS);
    return nowS - last > quietS;
  }
}
