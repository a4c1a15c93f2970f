/** What begins so is never read, and swept when it is old. */
export const tempPrefix = ".tmp-";

/** How long a folder that nobody committed may belong to somebody who is still at work. */
export const leftoverMs = 3_600_000;
