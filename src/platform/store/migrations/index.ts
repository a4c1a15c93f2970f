import type { Migration } from "../migration.ts";
import { foundation } from "./0001-foundation.ts";
import { runHistory } from "./0002-run-history.ts";
import { campaigns } from "./0003-campaigns.ts";
import { experiments } from "./0004-experiments.ts";
import { notifications } from "./0005-notifications.ts";

/** Every migration, in order. Add to the end; never change one that was released. */
export const migrations: readonly Migration[] = [
  foundation,
  runHistory,
  campaigns,
  experiments,
  notifications,
];
