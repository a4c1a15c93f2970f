import { lockSuite } from "./suites/locks.ts";
import { migrationSuite } from "./suites/migrations.ts";
import { repositorySuite } from "./suites/repositories.ts";
import { transactionSuite } from "./suites/transactions.ts";
import { describeOnEngines } from "./support/engines.ts";

describeOnEngines((engine) => {
  transactionSuite(engine);
  migrationSuite(engine);
  repositorySuite(engine);
  lockSuite(engine);
});
