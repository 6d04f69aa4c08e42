import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { fetchTransport } from '../../../src/client/transport.js';
import { isFinal, watchMessages } from '../../../src/client/wait.js';
import { textOf } from '../../../src/wire/json/json.js';
import { memorySockets, type Peer } from './events/memory-socket.js';

const id = '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01';
const message = (state: string) => textOf({ header: { id }, state });
const event = textOf({ id, sequence: 1, type: 'message_confirmed', reference: id, subscription: { id } });

/** A node that answers requests for one message in turn; the last answer repeats. */
function node(answers: readonly (() => Response | Promise<Response>)[], accept: (peer: Peer) => void) {
  let asked = 0;
  const answerNext: typeof fetch = async () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer === undefined) throw new Error('There is no answer.');
    return answer();
  };
  const client = createClient({ url: 'http://127.0.0.1:1', transport: fetchTransport(answerNext) });
  const watch = watchMessages({ client, openSocket: memorySockets(accept) });
  return { watch, asked: () => asked };
}

const ready = () => new Response(message('ready'));
const confirmed = () => new Response(message('confirmed'));
const absent = () => new Response(textOf({ error: 'FF10109: Not found.' }), { status: 404 });
const silent = () => undefined;

describe('waiting for a message', () => {
  it('finds the decision by polling if there is no event', async () => {
    const { watch } = node([ready, ready, confirmed], silent);
    const { answer } = await watch.decided(id, AbortSignal.timeout(90_000));
    expect(answer.text).toBe(message('confirmed'));
    watch.close();
  });

  it('asks once if the event arrived before the request', async () => {
    const { watch, asked } = node([confirmed], (peer) => {
      peer.open();
      peer.send(event);
    });
    await new Promise((resolve) => setImmediate(resolve));
    const beforeMs = performance.now();
    const { seenMs } = await watch.decided(id, AbortSignal.timeout(90_000));
    expect(asked()).toBe(1);
    // The time of the event; without it, it would be that of the answer.
    expect(seenMs).toBeLessThanOrEqual(beforeMs);
    watch.close();
  });

  it('continues while the node does not have the message, is stopping or away', async () => {
    const stopping = () => new Response(textOf({ error: 'PY1010: Stopping.' }), { status: 503 });
    const away = () => Promise.reject(new TypeError('fetch failed'));
    const { watch } = node([absent, stopping, away, confirmed], (peer) => {
      peer.end({ text: 'refused' });
    });
    expect((await watch.decided(id, AbortSignal.timeout(90_000))).answer.value.state).toBe('confirmed');
    watch.close();
  });

  it('ends with the reason of its signal', async () => {
    const { watch } = node([ready], silent);
    const reason = new Error('time is up');
    await expect(watch.decided(id, AbortSignal.abort(reason))).rejects.toBe(reason);
    watch.close();
  });

  it('fails if the node refuses the request', async () => {
    const { watch } = node([() => new Response(textOf({ error: 'FF00138: no UUID' }), { status: 400 })], silent);
    await expect(watch.decided(id, AbortSignal.timeout(90_000))).rejects.toMatchObject({ code: 'FF00138' });
    watch.close();
  });

  it('needs no stream: if that is refused, it polls', async () => {
    const { watch } = node([ready, confirmed], (peer) => {
      peer.end({ text: 'answered 400', status: 400, body: '' });
    });
    expect((await watch.decided(id, AbortSignal.timeout(90_000))).answer.value.state).toBe('confirmed');
    watch.close();
  });
});

describe('a state', () => {
  it('is final unless it is ready', async () => {
    const states = ['ready', 'confirmed', 'rejected'];
    const finals = await Promise.all(
      states.map(async (state) => {
        const client = createClient({
          url: 'http://127.0.0.1:1',
          transport: fetchTransport(async () => new Response(message(state))),
        });
        return isFinal((await client.getMessage({ path: { msgid: id } })).value);
      }),
    );
    expect(finals).toEqual([false, true, true]);
  });
});
