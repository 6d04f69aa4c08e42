import { expect, it, onTestFinished } from 'vitest';
import { createDirectJudge } from '../../../src/adapters/judge/direct.js';
import { createWorkerJudge } from '../../../src/adapters/judge/worker.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import type { Judge } from '../../../src/ports/judge.js';
import { textOf } from '../../../src/wire/json/json.js';
import { startTestNetwork } from '../../support/node.js';

/** A thread that accepts every schema and never finishes a value. */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ kind }) => {
      if (kind === 'value' || kind === 'typed') for (;;);
      parentPort.postMessage({ answer: {} });
    });`)}`,
);

it('a node answers all others while it judges a value without end', async () => {
  const judge = createWorkerJudge({ log: createSilentLog(), thread });
  const network = await startTestNetwork(['alice'], { judge });
  onTestFinished(() => network.stop());
  const { url } = network.node;
  const post = (path: string, body: unknown) =>
    fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const datatype = { name: 'set', version: '1' };
  const defined = await post('datatypes?confirm=true', { ...datatype, value: { uniqueItems: true } });
  expect(defined.status).toBe(200);
  const endless = post('data', { value: [1, 2], datatype });
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  const confirmed = await post('messages/broadcast?confirm=true', { data: [{ value: 'hello' }] });
  expect(confirmed.status).toBe(200);
  // It is still busy, and would report an earlier end.
  await judge.close();
  expect((await endless).status).toBe(503);
});

it('large reads do not block a node: downloads, envelopes, and batches whose pins arrive', async () => {
  const direct = createDirectJudge();
  const asked = new Set<string>();
  const ask: Judge['ask'] = (kind, input, asking) => {
    asked.add(`${kind} of ${asking.lane}`);
    return direct.ask(kind, input, asking);
  };
  const network = await startTestNetwork(['alice', 'bob'], { judge: { ...direct, ask } });
  onTestFinished(() => network.stop());
  const send = async (path: string, more: object) => {
    const response = await fetch(`${network.node.url}/api/v1/messages/${path}?confirm=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: textOf({ ...more, data: [{ value: 'x'.repeat(100_000) }] }),
    });
    expect(response.status).toBe(200);
  };
  await send('broadcast', {});
  await expect.poll(() => [...asked].sort()).toEqual(['payload of downloads', 'payload of pinned']);
  asked.clear();
  await send('private', { group: { members: [{ identity: 'bob' }] } });
  await expect.poll(() => [...asked].sort()).toEqual(['envelope of envelopes', 'payload of pinned']);
});
