/** What is used of a vitest JSON report. */
interface Report {
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export function filesThatCrashed(report: Report): string[];
export function withoutCrashed<T extends Report>(report: T): T;
