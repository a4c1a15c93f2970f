import type { RngStream } from "../../../platform/rng/index.ts";
import type { ActiveEffect } from "./link-effect.ts";

/**
 * Whether an exchange is one of those that a rule is for. All links of an injection decide alike: the
 * first that meets an exchange draws, the others find what was drawn.
 */
export function hitsMessage(
  { effect, state }: ActiveEffect,
  { generation, chance }: { readonly generation: number; readonly chance: RngStream },
  exchange: number,
): boolean {
  if (effect.kind !== "messages") return false;
  const { rule } = effect;
  const key = `${generation} ${exchange}`;
  const known = state.decided.get(key);
  if (known !== undefined) return known;
  const isHit = state.hit < rule.count && (rule.share >= 1 || chance.float() < rule.share);
  if (isHit) state.hit++;
  state.decided.set(key, isHit);
  return isHit;
}
