import type { View } from '../n8n/view.ts';
import type { Ask } from './border.ts';
import { guestView } from './guest-data.ts';
import { limitCollections } from './guest-limits.ts';

let payload = '';
let ask: Ask;
let view: View;

/** The activation this context was made for; called first, once. */
export function open(openedPayload: string, openedAsk: Ask, memoryMb: number): void {
  limitCollections(memoryMb);
  payload = openedPayload;
  ask = openedAsk;
  view = guestView(payload, ask);
}

export function openedView(): View {
  return view;
}

/** A view on copies that nobody else has. */
export function ownView(): View {
  return guestView(payload, ask);
}
