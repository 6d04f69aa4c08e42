import { type Client, createClient } from '../../../client/client.js';
import { ClientError, UnreachableError } from '../../../client/errors.js';
import { type Parameters, readPage } from '../../../client/page.js';
import type { Status } from '../../../wire/network/status.js';
import { clientAccess, type NodeAccess } from '../../requests/credentials.js';

/** The progress of a party, as reported by its node. */
export interface PartyState {
  /** Number of messages in the default namespace; null if the node does not count them. */
  readonly messages: number | null;
  /** Number of undecided messages of all namespaces. */
  readonly pending: number;
  /** Topics of the oldest undecided messages, each once. */
  readonly pendingTopics: readonly string[];
  readonly blockedTopics: number;
  readonly lastSequence: number;
  readonly chainHead: number | null;
  /** Number of confirmed blocks that the node has not processed; null if it does not know the chain's head. */
  readonly chainLag: number | null;
  /** Number of private messages and files that peers have not acknowledged yet. */
  readonly outbox: number;
  /** Number of token operations and contract calls in progress, of all namespaces. */
  readonly operations: number;
  /** Unreachable services. */
  readonly waiting: readonly string[];
  /** The limits of its network; null if the node has not read them yet. */
  readonly rules: Rules | null;
}

type Rules = Pick<NonNullable<Status['parley']['rules']>, 'absent' | 'guard'>;

/** The access to the nodes of a stack, and its namespaces. */
export interface PartyReading {
  readonly accesses: ReadonlyMap<string, NodeAccess>;
  readonly namespaces: readonly string[];
}

type NodeReading = Pick<PartyReading, 'namespaces'> & { readonly access: NodeAccess | undefined };

const systemNamespace = 'svc_system';
const limitMs = 2_000;
/** Maximum number of undecided messages of a namespace whose topics are read. */
const maxTopicMessages = 25;
/** The counted operations. Those of messages and batches are excluded, since pending messages are counted. */
const openOperations: Parameters = [
  ['status', 'Initialized'],
  ['status', 'Pending'],
  ['type', '^token_'],
  ['type', 'blockchain_invoke'],
  ['type', 'blockchain_deploy'],
];

/** The state of every node that responds in time, by party. */
export async function readParties(
  nodes: readonly {
    readonly name: string;
    readonly url: string | null;
    readonly pid: number | null;
    readonly isExternal: boolean;
  }[],
  { accesses, namespaces }: PartyReading,
): Promise<Map<string, PartyState>> {
  const running = nodes.flatMap(({ name, url, pid, isExternal }) =>
    url === null || (pid === null && !isExternal) ? [] : [{ name, url }],
  );
  const states = await Promise.all(
    running.map(
      async ({ name, url }) => [name, await readParty(url, { access: accesses.get(name), namespaces })] as const,
    ),
  );
  return new Map(states.flatMap(([name, state]) => (state === undefined ? [] : [[name, state] as const])));
}

/** The state of one node; undefined if it does not respond. */
export async function readParty(url: string, { access, namespaces }: NodeReading): Promise<PartyState | undefined> {
  const clientOf = (namespace: string) => createClient({ url, namespace, ...clientAccess(access) });
  const client = clientOf('default');
  const others = [...namespaces, systemNamespace].filter((name) => name !== client.namespace).map(clientOf);
  const signal = AbortSignal.timeout(limitMs);
  try {
    const [{ value }, messages, operations, ...elsewhere] = await Promise.all([
      client.getStatus({ signal }),
      countOf(client, 'messages', [], signal),
      Promise.all([client, ...others].map((each) => countOf(each, 'operations', openOperations, signal))),
      ...others.map(async (other) => (await other.getStatus({ signal })).value.parley.pending),
    ]);
    const { pending, blocked, lastSequence, chain, peers, waiting, rules } = value.parley;
    const counts = [pending, ...elsewhere];
    const busy = [client, ...others].filter((_, index) => counts[index] !== 0);
    const topics = await Promise.all(busy.map((each) => topicsAt(each, signal)));
    return {
      messages,
      operations: operations.reduce<number>((sum, count) => sum + (count ?? 0), 0),
      blockedTopics: blocked,
      lastSequence,
      chainHead: chain.head,
      // A node of an older version reports only the head.
      chainLag: chain.head === null ? null : Math.max(0, (chain.confirmed ?? chain.head) - chain.processed),
      pending: elsewhere.reduce((sum, count) => sum + count, pending),
      pendingTopics: [...new Set(topics.flat())],
      outbox: peers.reduce((sum, { outbox }) => sum + outbox, 0),
      waiting: [...new Set(waiting.map(({ service }) => service))],
      rules: rules && { absent: rules.absent, guard: rules.guard },
    };
  } catch (error) {
    if (error instanceof ClientError || error instanceof UnreachableError || signal.aborted) return undefined;
    throw error;
  }
}

/** The number of records of a list; null if the node does not count them. */
async function countOf(
  client: Client,
  list: 'messages' | 'operations',
  filters: Parameters,
  signal: AbortSignal,
): Promise<number | null> {
  const query = new URLSearchParams({ limit: '0', count: 'true' });
  for (const [name, value] of filters) query.append(name, value);
  const { text } = await client.exchange({ method: 'GET', path: `${list}?${query.toString()}`, signal });
  const total = /"total":(\d+)/.exec(text)?.[1];
  return total === undefined ? null : Number(total);
}

/** The topics of the oldest undecided messages of a namespace. */
async function topicsAt(client: Client, signal: AbortSignal): Promise<readonly string[]> {
  const oldest: Parameters = [
    ['pending', 'true'],
    ['sort', 'sequence'],
    ['limit', String(maxTopicMessages)],
  ];
  const { entries } = await readPage(client, 'listMessages', oldest, signal);
  return entries.flatMap(({ value }) => value.header.topics);
}
