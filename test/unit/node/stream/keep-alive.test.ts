import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { keepAlive } from '../../../../src/node/stream/keep-alive.js';

/** A watched socket: what was done to it, and in which second. */
function watched() {
  const clock = createManualClock();
  const ended = new AbortController();
  const done: string[] = [];
  const other: { heardMs: number; stalledMs: number | undefined } = { heardMs: 0, stalledMs: undefined };
  const at = (what: string) => done.push(`${what} ${clock.monotonicMs() / 1_000}`);
  void keepAlive({
    clock,
    signal: ended.signal,
    heardMs: () => other.heardMs,
    stalledSinceMs: () => other.stalledMs,
    ping: () => at('ping'),
    drop: () => at('drop'),
  });
  return { clock, ended, done, other };
}

describe('a socket', () => {
  it('is pinged every 30 s while the client answers', async () => {
    const { clock, done, other } = watched();
    for (let second = 1; second <= 120; second++) {
      await clock.advance(1_000);
      other.heardMs = clock.monotonicMs();
    }
    expect(done).toEqual(['ping 30', 'ping 60', 'ping 90', 'ping 120']);
  });

  it("is dropped 60 s after the client's last sign of life", async () => {
    const { clock, done, other } = watched();
    await clock.advance(10_000);
    other.heardMs = 10_000;
    await clock.advance(100_000);
    expect(done).toEqual(['ping 30', 'ping 60', 'drop 70']);
  });

  it('is dropped when it has accepted nothing for 60 s, even if the client sends', async () => {
    const { clock, done, other } = watched();
    await clock.advance(5_000);
    other.stalledMs = 5_000;
    for (let second = 6; second <= 100; second++) {
      other.heardMs = clock.monotonicMs();
      await clock.advance(1_000);
    }
    expect(done).toEqual(['ping 30', 'ping 60', 'drop 65']);
  });

  it('is left alone when it is closing', async () => {
    const { clock, ended, done } = watched();
    await clock.advance(31_000);
    ended.abort();
    await clock.advance(200_000);
    expect(done).toEqual(['ping 30']);
  });
});
