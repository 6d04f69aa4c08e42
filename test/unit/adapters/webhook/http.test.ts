import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpWebhook } from '../../../../src/adapters/webhook/http.js';
import type { TargetRules } from '../../../../src/adapters/webhook/target.js';
import type { Webhook, WebhookRequest } from '../../../../src/ports/webhook.js';
import { startWebhookTarget, type WebhookTarget } from '../../../support/webhook-target.js';

let target: WebhookTarget;

beforeEach(async () => {
  target = await startWebhookTarget();
});
afterEach(() => target.goDown());

const rules: TargetRules = { allow: [], host: '127.0.0.1', closed: () => [] };
const patient = { requestMs: 20_000, connectionMs: 20_000, handshakeMs: 20_000 };

function aRequest(changes: Partial<WebhookRequest> = {}): WebhookRequest {
  return { url: target.url, method: 'POST', headers: {}, body: '{}', wantsBody: true, timeouts: patient, ...changes };
}

const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { reason?: unknown }).reason ?? error,
  );

/** A webhook for which a name resolves to each of these addresses in turn. */
function resolving(...addresses: readonly string[]): Webhook {
  const left = [...addresses];
  return createHttpWebhook({
    ...rules,
    resolve: () => Promise.resolve([{ address: left.shift() ?? addresses.at(-1) ?? '', family: 4 }]),
  });
}

describe('a webhook over HTTP', () => {
  it('connects to the address that was checked, whatever the name resolves to later', async () => {
    const url = `http://orders.example:${target.port}/`;
    const webhook = resolving('127.0.0.1', '169.254.169.254');
    expect((await webhook.call(aRequest({ url }))).status).toBe(204);
    expect(target.calls[0]?.headers.host).toBe(`orders.example:${target.port}`);
    expect(await reasonOf(webhook.call(aRequest({ url })))).toBe('refused');
  });

  it('resolves a name again after a redirect to it', async () => {
    const url = `http://orders.example:${target.port}/`;
    target.answers((_, response) => void response.writeHead(307, { location: '/again' }).end());
    expect(await reasonOf(resolving('127.0.0.1', '169.254.169.254').call(aRequest({ url })))).toBe('refused');
    expect(target.calls).toHaveLength(1);
  });

  it('does not follow a redirect to an address of the stack', async () => {
    const closed = await startWebhookTarget();
    const webhook = createHttpWebhook({ ...rules, closed: () => [{ host: '127.0.0.1', port: closed.port }] });
    target.answers((_, response) => void response.writeHead(307, { location: `${closed.url}/a` }).end());
    expect(await reasonOf(webhook.call(aRequest()))).toBe('refused');
    expect(closed.calls).toEqual([]);
    await closed.goDown();
  });

  it('sends only the given headers, those required by HTTP, and its own name', async () => {
    await createHttpWebhook(rules).call(aRequest({ headers: { 'x-order': '17' } }));
    const names = (target.calls[0]?.rawHeaders ?? []).filter((_, index) => index % 2 === 0);
    expect(names.map((name) => name.toLowerCase()).sort()).toEqual(
      ['accept', 'accept-encoding', 'connection', 'content-length', 'host', 'user-agent', 'x-order'].sort(),
    );
    expect(target.calls[0]?.headers).toMatchObject({ accept: '*/*', 'user-agent': 'parley' });
  });

  it('is late if an answer does not arrive or end', async () => {
    const webhook = createHttpWebhook(rules);
    const timeouts = { ...patient, requestMs: 50 };
    target.answers(() => undefined);
    expect(await reasonOf(webhook.call(aRequest({ timeouts })))).toBe('late');
    target.answers((_, response) => void response.writeHead(200).write('begun'));
    expect(await reasonOf(webhook.call(aRequest({ timeouts })))).toBe('late');
    expect((await webhook.call(aRequest({ timeouts, wantsBody: false }))).status).toBe(200);
  });

  it('is unreachable if an answer is truncated', async () => {
    target.answers((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('begun', () => response.destroy());
    });
    expect(await reasonOf(createHttpWebhook(rules).call(aRequest()))).toBe('unreachable');
  });

  it('accepts a name that cannot be resolved in time if a target is only checked', async () => {
    const unknown = createHttpWebhook({ ...rules, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    await unknown.check('http://nobody.example');
    expect(await reasonOf(unknown.call(aRequest({ url: 'http://nobody.example' })))).toBe('unreachable');
    const slow = createHttpWebhook({ ...rules, resolve: () => new Promise(() => undefined) });
    await slow.check('http://slow.example');
    const timeouts = { ...patient, requestMs: 20 };
    expect(await reasonOf(slow.call(aRequest({ url: 'http://slow.example', timeouts })))).toBe('late');
  });

  it('never includes the path or the query of a target in an error', async () => {
    await target.goDown();
    const failure = createHttpWebhook(rules).call(aRequest({ url: `${target.url}/secret?token=secret` }));
    await expect(failure).rejects.toThrow(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/);
    await target.comeBack();
  });
});

describe('a webhook over TLS', () => {
  let silent: Server;

  beforeEach(async () => {
    silent = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', () => resolve());
    });
  });
  afterEach(() => void silent.close());

  it('is late if the handshake does not end', async () => {
    const { port } = silent.address() as AddressInfo;
    const timeouts = { ...patient, handshakeMs: 50 };
    const webhook = createHttpWebhook(rules);
    expect(await reasonOf(webhook.call(aRequest({ url: `https://127.0.0.1:${port}/`, timeouts })))).toBe('late');
  });

  it('is unreachable if the server does not use TLS', async () => {
    const url = target.url.replace('http:', 'https:');
    expect(await reasonOf(createHttpWebhook(rules).call(aRequest({ url })))).toBe('unreachable');
  });
});
