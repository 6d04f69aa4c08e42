import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/bench/check/facts/facts.js';
import { createHttpClient } from '../../../../src/bench/http.js';
import { type LoadPlan, offerLoad } from '../../../../src/bench/load/load.js';
import { anId } from '../a-recording.js';

type Answer = { readonly status: number; readonly text: string } | 'broken';

let server: Server;
let url: string;
let bodies: string[];
let answers: Answer[];
/** Blocks the answer until resolved. */
let gate: Promise<void>;
const http = createHttpClient();

beforeEach(async () => {
  bodies = [];
  answers = [];
  gate = Promise.resolve();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      const answer = answers.shift() ?? { status: 202, text: `{"header":{"id":"${anId(bodies.length)}"}}` };
      void gate.then(() => {
        if (answer === 'broken') request.socket.destroy();
        else response.writeHead(answer.status).end(answer.text);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function aPlan(changes: Partial<LoadPlan> = {}): LoadPlan {
  const parties = [{ name: 'alice', url }];
  return { run: 'r1', parties, ratePerSecond: 200, durationMs: 50, sizeBytes: 100, topics: 2, ...changes };
}

describe('a load', () => {
  it('sends every message of its schedule once, all different', async () => {
    const records = await offerLoad(http, aPlan());
    expect(records).toHaveLength(10);
    expect(new Set(bodies).size).toBe(10);
    expect(new Set(records.map(({ id }) => id)).size).toBe(10);
    expect(records.map(({ topics }) => topics[0])).toContain('bench-r1-1');
  });

  it('addresses members by their identities, if these differ from the party names', async () => {
    const parties = [
      { name: 'alice', url },
      { name: 'bob', url, identity: 'Bob-Ltd' },
    ];
    const [record] = await offerLoad(http, aPlan({ parties, workload: 'unpinned' }));
    expect(record?.members).toEqual(['alice', 'bob']);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      group: { members: [{ identity: 'alice' }, { identity: 'Bob-Ltd' }] },
    });
  });

  it('does not wait for an answer before it sends the next', async () => {
    let release: () => void = () => undefined;
    gate = new Promise<void>((resolve) => (release = resolve));
    const offered = offerLoad(http, aPlan());
    await expect.poll(() => bodies.length).toBe(10);
    release();
    expect((await offered).every(({ id }) => id !== null)).toBe(true);
  });

  it('records the hash of what it has sent, and sends a value of the requested size', async () => {
    const [record] = await offerLoad(http, aPlan({ durationMs: 5 }));
    const value = /"data":\[\{"value":(\{.*?\})\}\]/.exec(bodies[0] ?? '')?.[1] ?? '';
    expect(value).toHaveLength(100);
    expect(record?.valueHashes).toEqual([sha256(value)]);
  });

  it('repeats with the same key after a broken connection, and treats a used key as an answer', async () => {
    answers = ['broken', { status: 409, text: `{"error":"FF10430: used by message ${anId(42)}"}` }];
    const [record] = await offerLoad(http, aPlan({ durationMs: 5, maxRepeats: 3 }));
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(record?.id).toBe(anId(42));
  });

  it('does not repeat a refused message', async () => {
    answers = [{ status: 400, text: '{"error":"FF00112: no"}' }];
    const [record] = await offerLoad(http, aPlan({ durationMs: 5, maxRepeats: 3 }));
    expect(bodies).toHaveLength(1);
    expect(record).toMatchObject({ id: null, acceptedMs: null, status: 400 });
  });

  it('reports an unanswered message as unknown', async () => {
    answers = ['broken'];
    const [record] = await offerLoad(http, aPlan({ durationMs: 5 }));
    expect(record).toMatchObject({ id: null, acceptedMs: null, status: null });
  });
});
