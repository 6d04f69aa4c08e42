import type { Frame } from './durable-record.js';

interface EventText extends Frame {
  readonly type: string;
  readonly subscription: { readonly id: string };
  readonly events?: readonly Frame[];
}

/** Reads what a durable subscription has handed over: one event, or a batch. */
export function readFrames(text: string) {
  const frame = JSON.parse(text) as EventText;
  return { id: frame.id, frames: frame.events ?? [frame], subscription: frame.subscription.id };
}
