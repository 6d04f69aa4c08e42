import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createSendBuffer, maxBufferedBytes, type TextSink } from '../../../../src/node/stream/send-buffer.js';

const mebibyte = 1024 * 1024;
const large = 'x'.repeat(mebibyte);
const fitting = maxBufferedBytes / mebibyte;

/** A network that accepts frames when it is told to, oldest first. */
function aNetwork() {
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const calls: string[] = [];
  const sink: TextSink = {
    send(text, taken) {
      calls.push('send');
      sent.push(text.toString('utf8'));
      waiting.push(taken);
    },
    cork: () => calls.push('cork'),
    uncork: () => calls.push('uncork'),
  };
  const takeOne = (): void => waiting.shift()?.();
  return { sent, calls, sink, takeOne };
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('a send buffer', () => {
  it('keeps frames sent before the handshake has ended, in order', async () => {
    const { sent, sink } = aNetwork();
    const sendBuffer = createSendBuffer(createManualClock());
    await sendBuffer.put(() => 'a');
    await sendBuffer.put(() => 'b');
    expect(sent).toEqual([]);
    sendBuffer.open(sink);
    expect(sent).toEqual(['a', 'b']);
  });

  it('writes at once what is sent in one turn', async () => {
    const { calls, sink } = aNetwork();
    const sendBuffer = createSendBuffer(createManualClock());
    sendBuffer.open(sink);
    for (const text of ['a', 'b', 'c']) expect(sendBuffer.put(() => text)).toBeUndefined();
    await turn();
    expect(calls).toEqual(['cork', 'send', 'send', 'send', 'uncork']);
  });

  it('sends the first of many frames while the others are rendered', async () => {
    const { calls, sink } = aNetwork();
    const sendBuffer = createSendBuffer(createManualClock());
    sendBuffer.open(sink);
    const text = 'x'.repeat(8 * 1024);
    for (let i = 0; i < 5; i++) expect(sendBuffer.put(() => text)).toBeUndefined();
    await turn();
    const pair = ['cork', 'send', 'send', 'uncork'];
    expect(calls).toEqual([...pair, ...pair, 'cork', 'send', 'uncork']);
  });

  it('accepts no more than its limit, and renders nothing of what waits', async () => {
    const { sink, takeOne } = aNetwork();
    const sendBuffer = createSendBuffer(createManualClock());
    sendBuffer.open(sink);
    let rendered = 0;
    let resolved = 0;
    for (let i = 0; i < fitting + 3; i++) {
      const text = (): string => {
        rendered++;
        return large;
      };
      void Promise.resolve(sendBuffer.put(text)).then(() => resolved++);
    }
    await turn();
    expect([rendered, resolved]).toEqual([fitting, fitting]);
    takeOne();
    await turn();
    expect([rendered, resolved]).toEqual([fitting + 1, fitting + 1]);
  });

  it('passes little at a time to the socket, so that a ping does not wait long', async () => {
    const { sent, sink, takeOne } = aNetwork();
    const sendBuffer = createSendBuffer(createManualClock());
    sendBuffer.open(sink);
    for (let i = 0; i < 3; i++) await sendBuffer.put(() => large);
    expect(sent).toHaveLength(1);
    takeOne();
    expect(sent).toHaveLength(2);
  });

  it('has stalled since the network last accepted something, if a caller waits', async () => {
    const { sink, takeOne } = aNetwork();
    const clock = createManualClock();
    const sendBuffer = createSendBuffer(clock);
    sendBuffer.open(sink);
    for (let i = 0; i < fitting; i++) await sendBuffer.put(() => large);
    await clock.advance(1_000);
    expect(sendBuffer.stalledSinceMs()).toBeUndefined();
    void sendBuffer.put(() => large);
    void sendBuffer.put(() => large);
    expect(sendBuffer.stalledSinceMs()).toBe(1_000);
    await clock.advance(500);
    takeOne();
    expect(sendBuffer.stalledSinceMs()).toBe(1_500);
    takeOne();
    expect(sendBuffer.stalledSinceMs()).toBeUndefined();
  });

  it('ends all waits once it is closed, and sends nothing more', async () => {
    const { sent, sink, takeOne } = aNetwork();
    const sendBuffer = createSendBuffer(createManualClock());
    sendBuffer.open(sink);
    for (let i = 0; i < fitting; i++) await sendBuffer.put(() => large);
    const waiting = sendBuffer.put(() => 'late');
    sendBuffer.close();
    await waiting;
    await sendBuffer.put(() => 'later');
    takeOne();
    expect(sent).toEqual([large]);
  });

  it('reports to the caller that a text could not be rendered', async () => {
    const { sink, takeOne } = aNetwork();
    const sendBuffer = createSendBuffer(createManualClock());
    sendBuffer.open(sink);
    for (let i = 0; i < fitting; i++) await sendBuffer.put(() => large);
    const defect = new Error('no text');
    const waiting = sendBuffer.put(() => {
      throw defect;
    });
    takeOne();
    await expect(waiting).rejects.toBe(defect);
  });
});
