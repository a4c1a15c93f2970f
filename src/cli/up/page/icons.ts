import type { FindingView } from "../../../platform/http/index.ts";
import { type Markup, trustedMarkup } from "../../../platform/plots/markup.ts";

/** Shapes that differ without colour: tick in a disc, bar in a triangle, cross in a square, mark in a ring. */
const shapes: Readonly<Record<FindingView["state"], string>> = {
  works:
    '<circle cx="12" cy="12" r="10" fill="currentColor"/><path class="cut" d="m7.5 12.4 3 3 6-6.3"/>',
  limited:
    '<path d="M12 2.6 22.4 20.6H1.6Z" fill="currentColor" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/><path class="cut" d="M12 9.2v5M12 17.4v.1"/>',
  missing:
    '<rect x="2.5" y="2.5" width="19" height="19" rx="4" fill="currentColor"/><path class="cut" d="m8.2 8.2 7.6 7.6m0-7.6-7.6 7.6"/>',
  unknown:
    '<circle cx="12" cy="12" r="9.2" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="3.6 2.4"/><path d="M9.4 9.6a2.7 2.7 0 1 1 3.9 2.4c-.9.5-1.3 1-1.3 1.9M12 17v.1" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>',
};

/** The sign of a state; always beside its word, so it says nothing to a screen reader. */
export function stateIcon(state: FindingView["state"]): Markup {
  return trustedMarkup(
    `<svg class="icon ${state}" viewBox="0 0 24 24" aria-hidden="true">${shapes[state]}</svg>`,
  );
}

const tiles =
  '<rect x="2" y="2" width="9" height="9" rx="2" fill="#1f7a4d"/><rect x="13" y="2" width="9" height="9" rx="2" fill="#2f6fb3"/><rect x="2" y="13" width="9" height="9" rx="2" fill="#2f6fb3"/><rect x="13" y="13" width="9" height="9" rx="2" fill="none" stroke="#c98a1b" stroke-width="2" stroke-dasharray="3 2"/>';

/** Four tiles of a mosaic, one of them still to prove. */
export const logo: Markup = trustedMarkup(
  `<svg class="logo" viewBox="0 0 24 24" aria-hidden="true">${tiles}</svg>`,
);

/** The same as an icon of the browser's tab. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${tiles}</svg>`,
)}`;
