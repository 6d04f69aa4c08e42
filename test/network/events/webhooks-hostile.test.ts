import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import type { Endpoint } from '../../../src/adapters/webhook/target.js';
import { createDataClient, type DataClient } from '../../support/data-client.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { startWebhookTarget, type WebhookTarget } from '../../support/webhook-target.js';

let network: TestNetwork;
let target: WebhookTarget;
let client: DataClient;
let closed: Endpoint[];
let meanings: Record<string, string>;

beforeEach(async () => {
  closed = [];
  meanings = {};
  const resolve = (host: string) => {
    const address = meanings[host];
    return address === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve([{ address, family: 4 }]);
  };
  network = await startTestNetwork(['alice'], { webhooks: { closed: () => closed, resolve } });
  target = await startWebhookTarget();
  client = createDataClient(network.node);
});
afterEach(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
  await target.goDown();
});

async function create(url: string, options: Record<string, unknown> = {}): Promise<string> {
  const retry = { initialDelay: '5ms', maxDelay: '20ms' };
  const filter = { events: '^message_' };
  const body = JSON.stringify({
    name: 'hook',
    transport: 'webhooks',
    filter,
    options: { url, retry, withData: true, ...options },
  });
  const response = await client.post('subscriptions', body);
  return `${response.status} ${((await response.json()) as { error?: string }).error ?? ''}`;
}

async function broadcast(value: unknown): Promise<void> {
  const body = JSON.stringify({ header: { topics: ['orders'] }, data: [{ value }] });
  expect((await client.post('messages/broadcast?confirm=true', body)).status).toBe(200);
}

interface Delivery {
  readonly failures: number;
  readonly lastError?: string;
}

async function delivery(): Promise<Delivery | undefined> {
  const response = await client.call('subscriptions/hook?fetchstatus=true');
  return ((await response.json()) as { status: { delivery?: Delivery } }).status.delivery;
}

describe('the target of a webhook', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fd00:ec2::254]/',
    'http://2852039166/',
    'http://0251.0376.0251.0376/',
    'http://0xa9.0xfe.0xa9.0xfe/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://192.168.0.1/',
    'http://[fe80::1]/',
    'http://224.0.0.1/',
    'ftp://127.0.0.1/',
    'http://user:password@127.0.0.1/',
  ])('is refused when the subscription is created, and nothing is stored: %s', async (url) => {
    expect(await create(url)).toMatch(/^400 PY1602: /);
    expect(await (await client.call('subscriptions')).json()).toEqual([]);
  });

  it('is refused if its name is known for a forbidden address', async () => {
    meanings['metadata.example'] = '169.254.169.254';
    expect(await create('http://metadata.example/')).toMatch(/^400 PY1602: /);
  });

  it('is refused at an address of the stack', async () => {
    closed = [{ host: '127.0.0.1', port: target.port }];
    expect(await create(target.url)).toMatch(/^400 PY1602: /);
    expect(await create(target.url.replace('127.0.0.1', '2130706433'))).toMatch(/^400 PY1602: /);
  });

  it('that turns out to be forbidden delays the events until it is allowed', async () => {
    expect(await create(`http://orders.example:${target.port}/`)).toMatch(/^201 /);
    meanings['orders.example'] = '169.254.169.254';
    await broadcast(1);
    await eventually(async () => expect((await delivery())?.lastError).toContain('169.254.169.254'));
    await broadcast(2);
    expect(target.calls).toEqual([]);
    meanings['orders.example'] = '127.0.0.1';
    await eventually(() => expect(target.calls.map(({ body }) => body)).toEqual(['1', '2']));
  });

  it('that redirects to a forbidden address is handled like one that fails', async () => {
    target.answers((_, response) => void response.writeHead(307, { location: 'http://169.254.169.254/' }).end());
    expect(await create(target.url)).toMatch(/^201 /);
    await broadcast(1);
    await eventually(async () => expect((await delivery())?.failures).toBeGreaterThan(1));
    expect((await delivery())?.lastError).toContain('169.254.169.254');
  });

  it('cannot be a node whose port is not allowed', async () => {
    const url = `${network.node.url}/api/v1/namespaces/default/messages/broadcast`;
    expect(await create(url)).toMatch(/^201 /);
    await broadcast({ data: [{ value: 'sent by a webhook' }] });
    await eventually(async () => expect((await delivery())?.lastError).toContain('403'));
    expect(await (await client.call('messages?count&type=broadcast')).json()).toMatchObject({ total: 1 });
  });
});

describe('a message that a webhook brings', () => {
  const input = { query: 'query', headers: 'headers', path: 'path', body: 'body' };

  it('chooses neither host nor port, and sets no header of credentials, routing or transport', async () => {
    expect(await create(`${target.url}/hook`, { input, headers: { Authorization: 'Bearer owner' } })).toMatch(/^201 /);
    await broadcast({
      path: '//evil.example:80/../..//@evil.example',
      query: { 'a\r\nb': 'c d' },
      headers: {
        Host: 'evil.example',
        Authorization: 'Bearer mallory',
        Cookie: 'a=b',
        'Transfer-Encoding': 'chunked',
        'Content-Length': '0',
        Connection: 'upgrade',
        Upgrade: 'h2c',
        'X-Forwarded-Host': 'evil.example',
        'X-Parley-Event': 'mine',
        'X-Injected': 'a\r\nX-Second: b',
        'X-Plain': 'kept',
      },
      body: { n: 1.5 },
    });
    await eventually(() => expect(target.calls).toHaveLength(1));
    const [call] = target.calls;
    expect(call?.path).toBe('/hook/evil.example%3A80/%40evil.example?a%0D%0Ab=c+d');
    expect(call?.body).toBe('{"n":1.5}');
    expect(call?.headers).toMatchObject({
      host: `127.0.0.1:${target.port}`,
      authorization: 'Bearer owner',
      connection: 'close',
      'content-length': '9',
      'x-plain': 'kept',
    });
    expect(call?.headers['x-parley-event']).toMatch(/^[0-9a-f-]{36}$/);
    for (const name of ['cookie', 'transfer-encoding', 'upgrade', 'x-forwarded-host', 'x-injected', 'x-second']) {
      expect(call?.headers, name).not.toHaveProperty(name);
    }
  });

  it('delays nothing with members of the wrong kind', async () => {
    expect(await create(`${target.url}/hook`, { input })).toMatch(/^201 /);
    await broadcast({ path: { a: 1 }, query: [1], headers: 'x', body: null });
    await broadcast([1]);
    await broadcast('text');
    await eventually(() => expect(target.calls.map(({ body }) => body)).toEqual(['null', '[1]', '"text"']));
    expect(new Set(target.calls.map(({ path }) => path))).toEqual(new Set(['/hook']));
  });
});
