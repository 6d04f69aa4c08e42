import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { fetchTransport } from '../../../../src/client/transport.js';
import { createTransport } from '../../../../src/http/client/transport.js';
import { aServer } from './a-server.js';

const transports = [
  ['of a program', createTransport()],
  ['of a browser', fetchTransport()],
] as const;

describe.each(transports)('The transport %s', (_, send) => {
  test('sends texts and streams, and returns status, headers and body, complete or in parts', async () => {
    const url = await aServer((request, response) => {
      response.writeHead(404, { 'X-Way': [request.method ?? '', String(request.headers['x-name'])] });
      request.pipe(response);
    });
    const headers = { 'x-name': 'n' };
    const whole = await send({ url, method: 'POST', headers, body: 'ün' });
    expect([whole.status, whole.headers.get('x-way')]).toEqual([404, 'POST, n']);
    expect(Buffer.from(await whole.bytes()).toString()).toBe('ün');
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('a'));
      yield Buffer.from('b');
    }
    const parts = await send({ url, method: 'PUT', headers, body: chunks() });
    expect(await text(parts.body)).toBe('ab');
    const none = await send({ url, method: 'HEAD', headers });
    expect([none.headers.get('x-way'), (await none.bytes()).length]).toEqual(['HEAD, n', 0]);
  });

  test('fails with the reason of its signal', async () => {
    const url = await aServer(() => undefined);
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(send({ url, method: 'GET', headers: {}, signal })).rejects.toBe(reason);
    const later = new AbortController();
    const waiting = send({ url, method: 'GET', headers: {}, signal: later.signal });
    later.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test('fails if the body is truncated', async () => {
    const url = await aServer((_request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('ab', () => response.destroy());
    });
    await expect((await send({ url, method: 'GET', headers: {} })).bytes()).rejects.toThrow();
    await expect(text((await send({ url, method: 'GET', headers: {} })).body)).rejects.toThrow();
  });
});
