/** Which answers belong together: the same check with the same software has the same bits. */
export interface GoldenKey {
  readonly cluster: string;
  readonly check: string;
  /** Whatever may change the bits: model, driver, libraries, kernels. */
  readonly softwareKey: string;
}

/** What nodes with the same software agreed on, frozen. */
export interface Golden extends GoldenKey {
  /** By case and output. */
  readonly digests: Readonly<Record<string, string>>;
}

/** The digests that one run handed in. */
export interface RunDigests {
  readonly softwareKey: string;
  /** By case and output, then by device. */
  readonly digests: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A key no two have. */
export function goldenKeyText({ cluster, check, softwareKey }: GoldenKey): string {
  return JSON.stringify([cluster, check, softwareKey]);
}
