import { randomBytes } from 'node:crypto';
import { checkDurable } from '../../../src/bench/check/durable.js';
import type { DurableStep, Evidence } from '../../../src/bench/check/recording.js';
import { recordDurably } from '../../../src/bench/durable-recorder.js';
import { createHttpClient, type HttpClient } from '../../../src/bench/http.js';
import { offerLoad } from '../../../src/bench/load/load.js';
import { listEvents, readOffset } from '../../../src/bench/subscription.js';
import { openSocket } from '../../../src/cli/requests/open-socket.js';
import { consume, type Consumer, subscribe } from '../../support/consumer.js';
import { acknowledgeInDisorder } from '../../support/disorder.js';
import { type EventStack, onEventStack, pause, soon } from './event-stack.js';
import { inParallel, send, type Verdicts } from './history.js';

const settleMs = 60_000;
/** More senders than the window holds, while nodes are killed; each waits before its next message: some 200/s. */
const senders = 64;
const pauseMs = 250;

/** Tests durable subscriptions under failures: no event is lost, and none comes again after its acknowledgement. */
export async function tryDurable(
  root: string,
  { restarts }: { readonly restarts: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  await onEventStack(root, async (events) => {
    const http = createHttpClient({ timeoutMs: 20_000 });
    try {
      await resume(events, http, verdicts);
      await createdBefore(events, http, verdicts);
      await outOfOrder(events, http, verdicts, print);
      await twoConnections(events, http, verdicts);
      await nodeRestarts(events, http, restarts, verdicts, print);
    } finally {
      http.close();
    }
  });
}

/** Reads 100 of 300, acknowledges 80, kills the client: it must resume at the 81st. */
async function resume({ url }: EventStack, http: HttpClient, verdicts: Verdicts): Promise<void> {
  const id = await subscribe(url, 'resume', { filter: { tag: '^resume$' }, options: { readAhead: 99 } });
  const sent = await sendMany(http, url, 'resume', 300);
  const first = consume(url, 'name=resume');
  await soon('a hundred events came', () => first.count() >= 100);
  verdicts.expect('the window holds a hundred', first.count() === 100, String(first.count()));
  for (const frame of first.frames.slice(0, 80)) first.acknowledge(frame.id);
  const eightieth = first.frames[79]?.sequence ?? Infinity;
  await soon('eighty acknowledgements are on disk', async () => (await readOffset(http, { url }, id)) >= eightieth);
  first.kill();
  const next = consume(url, 'name=resume', { isAcknowledging: true });
  await soon('the rest came', () => next.count() >= 220);
  verdicts.expect('after 80 acknowledgements it resumes at the 81st', next.frames[0]?.reference === sent[80]);
  const references = next.frames.map(({ reference }) => reference);
  verdicts.expect('and gives all of the rest in order', references.join() === sent.slice(80).join());
  next.kill();
}

/** Creates the subscription, sends a message, then connects with `newest`: it must be delivered. */
async function createdBefore({ url }: EventStack, http: HttpClient, verdicts: Verdicts): Promise<void> {
  await subscribe(url, 'before', { filter: { tag: '^before$' }, options: { firstEvent: 'newest' } });
  const [sent] = await sendMany(http, url, 'before', 1);
  const consumer = consume(url, 'name=before', { isAcknowledging: true });
  await soon('the event came', () => consumer.count() > 0);
  verdicts.expect('what was sent between creation and connection comes', consumer.frames[0]?.reference === sent);
  consumer.kill();
}

/** Acknowledges in any order on a connection that drops repeatedly. */
async function outOfOrder(
  { url, party }: EventStack,
  http: HttpClient,
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const readAhead = 20;
  const id = await subscribe(url, 'disorder', { filter: { tag: '^disorder$' }, options: { readAhead } });
  const start = await readOffset(http, { url }, id);
  const sent = await sendMany(http, url, 'disorder', 1_000);
  const connections: DurableStep[][] = [];
  const done = new Set<string>();
  const some = { url, name: 'disorder', most: 100, total: sent.length };
  while (done.size < sent.length) connections.push(await acknowledgeInDisorder(some, done));
  const listed = await listedOf(http, url, start, new Set(sent));
  const evidence: Evidence = { count: 0, faults: [] };
  checkDurable(party.name, { readAhead, connections, listed }, evidence);
  print(`${connections.length} connections, ${evidence.count} deliveries and acknowledgements out of order`);
  const [fault = ''] = evidence.faults;
  verdicts.expect('acknowledged in any order over dropped connections: no loss', fault === '', fault);
}

/** Opens two connections on one name; the busy one is killed. */
async function twoConnections({ url, party }: EventStack, http: HttpClient, verdicts: Verdicts): Promise<void> {
  const readAhead = 9;
  const id = await subscribe(url, 'shared', { filter: { tag: '^shared$' }, options: { readAhead } });
  const start = await readOffset(http, { url }, id);
  const busy = consume(url, 'name=shared');
  await busy.opened;
  const standby = consume(url, 'name=shared', { isAcknowledging: true });
  await standby.opened;
  const sent = await sendMany(http, url, 'shared', 100);
  await soon('the busy one has its window full', () => busy.count() === readAhead + 1);
  verdicts.expect('of two connections on one name one stands by', standby.count() === 0);
  for (const frame of busy.frames.slice(0, 5)) busy.acknowledge(frame.id);
  await soon('it has room again', () => busy.count() === readAhead + 6);
  busy.kill();
  await soon('the standby has the rest', () => standby.count() >= 95);
  const steps = (frames: Consumer['frames'], acknowledged: number): DurableStep[] => [
    ...frames.flatMap(({ id: event }, index): DurableStep[] => {
      const delivered = { is: 'delivered', id: event } as const;
      const early = index >= readAhead ? frames[index - readAhead]?.id : undefined;
      if (early === undefined || index - readAhead >= acknowledged) return [delivered];
      return [delivered, { is: 'acknowledged', id: early }];
    }),
    ...frames
      .slice(Math.max(0, frames.length - readAhead), acknowledged)
      .map(({ id: event }): DurableStep => ({ is: 'acknowledged', id: event })),
  ];
  const listed = await listedOf(http, url, start, new Set(sent));
  const connections = [steps(busy.frames, 5), steps(standby.frames, standby.frames.length)];
  const evidence: Evidence = { count: 0, faults: [] };
  checkDurable(party.name, { readAhead, connections, listed }, evidence);
  verdicts.expect('the other goes on at the first unacknowledged', standby.frames[0]?.reference === sent[5]);
  verdicts.expect('and no event is lost', evidence.faults.length === 0, evidence.faults[0] ?? '');
  standby.kill();
}

/** Kills the node in the middle of the stream, repeatedly, while messages are sent and acknowledged. */
async function nodeRestarts(
  events: EventStack,
  http: HttpClient,
  restarts: number,
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  const { party } = events;
  const came = new Set<string>();
  const onEvent = (reference: string) => void came.add(reference);
  const recorder = recordDurably(party, { http, openSocket, firstEvent: 'newest', onEvent });
  await recorder.opened;
  const ending = new AbortController();
  const load = sendInTurn(http, party, came, ending.signal);
  for (let count = 0; count < restarts; count++) {
    await pause(Math.random() * 1_500);
    await events.kill();
  }
  ending.abort();
  const ids = await load;
  const missing = () => ids.filter((id) => !came.has(id));
  await soon('everything came', () => missing().length === 0, settleMs).catch(() => undefined);
  verdicts.expect('node killed mid-stream: every message comes', missing().length === 0, `${missing().length} missing`);
  const record = await recorder.record();
  const evidence: Evidence = { count: 0, faults: [] };
  checkDurable(party.name, record, evidence);
  const delivered = record.connections.flat().filter(({ is }) => is === 'delivered').length;
  print(
    `${restarts} kills, ${ids.length} messages, ${delivered} deliveries on ${record.connections.length} connections`,
  );
  verdicts.expect(
    'no gap, and nothing before the window again',
    evidence.faults.length === 0,
    evidence.faults[0] ?? '',
  );
  verdicts.expect('and the offset is at the end', (record.offset ?? -1) >= (record.listed.at(-1)?.sequence ?? 0));
  await recorder.close();
}

/**
 * Runs senders that each continue when the event of their last message has arrived, so that a killed node leaves little
 * behind on a machine of any speed. Resolves with the ids of all accepted messages.
 */
async function sendInTurn(
  http: HttpClient,
  party: EventStack['party'],
  came: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  const run = randomBytes(4).toString('hex');
  const one = { parties: [party], ratePerSecond: 1_000, durationMs: 1, sizeBytes: 64, topics: 1, maxRepeats: 3_600 };
  await inParallel(senders, senders, async (sender) => {
    for (let number = 0; !signal.aborted; number++) {
      const [{ id } = { id: null }] = await offerLoad(http, { ...one, run: `${run}-${sender}-${number}` });
      if (id === null) throw new Error('a message was refused');
      ids.push(id);
      await pause(pauseMs);
      while (!came.has(id) && !signal.aborted) await pause(1);
    }
  });
  return ids;
}

/** Broadcasts with this tag, one after the other, so that their events have this order. */
async function sendMany(http: HttpClient, url: string, tag: string, count: number): Promise<string[]> {
  const header = { tag, topics: [tag] };
  return inParallel(count, 1, (index) => send(http, url, 'messages/broadcast', { header, data: [{ value: index }] }));
}

async function listedOf(http: HttpClient, url: string, after: number, references: ReadonlySet<string>) {
  const listed = await listEvents(http, { name: '', url }, { events: '^message_', after });
  return listed.filter(({ reference }) => references.has(reference));
}
