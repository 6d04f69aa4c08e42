import { expect, it, onTestFinished } from 'vitest';
import { createWorkerJudge } from '../../src/adapters/judge/worker.js';
import { createSilentLog } from '../../src/adapters/log/silent.js';
import { startTestNetwork } from '../support/node.js';

/** A thread that takes every schema and never comes to an end with a value. */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ kind }) => {
      if (kind === 'value' || kind === 'typed') for (;;);
      parentPort.postMessage({ answer: {} });
    });`)}`,
);

it('a node answers everybody else while it judges a value without end', async () => {
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
  // It is still at it, and says so when it ends before.
  await judge.close();
  expect((await endless).status).toBe(503);
});
