/** What breaks jobs and nodes of Slurm, how it is undone, and how it shows. */
export type { DeedContext } from "./deed-context.ts";
export { deedsOf, targetText } from "./deeds-of.ts";
