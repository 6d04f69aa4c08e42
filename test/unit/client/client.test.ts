import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { fetchTransport } from '../../../src/client/transport.js';
import { ClientError, UnreachableError } from '../../../src/client/errors.js';
import { textOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';

interface Asked {
  readonly url: string;
  readonly method: string | undefined;
  readonly body: unknown;
  readonly type: string | null;
}

/** A platform that gives one answer and records the requests. */
function answering(answer: () => Response | Promise<Response>) {
  const asked: Asked[] = [];
  const platformFetch: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    asked.push({ url: String(input), method: init?.method, body: init?.body, type: headers.get('content-type') });
    return answer();
  };
  return {
    asked,
    client: createClient({ url: 'http://127.0.0.1:1/', transport: fetchTransport(platformFetch), namespace: 'a b' }),
  };
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const id = '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01';

describe('a call of the client', () => {
  it('writes path, query and body as in the route table, with raw members unchanged', async () => {
    const { asked, client } = answering(() => new Response('{}', { status: 202 }));
    await client.broadcastMessage({ body: { header: { tag: 't' }, data: [{ value: compact('{ "n": 1.0 }') }] } });
    await client.listMessages({ query: { pending: false, limit: 5 } });
    await client.getMessage({ path: { msgid: 'a/b?c' } });
    await client.getStatus();
    const base = 'http://127.0.0.1:1/api/v1/namespaces/a%20b';
    expect(asked).toEqual([
      {
        url: `${base}/broadcast/message`,
        method: 'POST',
        body: '{"header":{"tag":"t"},"data":[{"value":{"n":1.0}}]}',
        type: 'application/json',
      },
      { url: `${base}/messages?pending=false&limit=5`, method: 'GET', body: undefined, type: null },
      { url: `${base}/messages/a%2Fb%3Fc`, method: 'GET', body: undefined, type: null },
      { url: `${base}/status`, method: 'GET', body: undefined, type: null },
    ]);
  });

  it('returns nothing for an empty answer, and the bytes of a file as text', async () => {
    const gone = answering(() => new Response(null, { status: 204 }));
    expect(await gone.client.deleteData({ path: { dataid: id } })).toEqual({ status: 204, text: '', value: null });
    const file = answering(() => new Response('{"not', { status: 200 }));
    expect((await file.client.getDataBlob({ path: { dataid: id } })).value).toBe('{"not');
  });

  it('sends its headers with every request, in addition to the headers of the request', async () => {
    const sent: Headers[] = [];
    const client = createClient({
      url: 'http://127.0.0.1:1',
      headers: { authorization: 'Bearer x' },
      transport: fetchTransport((_, init) => {
        sent.push(new Headers(init?.headers));
        return Promise.resolve(new Response('[]'));
      }),
    });
    await client.listMessages();
    await client.open({ method: 'GET', path: 'data' });
    await client.exchange({ method: 'POST', path: 'data', body: '{}', headers: { 'request-timeout': '5' } });
    expect(sent.map((headers) => headers.get('authorization'))).toEqual(['Bearer x', 'Bearer x', 'Bearer x']);
    expect([sent[2]?.get('content-type'), sent[2]?.get('request-timeout')]).toEqual(['application/json', '5']);
    expect(sent.map((each) => each.get('x-parley-strict'))).toEqual(sent.map(() => 'true'));
  });

  it('keeps the bytes of any answer', async () => {
    const { client } = answering(() => new Response(new Uint8Array([0xff, 0x00, 0x80])));
    const { bytes } = await client.exchange({ method: 'GET', path: 'data/x/blob' });
    expect([...bytes]).toEqual([0xff, 0x00, 0x80]);
  });

  it('returns the text as served and the value read by the schema', async () => {
    const text = ` [{"id":"${id}","value":{"b":1.50,"a":"\\u0041"}, "hash":"x"}]`;
    const { client } = answering(() => new Response(text));
    const answer = await client.getMessageData({ path: { msgid: id } });
    expect(answer).toMatchObject({ status: 200, text, value: [{ id, value: '{"b":1.50,"a":"\\u0041"}', hash: 'x' }] });
  });

  it('fails with code, status and body of a refusal', async () => {
    const body = textOf({ error: 'FF10109: Not found: message x.' });
    const { client } = answering(() => new Response(body, { status: 404 }));
    const error = await failureOf(client.getMessage({ path: { msgid: id } }));
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ status: 404, code: 'FF10109', text: 'Not found: message x.', body });
  });

  it.each([
    ['a record that is not there', 'FF10109: Not found: subscription x in namespace a b.', 1],
    ['a path that is not served', 'FF10109: Not found: GET /api/v1/namespaces/a%20b/subscriptions/x.', 2],
    ['an answer of no node', 'Not Found', 2],
  ])(
    'asks for subscriptions at their second path if the node does not serve the first: %s',
    async (_, error, count) => {
      const { asked, client } = answering(() => new Response(textOf({ error }), { status: 404 }));
      const query = { fetchstatus: true };
      expect(await failureOf(client.getSubscription({ path: { subid: 'x' }, query }))).toMatchObject({ status: 404 });
      const paths = ['/api/v1/namespaces/a%20b', '/namespaces/a%20b'].slice(0, count);
      const end = 'subscriptions/x?fetchstatus=true';
      expect(asked.map(({ url }) => url)).toEqual(paths.map((path) => `http://127.0.0.1:1${path}/${end}`));
    },
  );

  it('fails with the status of an answer that no node would give', async () => {
    const { client } = answering(() => new Response('<html>', { status: 502 }));
    const error = await failureOf(client.getStatus());
    expect(error).toMatchObject({ name: 'ClientError', status: 502, code: undefined, body: '<html>' });
  });

  it('reports whether a server is listening', async () => {
    const refused = new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    });
    const { client } = answering(() => Promise.reject(refused));
    const error = await failureOf(client.getStatus());
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ isRefused: true, url: 'http://127.0.0.1:1/api/v1/namespaces/a%20b/status' });
    const broken = answering(() =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('other side closed') })),
    );
    expect(await failureOf(broken.client.getStatus())).toMatchObject({ name: 'UnreachableError', isRefused: false });
  });

  it('ends with the reason of its signal', async () => {
    const { client } = answering(() => Promise.reject(new Error('aborted')));
    const reason = new Error('time is up');
    expect(await failureOf(client.getStatus({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  });
});

describe('an exchange', () => {
  it('returns refusals too, below the namespace or from the root', async () => {
    const { asked, client } = answering(() => new Response('no', { status: 400 }));
    expect(await client.exchange({ method: 'GET', path: 'messages?limit=x' })).toMatchObject({
      status: 400,
      text: 'no',
    });
    await client.exchange({ method: 'POST', path: '/x', body: '{', headers: { a: 'b' } });
    expect(asked.map(({ url, body }) => [url, body])).toEqual([
      ['http://127.0.0.1:1/api/v1/namespaces/a%20b/messages?limit=x', undefined],
      ['http://127.0.0.1:1/x', '{'],
    ]);
  });
});
