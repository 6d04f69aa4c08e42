import type { PeerReceiver } from '../../src/ports/data-exchange.js';

/** A receiver that stores every envelope and refuses all else, unless overridden. */
export function aReceiver(own: Partial<PeerReceiver> = {}): PeerReceiver {
  return {
    receiveEnvelope: async () => ({ status: 'stored' }),
    offerBlob: async () => ({ status: 'refused', reason: 'no blob is wanted' }),
    receiveBlob: async () => ({ status: 'refused', reason: 'no blob is wanted' }),
    receiveRequest: async () => ({ status: 'refused', reason: 'no batch is here' }),
    ...own,
  };
}

/** A promise, and the function that resolves it. */
export function aGate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A receiver that answers no envelope before `answer` is called; `arrived` resolves with the first one. */
export function aWaitingReceiver(): {
  readonly receiver: PeerReceiver;
  readonly arrived: Promise<void>;
  readonly answer: () => void;
} {
  const [arrived, answered] = [aGate(), aGate()];
  const receiver = aReceiver({
    async receiveEnvelope() {
      arrived.open();
      await answered.passed;
      return { status: 'stored' };
    },
  });
  return { receiver, arrived: arrived.passed, answer: answered.open };
}

/** A receiver of one blob that records its transfers. */
export interface BlobReceiver extends PeerReceiver {
  readonly bytes: () => Buffer;
  /** The offset of each attempt. */
  readonly starts: readonly number[];
  /** Resolves with the first bytes. */
  readonly begun: Promise<void>;
  /** Resolves when no transfer is in progress. */
  idle(): Promise<void>;
  /** The result of the first attempt. */
  readonly firstEnd: Promise<'whole' | 'failed'>;
}

/** A receiver of one blob that resumes where the last attempt ended. */
export function aBlobReceiver(): BlobReceiver {
  let kept = Buffer.alloc(0);
  const starts: number[] = [];
  const underWay = new Set<Promise<void>>();
  const begun = aGate();
  let settle: (outcome: 'whole' | 'failed') => void = () => undefined;
  const firstEnd = new Promise<'whole' | 'failed'>((resolve) => {
    settle = resolve;
  });
  return {
    ...aReceiver(),
    bytes: () => kept,
    starts,
    begun: begun.passed,
    firstEnd,
    async idle() {
      await Promise.all(underWay);
    },
    offerBlob: async () => ({ status: 'wanted', start: kept.length }),
    async receiveBlob(_sender, _offer, start, bytes) {
      starts.push(start);
      const ended = aGate();
      underWay.add(ended.passed);
      try {
        for await (const chunk of bytes) {
          kept = Buffer.concat([kept, chunk]);
          begun.open();
        }
        settle('whole');
        return { status: 'stored' };
      } catch (error) {
        settle('failed');
        throw error;
      } finally {
        ended.open();
        underWay.delete(ended.passed);
      }
    },
  };
}
