// Closes a store while a statement waits for its answer: close-at-work.ts DATABASE
import { openStore } from "../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";

const store = await openStore({ url: `sqlite:${process.argv[2]}`, clock: createRealClock() });
const read = () => store.db.selectFrom("tokens").selectAll().execute();
// Opens the connection that reads.
await read();
const reading = read().then(() => process.stdout.write("read\n"));
// The statement must have been sent before the store is told to close.
await new Promise((wake) => setImmediate(wake));
await store.close();
process.stdout.write("closed\n");
await reading;
