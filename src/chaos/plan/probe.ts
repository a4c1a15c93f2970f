/** A question about the steady state. It holds, or says why not; no answer is no "holds". */
export type Probe =
  /** Units per second over a window, against the paired run without faults. */
  | { readonly kind: "throughput"; readonly atLeastShare: number; readonly windowUs: number }
  /** A committed step at least so often. */
  | { readonly kind: "progress"; readonly withinUs: number }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly status: number;
      readonly timeoutUs: number;
    }
  | {
      readonly kind: "command";
      readonly command: readonly [string, ...string[]];
      readonly exitCode: number;
      readonly timeoutUs: number;
    }
  | {
      readonly kind: "kubernetes";
      readonly resource: string;
      readonly namespace: string | null;
      readonly name: string;
      /** A path such as `status.readyReplicas`. */
      readonly field: string;
      readonly is: Comparison;
    }
  | {
      readonly kind: "promql";
      readonly url: string;
      readonly query: string;
      readonly is: Comparison;
    };

export interface Comparison {
  readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=";
  readonly value: string | number | boolean;
}
