import type { Migration } from "../migration.ts";
import { foundation } from "./0001-foundation.ts";

/** Every migration, in order. Add to the end; never change one that was released. */
export const migrations: readonly Migration[] = [foundation];
