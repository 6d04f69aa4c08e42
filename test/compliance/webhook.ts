import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReceivedCall, Target } from '../../src/adapters/webhook/memory.js';
import { maxReplyBytes, type Webhook, type WebhookReply, type WebhookRequest } from '../../src/ports/webhook.js';

/** A webhook adapter and three servers that it may call. */
export interface WebhookUnderTest {
  readonly webhook: Webhook;
  readonly origins: readonly [string, string, string];
  /** An origin without a server. */
  readonly nobody: string;
  /** Sets the target that answers at one of the origins. */
  serve(origin: string, target: Target): Promise<void>;
  dispose(): Promise<void>;
}

/** The obligations of `ports/webhook.ts`. */
export function describeWebhook(adapter: string, create: () => Promise<WebhookUnderTest>): void {
  describe(`webhook: ${adapter}`, () => {
    let subject: WebhookUnderTest;
    let first: string;
    let second: string;
    let third: string;
    let calls: ReceivedCall[];

    beforeEach(async () => {
      subject = await create();
      [first, second, third] = subject.origins;
      calls = [];
    });
    afterEach(() => subject.dispose());

    async function serve(origin: string, target: Target): Promise<void> {
      await subject.serve(origin, (call, signal) => {
        calls.push(call);
        return target(call, signal);
      });
    }

    function call(path = '/hook', changes: Partial<WebhookRequest> = {}): Promise<WebhookReply> {
      const timeouts = { requestMs: 20_000, connectionMs: 20_000, handshakeMs: 20_000 };
      const headers = { 'content-type': 'application/json', 'x-parley-event': 'e1', authorization: 'secret' };
      const url = `${first}${path}`;
      return subject.webhook.call({ url, method: 'POST', headers, body: '{}', wantsBody: true, timeouts, ...changes });
    }

    const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'none',
        (error: unknown) => (error as { reason?: unknown }).reason ?? error,
      );
    const redirect = (status: number, location: string) => async () => ({ status, headers: { location } });

    it('sends method, headers and body unchanged, and no cookies', async () => {
      await serve(first, async () => ({ status: 204 }));
      const body = '{"n":1.50,"s":"é\\u0000 "}';
      await call('/hook?a=b%20c', { body });
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatchObject({ url: `${first}/hook?a=b%20c`, method: 'POST', body });
      expect(calls[0]?.headers).toMatchObject({ 'x-parley-event': 'e1', authorization: 'secret' });
      expect(calls[0]?.headers).not.toHaveProperty('cookie');
    });

    it('calls without a body if there is none', async () => {
      await serve(first, async () => ({ status: 200 }));
      await call('/', { method: 'GET', body: undefined });
      expect(calls[0]).toMatchObject({ method: 'GET', body: '' });
    });

    it.each([200, 204, 400, 404, 429, 500, 503])('returns any status: %i', async (status) => {
      await serve(first, async () => ({ status, headers: { 'x-own': 'a' }, body: status === 204 ? '' : 'text' }));
      const reply = await call();
      expect(reply).toMatchObject({ status, headers: { 'x-own': 'a' } });
      expect(Buffer.from(reply.body).toString()).toBe(status === 204 ? '' : 'text');
    });

    it('returns a body unchanged, up to its limit', async () => {
      const body = randomBytes(maxReplyBytes);
      await serve(first, async () => ({ status: 200, body }));
      expect(Buffer.from((await call()).body).equals(body)).toBe(true);
    });

    it('fails for a body beyond the limit, unless the status is enough', async () => {
      await serve(first, async () => ({ status: 200, body: randomBytes(maxReplyBytes + 1) }));
      expect(await reasonOf(call())).toBe('too_large');
      expect(await call('/', { wantsBody: false })).toMatchObject({ status: 200, body: new Uint8Array() });
    });

    it('reports if there is no server', async () => {
      expect(await reasonOf(call('', { url: subject.nobody }))).toBe('unreachable');
    });

    it('repeats nothing', async () => {
      await serve(first, async () => 'unreachable');
      expect(await reasonOf(call())).toBe('unreachable');
      expect(calls).toHaveLength(1);
    });

    it('ends with the reason of the signal, before and while it waits', async () => {
      const ended = AbortSignal.abort(new Error('stopped'));
      await expect(call('/', { signal: ended })).rejects.toThrow('stopped');
      expect(calls).toEqual([]);
      const ending = new AbortController();
      await serve(first, () => {
        ending.abort(new Error('stopped'));
        return new Promise<never>(() => undefined);
      });
      await expect(call('/', { signal: ending.signal })).rejects.toThrow('stopped');
    });

    it.each([301, 302, 307, 308])('keeps method, headers and body in a redirect by %i', async (status) => {
      await serve(first, async ({ url }) => (url.endsWith('/hook') ? redirect(status, '/other')() : { status: 200 }));
      expect((await call()).status).toBe(200);
      expect(calls[1]).toMatchObject({ url: `${first}/other`, method: 'POST', body: '{}' });
      expect(calls[1]?.headers).toMatchObject({ authorization: 'secret', 'x-parley-event': 'e1' });
    });

    it('requests the target of a 303 without the body', async () => {
      await serve(first, async ({ url }) => (url.endsWith('/hook') ? redirect(303, '/other')() : { status: 200 }));
      await call();
      expect(calls[1]).toMatchObject({ method: 'GET', body: '' });
      expect(calls[1]?.headers).not.toHaveProperty('content-type');
    });

    it('sends another origin nothing that was for the first', async () => {
      await serve(first, redirect(307, `${second}/there`));
      await serve(second, async () => ({ status: 200 }));
      await call();
      expect(calls[1]).toMatchObject({ url: `${second}/there`, body: '{}' });
      expect(calls[1]?.headers).toMatchObject({ 'x-parley-event': 'e1', 'content-type': 'application/json' });
      expect(calls[1]?.headers).not.toHaveProperty('authorization');
    });

    it('follows three redirects and no fourth', async () => {
      await serve(first, redirect(307, `${second}/1`));
      await serve(second, redirect(307, `${third}/2`));
      await serve(third, async ({ url }) => (url.endsWith('/2') ? redirect(307, '/3')() : { status: 200 }));
      expect((await call()).status).toBe(200);
      await subject.serve(third, redirect(307, '/again'));
      expect(await reasonOf(call())).toBe('refused');
    });

    it('treats a redirect without a target as an answer', async () => {
      await serve(first, async () => ({ status: 307 }));
      expect((await call()).status).toBe(307);
    });

    it.each([
      'http://169.254.169.254/latest',
      'http://[::ffff:169.254.169.254]/',
      'http://[fe80::1]/',
      'http://0.0.0.0/',
      'http://224.0.0.1/',
      'http://10.0.0.1/',
      'ftp://orders.example/',
      'file:///etc/passwd',
      'http://user:password@orders.example/',
    ])('refuses %s, at once, as a target and after a redirect', async (url) => {
      expect(await reasonOf(subject.webhook.check(url))).toBe('refused');
      expect(await reasonOf(call('', { url }))).toBe('refused');
      await serve(first, redirect(307, url));
      expect(await reasonOf(call())).toBe('refused');
      expect(calls).toHaveLength(1);
    });

    it('checks only the rules: whether a server exists does not matter', async () => {
      await subject.webhook.check(`${first}/hook`);
      expect(calls).toEqual([]);
      const signal = AbortSignal.abort(new Error('stopped'));
      await expect(subject.webhook.check(first, signal)).rejects.toThrow('stopped');
    });
  });
}
