import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** The store. */
export const storeRows = {
  E_STORE_URL: {
    message: "The store URL {url} cannot be used: {problem}.",
    hint: "Use sqlite:PATH for a file on a local disk, or postgres://USER@HOST/DATABASE for PostgreSQL.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_STORE_DRIVER: {
    message: "The store {store} needs the package {package}, which cannot be loaded here.",
    hint: "Run `npm install {package}` where Tessera is installed, or choose another store with TESSERA_STORE_URL.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_UNUSABLE: {
    message: "The store {store} cannot be used: {problem}.",
    hint: "Nothing was lost. Run `tessera doctor` to see what the store needs.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_MISSING: {
    message: "There is no store at {store} yet, so nothing is known.",
    hint: "`tessera up` and `tessera validate` make one; name another with TESSERA_STORE_URL or TESSERA_DATA_DIR.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_BUSY: {
    message: "The store {store} is busy: {problem}.",
    hint: "Nothing of this write was kept. Look for another process that uses the store, then try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_CORRUPT: {
    message: "The store {store} is damaged, or is not a database: {problem}.",
    hint: "Nothing was changed. Keep a copy of the file, then restore a backup or let TESSERA_STORE_URL name a new one.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
  E_STORE_NEWER: {
    message:
      "The store {store} was used by a newer Tessera: its schema is version {found}, this Tessera knows up to {known}.",
    hint: "Nothing was changed. Update Tessera, or let TESSERA_STORE_URL name another store.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_HISTORY: {
    message: "The schema of the store {store} has another history than this Tessera's: {problem}.",
    hint: "Nothing was changed. Use the Tessera that made the store, or restore a backup.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
} as const satisfies Record<string, ErrorRow>;
