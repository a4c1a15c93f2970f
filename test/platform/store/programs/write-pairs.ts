import { openStore } from "../../../../src/platform/store/open-store.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { writePair } from "../support/pairs.ts";
import { withPairs } from "../support/pairs-migration.ts";

// Writes pairs until it is killed, and says each one's number as soon as it was acknowledged.
const [url = "", first = "0"] = process.argv.slice(2);
const callers = 6;
let next = Number(first);
const store = await openStore({ url, clock: createRealClock(), migrations: withPairs });
process.stdout.write("ready\n");
await Promise.all(
  Array.from({ length: callers }, async () => {
    for (;;) {
      const pair = next++;
      await store.transaction((trx) => writePair(trx, pair));
      // A pipe takes it before the call returns, so that no number is lost by the kill.
      process.stdout.write(`${pair}\n`);
    }
  }),
);
