import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { bodyText, rawRequest } from '../../http/raw-request.js';
import { cidFor, type OpenStore, openStore } from '../open-store.js';

let store: OpenStore;
beforeEach(async () => {
  store = await openStore({ maxFileBytes: 2_000_000 });
});
afterEach(() => store.dispose());

const file = part('form-data; name="file"; filename="a"', 'content', 'application/octet-stream');
const field = part('form-data; name="field"', 'value');
const end = '--x--\r\n';

function part(disposition: string, body: string, type?: string): string {
  const typeLine = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  return `--x\r\nContent-Disposition: ${disposition}\r\n${typeLine}\r\n${body}\r\n`;
}

function addText(body: string, type = 'multipart/form-data; boundary=x', more: readonly string[] = []): string {
  return bodyText('POST', '/api/v0/add', [`Host: 127.0.0.1:${store.port}`, `Content-Type: ${type}`, ...more], body);
}

async function expectNothingStored(): Promise<void> {
  await eventually(async () => expect(await readdir(join(store.directory, 'drafts')).catch(() => [])).toEqual([]));
  expect(await readdir(join(store.directory, 'content')).catch(() => [])).toEqual([]);
  // The store still works.
  expect(await cidFor(store.url, Buffer.from('hello world\n'))).toBe('QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o');
}

describe('an upload', () => {
  it('is accepted if it is one file', async () => {
    const answer = await rawRequest(store.port, addText(file + end));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ Name: 'a' });
  });

  it.each([
    ['has an empty body', ''],
    ['has no part', end],
    ['has only a field', field + end],
    ['has a field before the file', field + file + end],
    ['has a field after the file', file + field + end],
    ['has two files', file + file + end],
    ['has a part without a disposition', `${file}--x\r\n\r\nbody\r\n${end}`],
    ['has no final boundary', file],
    ['ends in the headers of a part', '--x\r\nContent-Dispo'],
    ['has a malformed part header', `--x\r\n\0\0: \u0001\r\n\r\nbody\r\n${end}`],
    ['has a name beyond the limit', part(`form-data; name="file"; filename="${'n'.repeat(256)}"`, 'content') + end],
    ['has a thousand parts', file.repeat(1_000) + end],
    ['is not multipart', 'hello'],
  ])('is refused and stores nothing when it %s', async (_what, body) => {
    const answer = await rawRequest(store.port, addText(body));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ Message: expect.stringContaining('multipart'), Code: 0, Type: 'error' });
    await expectNothingStored();
  });

  it('is refused without a boundary in its content type', async () => {
    expect((await rawRequest(store.port, addText(file + end, 'multipart/form-data'))).status).toBe(400);
    await expectNothingStored();
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json'])('is refused as %s', async (type) => {
    expect((await rawRequest(store.port, addText(file + end, type))).status).toBe(415);
    await expectNothingStored();
  });

  it('is refused with a foreign Origin or Host', async () => {
    const page = await rawRequest(store.port, addText(file + end, undefined, ['Origin: http://evil.test']));
    expect(page.status).toBe(403);
    const name = addText(file + end).replace(/Host: [^\r]+/, 'Host: evil.test');
    expect((await rawRequest(store.port, name)).status).toBe(403);
    await expectNothingStored();
  });

  it('gets the answer 413 beyond the limit, although it is still being sent', async () => {
    const big = part('form-data; name="file"; filename="a"', 'x'.repeat(6_000_000));
    const answer = await rawRequest(store.port, addText(big + end));
    expect(answer.status).toBe(413);
    await expectNothingStored();
  });

  it('stores nothing if the client disconnects midway', async () => {
    const text = addText(part('form-data; name="file"; filename="a"', 'x'.repeat(1_000_000)) + end);
    const socket = connect(store.port, '127.0.0.1');
    socket.write(text.slice(0, 600_000));
    await eventually(async () => expect(await readdir(join(store.directory, 'drafts'))).toHaveLength(1));
    socket.destroy();
    await expectNothingStored();
  });

  it('is not stored before its whole body has arrived and is valid', async () => {
    const text = addText(file + file + end);
    const split = text.lastIndexOf('--x\r\nContent-Disposition') + 10;
    const socket = connect(store.port, '127.0.0.1');
    const chunks: string[] = [];
    socket.on('data', (chunk) => chunks.push(String(chunk)));
    socket.write(text.slice(0, split));
    // Other uploads complete meanwhile, so there was time to store the first file.
    for (let round = 0; round < 5; round += 1) await cidFor(store.url, Buffer.from(`other ${round}`));
    expect(await readdir(join(store.directory, 'content'))).toHaveLength(5);
    socket.write(text.slice(split));
    await once(socket, 'close');
    expect(chunks.join('')).toMatch(/^HTTP\/1.1 400 /);
    expect(await readdir(join(store.directory, 'content'))).toHaveLength(5);
  });

  it('does not use its file name as a path', async () => {
    const names = ['../../escape', '/etc/escape', '..%2f..%2fescape', 'a\\..\\escape', '%00', '%'];
    for (const name of names) {
      const answer = await rawRequest(
        store.port,
        addText(part(`form-data; name="file"; filename="${name}"`, 'content') + end),
      );
      expect(answer.status).toBe(200);
    }
    expect(await readdir(join(store.directory, 'content'))).toHaveLength(1);
    expect((await readdir(store.directory)).filter((entry) => !entry.startsWith('lock-')).sort()).toEqual([
      'content',
      'drafts',
    ]);
  });
});
