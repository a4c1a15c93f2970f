/** What breaks pods and nodes, how it is undone, and how it shows. */
export type { DeedContext } from "./deed.ts";
export { deedsOf, targetText } from "./deeds-of.ts";
