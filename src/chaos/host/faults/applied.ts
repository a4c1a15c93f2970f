import type { Applied } from "./host-control.ts";

/** Over as soon as it is done. */
export const nothingToUndo: Applied = { end: null };
