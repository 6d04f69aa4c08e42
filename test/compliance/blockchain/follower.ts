import assert from 'node:assert/strict';
import { expect } from 'vitest';
import type {
  Blockchain,
  ChainCursor,
  LogPage,
  LogSelection,
  PageAnswer,
  PinCall,
  PinLog,
} from '../../../src/ports/blockchain.js';

/** A reader of the chain that records what it receives. */
export interface Follower {
  /** Logs of the accepted pages, in order. */
  logs(): LogPage['logs'];
  pins(): readonly PinLog[];
  /** Every page handed over, including those that were not accepted. */
  attempts(): readonly LogPage[];
  /** The cursor of the last accepted page. */
  cursor(): ChainCursor;
  untilLogs(count: number): Promise<void>;
  /** Returns the pins, once there are exactly this many. */
  untilPins(count: number): Promise<readonly PinLog[]>;
  until(isReached: (pins: readonly PinLog[]) => boolean): Promise<readonly PinLog[]>;
  attempted(count: number): Promise<void>;
  /** Fails unless the accepted logs are in strictly rising chain order and no cursor goes back. */
  expectOrder(): void;
  /** Settles as `watch` does. */
  readonly ended: Promise<void>;
  /** Aborts and waits for the end. */
  stop(): Promise<void>;
}

export interface FollowOptions {
  readonly after?: ChainCursor;
  /** The number of first pages that are not accepted. */
  readonly failures?: number;
  /** Runs while a page is being accepted. */
  readonly during?: () => Promise<void>;
  readonly selection?: () => LogSelection;
  readonly onFollowing?: () => void;
}

export const noSources: LogSelection = { revision: 0, sources: [] };

/** Follows a chain. It accepts pages read with the current selection, and calls all others stale. */
export function follow(chain: Blockchain, options: FollowOptions = {}): Follower {
  const { after, failures = 0, during, selection = () => noSources, onFollowing = () => undefined } = options;
  const attempts: LogPage[] = [];
  const taken: LogPage[] = [];
  const listeners = new Set<() => void>();
  const stopped = new AbortController();

  async function take(page: LogPage): Promise<PageAnswer> {
    attempts.push(page);
    const isTaken = attempts.length > failures;
    await during?.();
    const isStale = page.revision !== selection().revision;
    if (isTaken && !isStale) taken.push(page);
    for (const listener of [...listeners]) listener();
    if (!isTaken) throw new Error('not taken');
    return isStale ? 'stale' : 'taken';
  }

  const ended = chain.watch({ after, selection, handler: take, onFollowing, signal: stopped.signal });
  // Callers that await the end get the error; the others must not fail before they report the reason.
  const settled = ended.then(
    () => undefined,
    () => undefined,
  );

  const logs = (): LogPage['logs'] => taken.flatMap((page) => page.logs);
  const pins = (): readonly PinLog[] => logs().filter((log) => log.type === 'batch_pin');

  async function until(isReached: () => boolean): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      const listener = (): void => {
        if (!isReached()) return;
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
      listener();
    });
    await Promise.race([reached, ended]);
    assert(isReached(), 'the watch ended before');
  }

  return {
    logs,
    pins,
    attempts: () => attempts,
    cursor() {
      const last = taken.at(-1);
      assert(last !== undefined, 'no page was taken');
      return last.cursor;
    },
    untilLogs: (count) => until(() => logs().length >= count),
    async untilPins(count) {
      await until(() => pins().length >= count);
      expect(pins()).toHaveLength(count);
      return pins();
    },
    async until(isReached) {
      await until(() => isReached(pins()));
      return pins();
    },
    attempted: (count) => until(() => attempts.length >= count),
    expectOrder() {
      const places = logs().map(({ position: { block, transactionIndex, logIndex } }) =>
        [block, transactionIndex, logIndex].map((number) => String(number).padStart(8, '0')).join('.'),
      );
      expect(places).toEqual([...new Set(places)].sort());
      const blocks = taken.map(({ cursor }) => cursor.block);
      expect(blocks).toEqual([...new Set(blocks)].sort((a, b) => a - b));
    },
    ended,
    async stop() {
      stopped.abort();
      await settled;
    },
  };
}

export function aPin(changes: Partial<PinCall> = {}): PinCall {
  return {
    type: 'pin_batch',
    transactionId: 'c0a7e1d4-5b62-4f3a-9c8d-7e6f5a4b3c21',
    batchId: '5e8d2f10-9a4b-4c3d-8e7f-6a5b4c3d2e10',
    batchHash: 'ab'.repeat(32),
    payloadRef: 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o',
    contexts: ['cd'.repeat(32)],
    ...changes,
  };
}

export function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0');
}
