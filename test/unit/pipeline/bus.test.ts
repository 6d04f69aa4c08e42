import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createBus, type BellListener } from '../../../src/pipeline/bus.js';

const never = new AbortController().signal;

/** Whether a wait ends without another event. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  let over = false;
  void wait.then(() => (over = true));
  await new Promise((resolve) => setImmediate(resolve));
  return over;
}

function isHeard(listening: BellListener): Promise<boolean> {
  return isOver(listening.wait(never));
}

describe('the bus', () => {
  it('wakes a listener that waits for the bell', async () => {
    const bus = createBus();
    const wait = bus.listen('due').wait(never);
    expect(await isOver(wait)).toBe(false);
    bus.ring('due');
    expect(await isOver(wait)).toBe(true);
  });

  it('keeps several rings for a listener that is not waiting, and delivers them as one', async () => {
    const bus = createBus();
    const listening = bus.listen('due');
    bus.ring('due');
    bus.ring('due');
    expect(await isHeard(listening)).toBe(true);
    expect(await isHeard(listening)).toBe(false);
  });

  it('leaves no listener on the signal of a wait that has ended', async () => {
    const bus = createBus();
    const listening = bus.listen('due');
    const { signal } = new AbortController();
    const wait = listening.wait(signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    bus.ring('due');
    await wait;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rings for every listener of a bell', async () => {
    const bus = createBus();
    const [first, second] = [bus.listen('due'), bus.listen('due')];
    bus.ring('due');
    expect(await isHeard(first)).toBe(true);
    expect(await isHeard(second)).toBe(true);
  });

  it('rings the given bells and no other', async () => {
    const bus = createBus();
    const [messages, due, events] = [bus.listen('messages'), bus.listen('due'), bus.listen('events')];
    bus.ring('messages', 'due');
    expect(await isHeard(messages)).toBe(true);
    expect(await isHeard(due)).toBe(true);
    expect(await isHeard(events)).toBe(false);
  });

  it('wakes only the listener whose own ring is called', async () => {
    const bus = createBus();
    const [first, second] = [bus.listen('due'), bus.listen('due')];
    first.ring();
    expect(await isHeard(first)).toBe(true);
    expect(await isHeard(second)).toBe(false);
  });

  it('does not ring for a closed listener', async () => {
    const bus = createBus();
    const listening = bus.listen('due');
    listening.close();
    bus.ring('due');
    expect(await isHeard(listening)).toBe(false);
  });

  it('does not deliver a ring to a listener that was created later', async () => {
    const bus = createBus();
    bus.ring('due');
    expect(await isHeard(bus.listen('due'))).toBe(false);
  });

  it('ends a wait when its signal is aborted, also before the wait', async () => {
    const bus = createBus();
    const listening = bus.listen('due');
    const waiting = new AbortController();
    const wait = listening.wait(waiting.signal);
    waiting.abort('enough');
    expect(await isOver(wait)).toBe(true);
    expect(await isOver(listening.wait(waiting.signal))).toBe(true);
    expect(await isHeard(listening)).toBe(false);
  });
});
