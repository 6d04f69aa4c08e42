import { describe, expect, it } from 'vitest';
import { createInbox, type InboxParts } from '../../../../src/node/stream/inbox.js';

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** An inbox, and a record of its actions. */
function anInbox(receive: InboxParts['receive']) {
  const happened: unknown[] = [];
  const push = createInbox({
    receive: (message) => {
      happened.push(Buffer.from(message.bytes).toString());
      return receive(message);
    },
    refuse: (error) => happened.push(error),
    fail: (error) => happened.push(error),
    pause: () => happened.push('pause'),
    resume: () => happened.push('resume'),
  });
  return { happened, put: (text: string) => push(Buffer.from(text), false) };
}

describe('an inbox', () => {
  it('handles one message after the other, and reads no more while one is in progress', async () => {
    const ends: (() => void)[] = [];
    const { happened, put } = anInbox(() => new Promise((resolve) => ends.push(() => resolve(undefined))));
    put('a');
    put('b');
    await turn();
    expect(happened).toEqual(['a', 'pause']);
    ends[0]?.();
    await turn();
    expect(happened).toEqual(['a', 'pause', 'resume', 'b', 'pause']);
  });

  it('does not pause for what is done at once', () => {
    const { happened, put } = anInbox(() => undefined);
    put('a');
    put('b');
    expect(happened).toEqual(['a', 'b']);
  });

  it('refuses for an error, at once or later', async () => {
    const { happened, put } = anInbox(({ bytes }) => (bytes.length === 1 ? 'now' : Promise.resolve('later')));
    put('a');
    put('bb');
    await turn();
    expect(happened).toEqual(['a', 'now', 'bb', 'pause', 'resume', 'later']);
  });

  it('reports a defect and continues reading, so that the socket can close', async () => {
    const defect = new Error('broken');
    const { happened, put } = anInbox(({ bytes }) => {
      if (bytes.length === 1) throw defect;
      return Promise.reject(defect);
    });
    put('a');
    put('bb');
    await turn();
    expect(happened).toEqual(['a', defect, 'bb', 'pause', 'resume', defect]);
  });
});
