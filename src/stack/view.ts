import { readFile } from 'node:fs/promises';
import { createTransport } from '../http/client/transport.js';
import { createPinnedRoute } from '../http/secure-route.js';
import { createClient, type Client } from '../client/client.js';
import { ClientError } from '../client/errors.js';
import { readPage } from '../client/page.js';
import type { Progress } from '../wire/messages/progress.js';
import type { JoinedParties, JoinedRecord, JoinedTopics } from '../wire/network/stack-view.js';

interface Party {
  readonly name: string;
  readonly url: string;
  /** The file of its certificate; absent for plain HTTP. */
  readonly certificateFile?: string;
}

/** Timeout after which a node is shown as unknown; the page does not wait longer. */
const responseLimitMs = 1_000;
const maxUndecided = 50;
const uuid = '[0-9a-f-]{36}';
const recordPath = new RegExp(`^/(messages|batches)/(${uuid})$`);

/**
 * Serves the explorer's queries over all nodes of a stack: `/parties`, `/topics`, `/messages/{id}`, `/batches/{id}`, in
 * the namespace `ns`. It passes on only ids, states, times and reasons. Undefined for another path.
 */
export async function joins(
  path: string,
  parameters: URLSearchParams,
  parties: readonly Party[],
): Promise<JoinedRecord | JoinedTopics | JoinedParties | undefined> {
  const namespace = parameters.get('ns') ?? 'default';
  if (path === '/parties') return { parties: await askAll(parties, namespace, standing) };
  if (path === '/topics') return { parties: await askAll(parties, namespace, undecided) };
  const [, kind, id] = recordPath.exec(path) ?? [];
  if (kind === undefined || id === undefined) return undefined;
  return { parties: await askAll(parties, namespace, (each, client) => recordAt(each, client, { kind, id })) };
}

/** The transport to nodes without TLS. */
const plain = createTransport();

function askAll<Answer>(
  parties: readonly Party[],
  namespace: string,
  ask: (party: Party, client: Client) => Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(
    parties.map(async (party) => {
      const { url, certificateFile: file } = party;
      const route = file === undefined ? undefined : createPinnedRoute(await readFile(file, 'utf8'));
      const client = createClient({ url, namespace, transport: route?.transport ?? plain });
      return ask(party, client).finally(() => route?.agent.destroy());
    }),
  );
}

type JoinedPart = JoinedRecord['parties'][number];

async function recordAt(
  { name: party }: Party,
  client: Client,
  { kind, id }: { readonly kind: string; readonly id: string },
): Promise<JoinedPart> {
  const nothing = { party, steps: [], waits: [] };
  try {
    const signal = AbortSignal.timeout(responseLimitMs);
    const { value } =
      kind === 'messages'
        ? await client.getMessageProgress({ path: { msgid: id }, signal })
        : await client.getBatchProgress({ path: { batchid: id }, signal });
    return { party, answer: 'held', state: value.state, ...partOf(value) };
  } catch (error) {
    const isAbsent = error instanceof ClientError && error.status === 404;
    return { ...nothing, answer: isAbsent ? 'absent' : 'unknown' };
  }
}

/** The progress without its names and sentences. */
function partOf({ steps, missing, waits }: Progress): Pick<JoinedPart, 'steps' | 'missing' | 'waits'> {
  return {
    steps: steps.map(({ step, time }) => ({ step, ...(time !== undefined && { time }) })),
    ...(missing !== undefined && { missing }),
    waits: waits.map(({ on, since, message, batch, author }) => ({
      on,
      since,
      ...(message !== undefined && { message }),
      ...(batch !== undefined && { batch }),
      ...(author !== undefined && { author }),
    })),
  };
}

async function undecided({ name: party }: Party, client: Client): Promise<JoinedTopics['parties'][number]> {
  try {
    const signal = AbortSignal.timeout(responseLimitMs);
    const where = [
      ['state', 'ready'],
      ['limit', String(maxUndecided)],
    ] as const;
    const { entries } = await readPage(client, 'listMessages', where, signal);
    const found = entries.map(async ({ value: { header } }) => {
      const { value } = await client.getMessageProgress({ path: { msgid: header.id }, signal });
      const { missing, waits } = partOf(value);
      return { id: header.id, ...(missing !== undefined && { missing }), waits };
    });
    return { party, answer: 'held', undecided: await Promise.all(found) };
  } catch {
    return { party, answer: 'unknown', undecided: [] };
  }
}

async function standing({ name: party }: Party, client: Client): Promise<JoinedParties['parties'][number]> {
  try {
    const { value } = await client.getStatus({ signal: AbortSignal.timeout(responseLimitMs) });
    const { lastSequence, chain, peers } = value.parley;
    const notDelivered = peers.reduce((sum, { outbox }) => sum + outbox, 0);
    return {
      party,
      answer: 'held',
      lastSequence,
      chainProcessed: chain.processed,
      notDelivered,
      ...(typeof chain.head === 'number' && { chainHead: chain.head }),
    };
  } catch {
    return { party, answer: 'unknown' };
  }
}
