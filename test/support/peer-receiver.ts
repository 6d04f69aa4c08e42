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

/** A receiver that answers no envelope before `answer` is called; `arrived` resolves when the first one is there. */
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

/** What a receiver of one blob has seen. */
export interface BlobReceiver extends PeerReceiver {
  readonly bytes: () => Buffer;
  /** From where each attempt went on. */
  readonly starts: readonly number[];
  /** Resolves when the first bytes are here. */
  readonly begun: Promise<void>;
  /** Resolves when no attempt is under way. */
  idle(): Promise<void>;
  /** How the first attempt ended. */
  readonly firstEnd: Promise<'whole' | 'failed'>;
}

/** A receiver of one blob, which it keeps from wherever the last attempt ended. */
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
