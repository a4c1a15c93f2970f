/**
 * Ends that say nothing about the node: it could not be started (126, 127), was interrupted (130) or
 * asked to end (143).
 */
export const harmlessExitCodes: ReadonlySet<number> = new Set([0, 126, 127, 130, 143]);

/** The same, of those that a signal ended: interrupted, asked to end. */
export const harmlessSignals: ReadonlySet<number> = new Set([2, 15]);
