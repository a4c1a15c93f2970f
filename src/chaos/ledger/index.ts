export type { Ledger } from "./ledger.ts";
export {
  type Injection,
  type LedgerEntry,
  type LedgerState,
  ledgerStates,
  type Undo,
  type UndoExecutor,
} from "./ledger-entry.ts";
export { type LedgerFiles, nodeLedgerFiles } from "./ledger-files.ts";
export { type OpenLedgerOptions, openLedger } from "./open-ledger.ts";
export {
  type LedgerRecovery,
  type RecoverOptions,
  recoverLedgers,
  residualIn,
} from "./recover-ledgers.ts";
