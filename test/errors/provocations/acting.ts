import { join } from "node:path";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { type History, openHistory } from "../../../src/validation/history/index.ts";
import { baseline } from "../../validation/judge/records.ts";
import {
  fromCli,
  type Provocation,
  type ProvocationContext,
  type Provoked,
} from "../provocation.ts";

const clock = createRealClock();

/** Runs a command on a store that has been made and filled. */
async function onStore(
  { cli, tempDir }: ProvocationContext,
  args: readonly string[],
  fill: (history: History) => Promise<void> = async () => {},
): Promise<Provoked> {
  const url = `sqlite:${join(tempDir, "t.db")}`;
  const store = await openStore({ url, clock });
  await fill(openHistory(store));
  await store.close();
  return fromCli(await cli(args, { env: { TESSERA_STORE_URL: url, TESSERA_DATA_DIR: tempDir } }));
}

const speed = baseline().figures["speed"];

/** Two baselines of one scope: the first in force, the second a candidate with a worse median. */
async function saveTwo(history: History): Promise<void> {
  const by = { actor: "ann", reason: "a test" };
  const times = { madeAtMs: clock.nowMs(), expiresAtMs: clock.nowMs() + 1e9 };
  const { figures, sku, check, cohort, provenance } = baseline();
  const scope = { sku, check, cohort, provenance };
  await history.saveBaseline({ id: "bl-00000000aaaa", ...scope, ...times, figures }, by);
  const change = { state: "active", atMs: clock.nowMs(), ...by } as const;
  await history.changeBaseline("bl-00000000aaaa", change);
  const worse = speed === undefined ? {} : { speed: { ...speed, median: 90 } };
  await history.saveBaseline({ id: "bl-00000000bbbb", ...scope, ...times, figures: worse }, by);
}

export const provocations: readonly Provocation[] = [
  {
    code: "E_BASELINE_UNKNOWN",
    how: "showing a baseline that is not there",
    provoke: (context) => onStore(context, ["baseline", "show", "bl-ffffffffffff"]),
  },
  {
    code: "E_BASELINE_REFUSED",
    how: "activating a baseline that is 10 % worse than the one in force",
    provoke: (context) =>
      onStore(context, ["baseline", "activate", "bl-00000000bbbb", "--reason", "x"], saveTwo),
  },
  {
    code: "E_BASELINE_STATE",
    how: "activating a baseline that is in force already",
    provoke: (context) =>
      onStore(context, ["baseline", "activate", "bl-00000000aaaa", "--reason", "x"], saveTwo),
  },
  {
    code: "E_NODE_UNKNOWN",
    how: "holding a node with a mistyped name",
    provoke: (context) => onStore(context, ["node", "hold", "gpu-x17", "--reason", "x"]),
  },
];
