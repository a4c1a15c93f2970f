import { killSuite } from "../support/kill-suite.ts";

await killSuite("proxy", undefined);
