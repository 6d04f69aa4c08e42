import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { subscribe } from '../../support/consumer.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { openStream, sendTagged, shownSubscriptions } from '../../support/stream-client.js';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.stop());

const sequences = 2_000;
const atOnce = 20;
/** Codes with which a socket may close: by the protocol of events, by that of WebSockets, by the client itself. */
const expectedCodes = [1002, 1005, 1006, 1007, 1008, 1009];
const knownCodes = /^FF101(?:73|75|76|77|78|79): /;

const names = fc.constantFrom('app', 'none-yet', '', 'a b', 'x'.repeat(70), '__proto__', 'undefined');
const namespaces = fc.constantFrom('default', 'svc_system', 'nowhere', '', 'undefined');
const scalars = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const anything = fc.oneof(scalars, fc.jsonValue({ maxDepth: 3 }));
const expressions = fc.constantFrom('message_confirmed', '(', '^(a+)+$', '', 'x{1000}', '\\pL', '🦜');
const filters = fc.oneof(
  fc.record({ events: expressions, message: fc.record({ tag: expressions }) }, { requiredKeys: [] }),
  fc.dictionary(fc.constantFrom('events', 'message.tag', 'tag', 'evnts', '__proto__'), fc.oneof(expressions, anything)),
  anything,
);
const options = fc.oneof(
  fc.record(
    {
      firstEvent: fc.constantFrom<unknown>('newest', 'oldest', 0, -1, '5', -2, 'x', 1e30),
      readAhead: fc.constantFrom<unknown>(0, 1, 50, 65_535, 65_536, -1, 'x'),
      batch: fc.constantFrom<unknown>(true, false, 'x'),
      batchTimeout: fc.constantFrom<unknown>('1ms', 0, 'x', -1),
      withData: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  anything,
);
const mistaken = <T>(expected: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: expected }, anything);
const starts = fc.record(
  {
    type: fc.constant('start'),
    namespace: mistaken(namespaces),
    name: mistaken(names),
    ephemeral: mistaken(fc.boolean()),
    autoack: mistaken(fc.boolean()),
    filter: filters,
    options,
  },
  { requiredKeys: ['type'] },
);
/** Starts that succeed, so that later frames are handled, too. */
const goodStarts = fc.record({
  type: fc.constant('start'),
  namespace: fc.constant('default'),
  ephemeral: fc.constant(true),
  options: fc.record({ firstEvent: fc.constantFrom('oldest', 'newest'), readAhead: fc.integer({ min: 0, max: 9 }) }),
});
const acks = fc.record(
  {
    type: fc.constant('ack'),
    id: mistaken(fc.uuid()),
    subscription: mistaken(
      fc.record({ id: mistaken(fc.uuid()), namespace: namespaces, name: names }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: ['type'] },
);

type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' | 'ping' | 'pong'; readonly bytes: Uint8Array }
  | { readonly kind: 'settle' | 'close' | 'die' };

const json = (value: unknown): Step => ({ kind: 'text', text: JSON.stringify(value) });
const bytes = fc.uint8Array({ maxLength: 125 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: goodStarts.map(json) },
  { weight: 4, arbitrary: starts.map(json) },
  { weight: 6, arbitrary: acks.map(json) },
  { weight: 4, arbitrary: fc.constant(json({ type: 'ack' })) },
  { weight: 1, arbitrary: anything.map(json) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text): Step => ({ kind: 'text', text })) },
  { weight: 1, arbitrary: bytes.map((some): Step => ({ kind: 'binary', bytes: some })) },
  { weight: 2, arbitrary: bytes.map((some): Step => ({ kind: 'ping', bytes: some })) },
  { weight: 1, arbitrary: bytes.map((some): Step => ({ kind: 'pong', bytes: some })) },
  { weight: 4, arbitrary: fc.constant<Step>({ kind: 'settle' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'close' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'die' }) },
);
const targets = fc.constantFrom('/ws', '/ws', '/ws?autoack', '/ws?ephemeral', '/ws?name=app', '/ws?ephemeral&batch');

it(`stays up, answers correctly and serves others whatever ${sequences} sockets send`, async () => {
  const { node } = network;
  await subscribe(node.url, 'app', { options: { firstEvent: 'oldest' } });
  for (let i = 0; i < 5; i++) await sendTagged(node, `before-${i}`);
  const plays = fc.sample(fc.tuple(targets, fc.array(steps, { minLength: 1, maxLength: 12 })), {
    numRuns: sequences,
    seed: 42,
  });
  const endings = new Map<string, number>();
  for (let first = 0; first < plays.length; first += atOnce) {
    const ended = await Promise.all(
      plays.slice(first, first + atOnce).map(([target, play]) => playOn(`${node.ws}${target}`, play)),
    );
    for (const ending of ended) endings.set(ending, (endings.get(ending) ?? 0) + 1);
  }
  const told = [...endings.keys()].filter((ending) => ending.startsWith('FF')).map((ending) => ending.slice(0, 7));
  expect(new Set(told)).toEqual(new Set(['FF10175', 'FF10176', 'FF10177', 'FF10178', 'FF10179']));
  expect(node.fatal).toEqual([]);
  const stream = await openStream(node, '/ws?name=app');
  const id = await sendTagged(node, 'after');
  for (let n = 1; ; n++) {
    const frame = await stream.frame(n);
    stream.acknowledge(frame);
    if (frame.reference === id) break;
  }
  expect(await shownSubscriptions(node, stream)).toMatchObject([{ name: 'app', active: true }]);
  await stream.close();
  await expect
    .poll(async () => (await fetch(`${node.url}/api/v1/websockets`)).json())
    .toMatchObject({
      connections: [],
    });
}, 180_000);

/** Plays a sequence on a new socket, and returns its end: the error that it received, or the code. */
async function playOn(url: string, play: readonly Step[]): Promise<string> {
  const socket = new WebSocket(url);
  const errors: string[] = [];
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    const { type, error } = JSON.parse(String(data)) as { readonly type: string; readonly error?: string };
    if (type === 'protocol_error') errors.push(error ?? '');
  });
  await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
  for (const step of play) {
    if (socket.readyState !== WebSocket.OPEN) break;
    await take(socket, step);
  }
  socket.close();
  const code = await closed;
  expect(expectedCodes).toContain(code);
  expect(errors.length).toBeLessThanOrEqual(1);
  const [error] = errors;
  if (error === undefined) return String(code);
  expect(error).toMatch(knownCodes);
  return error;
}

async function take(socket: WebSocket, step: Step): Promise<void> {
  switch (step.kind) {
    case 'text':
      socket.send(step.text);
      return;
    case 'binary':
      socket.send(step.bytes);
      return;
    case 'ping':
      socket.ping(step.bytes);
      return;
    case 'pong':
      socket.pong(step.bytes);
      return;
    case 'close':
      socket.close();
      return;
    case 'die':
      socket.terminate();
      return;
    case 'settle':
      await new Promise((resolve) => setImmediate(resolve));
  }
}
