import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { every } from '../../src/ports/tables/where.js';
import { textOf } from '../../src/wire/json/json.js';
import { startTestNetwork, type TestNetwork } from '../support/node.js';
import { openStream } from '../support/stream-client.js';

interface Sent {
  readonly header: { readonly id: string };
  readonly data: readonly [{ readonly id: string }];
}

let network: TestNetwork;
/** The message whose tag is changed. */
let renamed: Sent;
/** The message whose value is changed. */
let rewritten: Sent;
let untouched: Sent;

beforeAll(async () => {
  network = await startTestNetwork();
  [renamed, rewritten, untouched] = [await broadcast(1), await broadcast(2), await broadcast(3)];
  await network.restart(async () => {
    await network.node.database.transaction(async (unit) => {
      expect(await unit.update('messages', { namespace: every, id: renamed.header.id }, { tag: 'paid' })).toBe(1);
      expect(
        await unit.update(
          'data',
          { namespace: every, id: rewritten.data[0].id },
          { value: textOf({ amount: 1_000_000 }) },
        ),
      ).toBe(1);
    });
  });
});

afterAll(async () => {
  expect(network.node.fatal).toEqual([]);
  await network.stop();
});

async function broadcast(amount: number): Promise<Sent> {
  const response = await fetch(`${network.node.url}/api/v1/messages/broadcast?confirm=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: textOf({ header: { tag: 'ordered', topics: ['orders'] }, data: [{ value: { amount } }] }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Sent;
}

async function answerOf(path: string): Promise<string> {
  const response = await fetch(`${network.node.url}/api/v1/${path}`);
  return `${response.status} ${await response.text()}`;
}

const refused = /^500 \{"error":"PY1019: The (message|data item) \S+ is damaged: it does not fit its hash .*It is not/;

describe('what was changed in the rows of a stopped node', () => {
  it('is not served when requested by name, and the answer gives the reason', async () => {
    const { id } = renamed.header;
    const item = rewritten.data[0].id;
    const paths = [`messages/${id}`, `messages/${id}/data`, `data/${item}`, `data/${item}/value`];
    for (const path of [...paths, `messages/${rewritten.header.id}?fetchdata`]) {
      expect(await answerOf(path), path).toMatch(refused);
    }
    expect(await answerOf(`messages/${rewritten.header.id}`)).toMatch(/^200 /);
    for (const path of [`messages/${untouched.header.id}?fetchdata`, `data/${untouched.data[0].id}/value`]) {
      expect(await answerOf(path), path).toMatch(/^200 /);
    }
  });

  it('is listed, since lists do not verify hashes', async () => {
    expect(await answerOf('messages?tag=paid')).toContain(renamed.header.id);
  });

  it('is not embedded in its event, which is delivered with the reason', async () => {
    const body = textOf({ name: 'all', options: { firstEvent: 'oldest' } });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${network.node.url}/api/v1/subscriptions`, { method: 'POST', headers, body });
    const stream = await openStream(network.node, '/ws?name=all&autoack');
    const frames = [];
    for (let n = 1; frames.length < 3; n += 1) {
      const frame = await stream.frame(n);
      if (frame.type === 'message_confirmed') frames.push(frame);
    }
    const [first, ...others] = frames;
    expect(first).toMatchObject({ reference: renamed.header.id, error: expect.stringMatching(/^PY1019: /) });
    expect(first).not.toHaveProperty('message');
    for (const frame of others) expect(frame).toMatchObject({ message: { header: { id: frame.reference } } });
    await stream.close();
  });

  it('is counted in the status of the node', async () => {
    expect(await answerOf('status')).toMatch(/^200 .*"damaged":2/);
  });
});
