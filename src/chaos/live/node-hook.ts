/** How an installation takes a whole node away and brings it back: its power, its daemon. */
export interface NodeHook {
  stop(node: string): Promise<void>;
  /** Doing it twice is doing it once. */
  start(node: string): Promise<void>;
}
