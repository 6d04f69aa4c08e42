import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ClientError, UnreachableError } from '../../../../src/client/errors.js';
import { events, type StreamItem, type StreamOptions } from '../../../../src/client/events/stream.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { memorySockets, type Peer } from './memory-socket.js';

const subscription = { id: '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11', namespace: 'default', name: 'x' };

function idOf(sequence: number): string {
  return `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
}

function frame(sequence: number): string {
  const id = idOf(sequence);
  return textOf({ id, sequence, type: 'message_confirmed', namespace: 'default', reference: id, subscription });
}

function ack(id: string): string {
  return textOf({ type: 'ack', id, subscription: { id: subscription.id } });
}

function stream(accept: (peer: Peer, index: number) => void, options: Partial<StreamOptions> = {}) {
  const openSocket = memorySockets(accept);
  const known = { url: 'http://127.0.0.1:1', namespace: 'default', openSocket, retry: 'later' } as const;
  return events({ ...known, ...options });
}

async function take(items: AsyncGenerator<StreamItem>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const next = await items.next();
    if (next.done === true) break;
    taken.push(next.value.kind === 'event' ? `event ${next.value.event.sequence}` : next.value.kind);
  }
  return taken;
}

async function failureOf(items: AsyncGenerator<StreamItem>): Promise<unknown> {
  return take(items, 10).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a stream of events', () => {
  it('ends when it is aborted before it knows where to start', async () => {
    const leaving = new AbortController();
    const items = stream((peer) => peer.open(), {
      start: () => new Promise<never>(() => undefined),
      signal: leaving.signal,
    });
    const next = items.next();
    leaving.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('repeats a connection only once the check before it has passed', async () => {
    const away = new UnreachableError('http://127.0.0.1:1', new Error('stopped'));
    const checks = [() => Promise.reject(away), () => Promise.resolve(), () => Promise.reject(new Error('moved'))];
    let sockets = 0;
    const accept = (peer: Peer) => peer.end({ text: `end of socket ${++sockets}` });
    const items = stream(accept, { retry: 'always', beforeRetry: async () => checks.shift()?.() });
    expect(await take(items, 3)).toEqual(['lost', 'lost', 'lost']);
    expect(await failureOf(items)).toMatchObject({ message: 'moved' });
    expect(sockets).toBe(2);
  });

  it('leaves no listeners on its signal, however often it asks where to start', async () => {
    const leaving = new AbortController();
    let asked = 0;
    const start = (): Promise<number> => {
      asked += 1;
      return asked < 4 ? Promise.reject(new UnreachableError('http://127.0.0.1:1', new Error('gone'))) : never;
    };
    const never = new Promise<never>(() => undefined);
    const items = stream((peer) => peer.open(), { retry: 'always', start, signal: leaving.signal });
    expect(await take(items, 3)).toEqual(['lost', 'lost', 'lost']);
    const next = items.next();
    await expect.poll(() => asked).toBe(4);
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(1);
    leaving.abort();
    await next;
  });

  it('asks for an ephemeral subscription with its filters', async () => {
    const urls: URL[] = [];
    const items = stream(
      (peer) => {
        urls.push(peer.url);
        peer.open();
      },
      { namespace: 'trade', filters: { events: '^message_', 'message.tag': 'a|b' } },
    );
    expect(await take(items, 1)).toEqual(['open']);
    await items.return();
    expect(urls.map((url) => [url.protocol, url.pathname, Object.fromEntries(url.searchParams)])).toEqual([
      [
        'ws:',
        '/ws',
        {
          namespace: 'trade',
          ephemeral: 'true',
          readahead: '50',
          'filter.events': '^message_',
          'filter.message.tag': 'a|b',
        },
      ],
    ]);
  });

  it('acknowledges an event only when the next item is asked for', async () => {
    let peer: Peer | undefined;
    const items = stream((accepted) => {
      peer = accepted;
      accepted.open();
      accepted.send(frame(1));
      accepted.send(frame(2));
    });
    expect(await take(items, 2)).toEqual(['open', 'event 1']);
    expect(peer?.received).toEqual([]);
    expect(await take(items, 1)).toEqual(['event 2']);
    expect(peer?.received).toEqual([ack(idOf(1))]);
    await items.return();
    expect(peer?.isClosed).toBe(true);
  });

  it('reconnects after a loss, after the last event that was yielded', async () => {
    const begins: (string | null)[] = [];
    const items = stream((peer, index) => {
      begins.push(peer.url.searchParams.get('firstEvent'));
      peer.open();
      peer.send(frame(index + 41));
      if (index === 0) peer.end({ text: 'restarting' });
    });
    expect(await take(items, 5)).toEqual(['open', 'event 41', 'lost', 'reopen', 'event 42']);
    await items.return();
    expect(begins).toEqual([null, '41']);
  });

  it('begins at the given place, even if it takes several connections to receive anything', async () => {
    const begins: (string | null)[] = [];
    const answers = [
      () => Promise.reject(new UnreachableError('http://x', new Error('away'))),
      () => Promise.resolve(7),
    ];
    const items = stream(
      (peer, index) => {
        begins.push(peer.url.searchParams.get('firstEvent'));
        peer.open();
        if (index === 0) peer.end({ text: 'gone' });
        else peer.send(frame(9));
      },
      { retry: 'always', start: () => answers.shift()?.() ?? Promise.resolve(1_000) },
    );
    expect(await take(items, 5)).toEqual(['lost', 'open', 'lost', 'reopen', 'event 9']);
    await items.return();
    expect(begins).toEqual(['7', '7']);
  });

  it('delivers what arrived before the loss', async () => {
    const items = stream((peer) => {
      peer.open();
      for (let i = 1; i <= 3; i++) peer.send(frame(i));
      peer.end({ text: 'gone' });
    });
    expect(await take(items, 5)).toEqual(['open', 'event 1', 'event 2', 'event 3', 'lost']);
    await items.return();
  });

  it('attaches to a durable subscription by its name, without a start', async () => {
    const queries: string[] = [];
    const items = stream(
      (peer, index) => {
        queries.push(peer.url.search);
        peer.open();
        peer.send(frame(5));
        if (index === 0) peer.end({ text: 'gone' });
      },
      { name: 'app 1', namespace: 'trade' },
    );
    expect(await take(items, 4)).toEqual(['open', 'event 5', 'lost', 'reopen']);
    await items.return();
    expect(queries).toEqual(['?namespace=trade&name=app+1', '?namespace=trade&name=app+1']);
  });

  it('yields no event twice, and acknowledges again what a lost connection has left open', async () => {
    const peers: Peer[] = [];
    const items = stream(
      (peer, index) => {
        peers.push(peer);
        peer.open();
        for (let i = 1; i <= 2 + index; i++) peer.send(frame(i));
        if (index === 0) peer.end({ text: 'gone' });
      },
      { name: 'app' },
    );
    expect(await take(items, 6)).toEqual(['open', 'event 1', 'event 2', 'lost', 'reopen', 'event 3']);
    expect(peers[1]?.received).toEqual([ack(idOf(1)), ack(idOf(2))]);
    await items.return();
  });

  it('acknowledges on request, on the newest connection that has the event', async () => {
    const peers: Peer[] = [];
    const items = stream(
      (peer) => {
        peers.push(peer);
        peer.open();
        peer.send(frame(1));
        peer.send(frame(2));
      },
      { name: 'app', acknowledges: 'calling' },
    );
    await items.next();
    const { value: first } = await items.next();
    expect(await take(items, 1)).toEqual(['event 2']);
    peers[0]?.end({ text: 'gone' });
    expect(await take(items, 2)).toEqual(['lost', 'reopen']);
    const third = take(items, 1);
    await new Promise((resolve) => setImmediate(resolve));
    if (first?.kind === 'event') first.acknowledge();
    expect(peers.map(({ received }) => received)).toEqual([[], [ack(idOf(1))]]);
    peers[1]?.send(frame(3));
    expect(await third).toEqual(['event 3']);
    await items.return();
  });

  it('acknowledges a batch by its own id, once all its events are acknowledged', async () => {
    let peer: Peer | undefined;
    const items = stream((accepted) => {
      peer = accepted;
      accepted.open();
      const events = [frame(1), frame(2)].join(',');
      const known = `"type":"event_batch","id":"${idOf(99)}","subscription":${textOf(subscription)}`;
      accepted.send(`{${known},"events":[${events}]}`);
      accepted.send(frame(3));
    });
    expect(await take(items, 3)).toEqual(['open', 'event 1', 'event 2']);
    expect(peer?.received).toEqual([]);
    expect(await take(items, 1)).toEqual(['event 3']);
    expect(peer?.received).toEqual([ack(idOf(99))]);
    await items.return();
  });

  it('fails if the first connection cannot be made, unless it should always be retried', async () => {
    const refuse = (peer: Peer) => {
      peer.end({ text: 'connect ECONNREFUSED' });
    };
    expect(await failureOf(stream(refuse))).toBeInstanceOf(UnreachableError);
    const patient = stream((peer, index) => (index === 0 ? refuse(peer) : peer.open()), { retry: 'always' });
    expect(await take(patient, 2)).toEqual(['lost', 'open']);
    await patient.return();
  });

  it('fails with the error of its start if that should not be retried', async () => {
    const away = new UnreachableError('http://x', new Error('connect ECONNREFUSED'));
    const start = () => Promise.reject(away);
    expect(await failureOf(stream((peer) => peer.open(), { start }))).toBe(away);
  });

  it('fails at a loss if it should never reconnect', async () => {
    const items = stream(
      (peer) => {
        peer.open();
        peer.end({ text: 'gone' });
      },
      { retry: 'never' },
    );
    expect(await take(items, 1)).toEqual(['open']);
    expect(await failureOf(items)).toBeInstanceOf(UnreachableError);
  });

  it('fails with the refusal of the node, and does not repeat what cannot succeed', async () => {
    let opened = 0;
    const items = stream(
      (peer) => {
        opened++;
        peer.end({ text: 'answered 404', status: 404, body: textOf({ error: 'FF10436: There is no namespace.' }) });
      },
      { retry: 'always' },
    );
    const error = await failureOf(items);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ status: 404, code: 'FF10436' });
    expect(opened).toBe(1);
  });

  it('fails with a protocol error of the node', async () => {
    const items = stream((peer) => {
      peer.open();
      peer.send(textOf({ type: 'protocol_error', error: 'FF10175: The acknowledgement matches no event in flight.' }));
    });
    expect(await failureOf(items)).toMatchObject({ name: 'ClientError', code: 'FF10175' });
  });

  it('ends when its signal is aborted, also during a wait', async () => {
    const aborting = new AbortController();
    const items = stream(
      (peer) => {
        peer.open();
      },
      { signal: aborting.signal },
    );
    expect(await take(items, 1)).toEqual(['open']);
    const rest = take(items, 1);
    aborting.abort();
    expect(await rest).toEqual([]);
  });
});
