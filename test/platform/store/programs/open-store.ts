import { openStore } from "../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";

const [url = ""] = process.argv.slice(2);
const store = await openStore({ url, clock: createRealClock() });
process.stdout.write(`${store.instance.id}\n`);
await store.close();
