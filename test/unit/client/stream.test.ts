import { describe, expect, it } from 'vitest';
import { ClientError, UnreachableError } from '../../../src/client/errors.js';
import { events, type StreamItem, type StreamOptions } from '../../../src/client/stream.js';
import { textOf } from '../../../src/wire/json.js';
import { memorySockets, type Peer } from './memory-socket.js';

const subscription = { id: '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11', namespace: 'default', name: 'x' };

function frame(sequence: number): string {
  const id = `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
  return textOf({ id, sequence, type: 'message_confirmed', namespace: 'default', reference: id, subscription });
}

function stream(accept: (peer: Peer, index: number) => void, options: Partial<StreamOptions> = {}) {
  const openSocket = memorySockets(accept);
  return events({ url: 'http://127.0.0.1:1', namespace: 'default', openSocket, retry: 'later', ...options });
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
    expect(peer?.received).toEqual([
      textOf({ type: 'ack', id: '00000000-0000-4000-8000-000000000001', subscription: { id: subscription.id } }),
    ]);
    await items.return();
    expect(peer?.isClosed).toBe(true);
  });

  it('connects again after a loss and says that something may be missing', async () => {
    const items = stream((peer, index) => {
      peer.open();
      peer.send(frame(index + 1));
      if (index === 0) peer.end({ text: 'restarting' });
    });
    expect(await take(items, 5)).toEqual(['open', 'event 1', 'lost', 'reopen', 'event 2']);
    await items.return();
  });

  it('delivers what came before the loss', async () => {
    const items = stream((peer) => {
      peer.open();
      for (let i = 1; i <= 3; i++) peer.send(frame(i));
      peer.end({ text: 'gone' });
    });
    expect(await take(items, 5)).toEqual(['open', 'event 1', 'event 2', 'event 3', 'lost']);
    await items.return();
  });

  it('fails when the first connection cannot be made, unless it is always to be tried again', async () => {
    const refuse = (peer: Peer) => {
      peer.end({ text: 'connect ECONNREFUSED' });
    };
    expect(await failureOf(stream(refuse))).toBeInstanceOf(UnreachableError);
    const patient = stream((peer, index) => (index === 0 ? refuse(peer) : peer.open()), { retry: 'always' });
    expect(await take(patient, 2)).toEqual(['lost', 'open']);
    await patient.return();
  });

  it('fails at a loss when it is never to be tried again', async () => {
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
        peer.end({ text: 'answered 404', status: 404, body: textOf({ error: 'FF10187: There is no namespace.' }) });
      },
      { retry: 'always' },
    );
    const error = await failureOf(items);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ status: 404, code: 'FF10187' });
    expect(opened).toBe(1);
  });

  it('fails with a protocol error of the node', async () => {
    const items = stream((peer) => {
      peer.open();
      peer.send(textOf({ type: 'protocol_error', error: 'FF10175: The acknowledgement matches no event in flight.' }));
    });
    expect(await failureOf(items)).toMatchObject({ name: 'ClientError', code: 'FF10175' });
  });

  it('ends when its signal is aborted, also while it waits', async () => {
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
