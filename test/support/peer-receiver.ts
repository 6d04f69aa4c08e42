import type { PeerReceiver } from '../../src/ports/data-exchange.js';

/** A receiver that stores every envelope and wants no blob, unless it is told otherwise. */
export function aReceiver(own: Partial<PeerReceiver> = {}): PeerReceiver {
  return {
    receiveEnvelope: async () => ({ status: 'stored' }),
    offerBlob: async () => ({ status: 'refused', reason: 'no blob is wanted' }),
    receiveBlob: async () => ({ status: 'refused', reason: 'no blob is wanted' }),
    ...own,
  };
}

/** Something that a test waits for, and the way to let it happen. */
export function aGate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A receiver of one blob, which it keeps from wherever the last attempt ended. */
export function aBlobReceiver(): PeerReceiver & { readonly bytes: () => Buffer; readonly starts: readonly number[] } {
  let kept = Buffer.alloc(0);
  const starts: number[] = [];
  return {
    ...aReceiver(),
    bytes: () => kept,
    starts,
    offerBlob: async () => ({ status: 'wanted', start: kept.length }),
    async receiveBlob(_sender, _offer, start, bytes) {
      starts.push(start);
      for await (const chunk of bytes) kept = Buffer.concat([kept, chunk]);
      return { status: 'stored' };
    },
  };
}
