/** What the proxy does to one direction between two slots. */
export type LinkEffect =
  /** Nothing passes; what is sent waits for the end of it. */
  | { readonly kind: "cut" }
  | { readonly kind: "delay"; readonly latencyUs: number; readonly jitterUs: number }
  | { readonly kind: "cap"; readonly bytesPerSecond: number }
  /** Lost packets are sent again by the other side's kernel: the stream stands still until then. */
  | { readonly kind: "loss"; readonly share: number }
  | { readonly kind: "flap"; readonly downUs: number; readonly upUs: number }
  | { readonly kind: "slow"; readonly factor: number }
  /** Messages of exchanges, counted together over all links of the effect. */
  | { readonly kind: "messages"; readonly rule: MessageRule };

/** What happens to the messages of the next exchanges. */
export interface MessageRule {
  readonly action: "drop" | "delay";
  readonly count: number;
  /** Of the exchanges that pass, by chance. */
  readonly share: number;
  readonly delayUs: number;
}

/** One effect that is in force on a direction. */
export interface ActiveEffect {
  readonly injection: string;
  readonly effect: LinkEffect;
  /** Shared by all directions of an injection. */
  readonly state: EffectState;
}

/** What an injection has done so far, over all its links. */
export interface EffectState {
  readonly sinceMs: number;
  /** By exchange: whether it is one of those that are hit. */
  readonly decided: Map<string, boolean>;
  hit: number;
}
