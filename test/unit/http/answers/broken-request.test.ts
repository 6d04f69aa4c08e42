import { afterEach, describe, expect, it } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { type Listener, openListener } from '../../../../src/http/listener.js';
import { rawRequest } from '../raw-request.js';

let listener: Listener | undefined;

afterEach(async () => {
  await listener?.close(0);
});

async function open(): Promise<number> {
  const rules = { hosts: [], origins: [], contentTypes: () => [] };
  listener = await openListener({ host: '127.0.0.1', port: 0, rules, middleware: [], log: createSilentLog() });
  return listener.port;
}

describe('an unreadable request', () => {
  it.each([
    ['another protocol', 400, 'PY1018', '\u0016\u0003\u0001\u0000\u0000\r\n\r\n'],
    ['two lengths', 400, 'PY1018', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a head beyond the limit', 431, 'PY1004', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is refused like everything else: %s', async (_, status, code, text) => {
    const answer = await rawRequest(await open(), text);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatch(new RegExp(`^\\{"error":"${code}: `));
    expect(answer.head.toLowerCase()).toContain('x-content-type-options: nosniff');
  });

  it('only ends the connection if an answer is in progress, for which an error would be taken', async () => {
    const port = await open();
    const answer = await rawRequest(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\nnonsense\r\n\r\n`);
    expect(answer.head).toBe('');
  });
});

it('an unknown expectation is ignored, since its refusal would have no error in its body', async () => {
  const port = await open();
  const head = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nExpect: more\r\nConnection: close\r\n\r\n`;
  const answer = await rawRequest(port, head);
  expect(answer.status).toBe(404);
  expect(answer.body).toMatch(/^\{"error":"FF10109: /);
});
