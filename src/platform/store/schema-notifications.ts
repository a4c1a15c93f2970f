import type { Generated } from "kysely";
import type { Fixed, JsonText, RowNumber, TimeMs } from "./schema-columns.ts";

/** Something a target is to be told of; written before anything is sent. */
export interface NotificationNewsTable {
  seq: RowNumber;
  target: Fixed<string>;
  /** The same news again is no news: one of each for a target. */
  id: Fixed<string>;
  event: Fixed<string>;
  at: Fixed<TimeMs>;
  document: Fixed<JsonText>;
  /** The message it goes out with; null until one is made. */
  delivery: Generated<string | null>;
}

/** A message: its content is the news that names it, so that it is the same at each attempt. */
export interface NotificationDeliveryTable {
  id: Fixed<string>;
  target: Fixed<string>;
  made_at: Fixed<TimeMs>;
  state: Generated<"waiting" | "delivered" | "failed">;
  attempts: Generated<number>;
  due_at: TimeMs;
  /** Whoever sends it has it until then. */
  leased_until: Generated<TimeMs>;
  last_error: Generated<string | null>;
  ended_at: Generated<TimeMs | null>;
}

/** What was last told of a node, its closing or a cluster, so that only changes are. */
export interface NotificationSubjectTable {
  key: Fixed<string>;
  state: string;
  changed_at: TimeMs;
}

/** How far each kind of record has been read, and since when each target is told. */
export interface NotificationCursorTable {
  name: Fixed<string>;
  seq: number;
}

export interface NotificationSchema {
  notification_news: NotificationNewsTable;
  notification_deliveries: NotificationDeliveryTable;
  notification_subjects: NotificationSubjectTable;
  notification_cursors: NotificationCursorTable;
}
