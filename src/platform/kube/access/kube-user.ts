/** A user as the API server knows it; every part counts when it is asked what they may do. */
export interface KubeUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}
