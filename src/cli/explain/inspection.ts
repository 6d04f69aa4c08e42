import { type Client, createClient } from '../../client/client.js';
import { ClientError, UnreachableError } from '../../client/errors.js';
import { type ListName, type Parameters, readPage, type RecordOf } from '../../client/page.js';
import type { ChainMining } from '../../stack/engines/chain.js';
import { readFaults } from '../../stack/faults.js';
import { placeFrom } from '../../stack/layout.js';
import { loadAppliedStack } from '../../stack/places/locate.js';
import { type ServiceRow, stackStatus } from '../../stack/status.js';
import { valueOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';
import type { Batch } from '../../wire/messages/batch-record.js';
import type { Fault } from '../../wire/network/faults.js';
import type { Message } from '../../wire/messages/message.js';
import type { Progress } from '../../wire/messages/progress.js';
import type { Status } from '../../wire/network/status.js';
import { readMining } from '../chain/mining.js';
import { chainReaderOf, ifAnswered } from '../chain/open-chain.js';
import { limitSignal } from '../duration.js';
import { clientAccess } from '../requests/credentials.js';
import { partyOfDid } from '../requests/owners.js';
import { type PartyNode, type CommandContext, type Target } from '../requests/target.js';

/** A record of a node; `absent` if it has none, `away` if it does not answer. */
export type Found<Value> = Value | 'absent' | 'away';

/** The state of a stack and its nodes, for explanations. Each record is read once. */
export interface Inspection {
  readonly parties: readonly PartyNode[];
  readonly faults: readonly Fault[];
  /** Undefined for a node given by URL, or if the chain does not answer. */
  readonly mining: ChainMining | undefined;
  /** The row of a service that is not healthy; undefined for a healthy or unknown one. */
  trouble(service: string): ServiceRow | undefined;
  /** The party whose organisation a DID names; undefined for a member elsewhere. */
  partyOf(did: string): PartyNode | undefined;
  message(party: PartyNode, id: string): Promise<Found<Message>>;
  progress(party: PartyNode, id: string): Promise<Found<Progress>>;
  batch(party: PartyNode, id: string): Promise<Found<Batch>>;
  batchProgress(party: PartyNode, id: string): Promise<Found<Progress>>;
  status(party: PartyNode): Promise<Found<Status>>;
  /** The undecided messages at a party, of one topic or of all, the oldest first. */
  undecided(party: PartyNode, topic?: string): Promise<readonly Message[]>;
  /** The batches whose payload a party has requested from the shared store without success, the oldest first. */
  missingBatches(party: PartyNode): Promise<readonly string[]>;
  /** The messages of a batch, as a party has them. */
  messagesOf(party: PartyNode, batch: string): Promise<readonly Message[]>;
  /** The balance of a key, in wei; undefined if the chain does not answer. */
  balance(key: string): Promise<bigint | undefined>;
}

const limitMs = 2_000;
/** Maximum number of undecided messages that are read of a party. */
export const maxUndecided = 50;

/** Reads services, faults and chain of the stack now, and nodes on demand. */
export async function openInspection(target: Target, context: CommandContext): Promise<Inspection> {
  const place = placeFrom(context.environment);
  const stack = target.stack === undefined ? undefined : (await loadAppliedStack(place, target.stack)).stack;
  const services = stack === undefined ? [] : (await stackStatus(stack)).services;
  const reader = stack === undefined ? undefined : await chainReaderOf(stack, services);
  const chain = await readMining(reader);
  const messages = createOnce<Found<Message>>();
  const batches = createOnce<Found<Batch>>();
  const progresses = createOnce<Found<Progress>>();
  const states = createOnce<Found<Status>>();
  const lists = createOnce<readonly Message[]>();
  return {
    parties: target.parties,
    faults: stack === undefined ? [] : await readFaults(stack.layout),
    mining: chain?.mining,
    trouble: (service) => services.find(({ name, state }) => name === service && state !== 'healthy'),
    partyOf: (did) => partyOfDid(target.parties, did),
    message: (party, id) =>
      messages(`${party.name} ${id}`, () =>
        found((signal) => party.client.getMessage({ path: { msgid: id }, signal })),
      ),
    progress: (party, id) =>
      progresses(`${party.name} message ${id}`, () =>
        found((signal) => party.client.getMessageProgress({ path: { msgid: id }, signal })),
      ),
    batch: (party, id) =>
      batches(`${party.name} ${id}`, () =>
        inEither(party, (client) => found((signal) => client.getBatch({ path: { batchid: id }, signal })), isAbsent),
      ),
    batchProgress: (party, id) =>
      progresses(`${party.name} batch ${id}`, () =>
        found((signal) => party.client.getBatchProgress({ path: { batchid: id }, signal })),
      ),
    status: (party) => states(party.name, () => found((signal) => party.client.getStatus({ signal }))),
    undecided: (party, topic) =>
      lists(`${party.name} undecided ${topic ?? ''}`, () =>
        listed(party.client, 'listMessages', [['pending', 'true'], ...(topic === undefined ? [] : [topicIs(topic)])]),
      ),
    missingBatches: async (party) => {
      const downloads = [
        ['status', 'Pending'],
        ['type', 'sharedstorage_download_batch'],
      ] as const;
      // Operations have no sequence.
      const operations = await listed(systemClient(party), 'listOperations', downloads, 'created');
      const failed = operations.filter(({ error }) => error !== undefined);
      return failed.flatMap(({ input }) => batchIn(input));
    },
    messagesOf: (party, batch) =>
      lists(`${party.name} batch ${batch}`, () =>
        inEither(party, (client) => listed(client, 'listMessages', [['batch', batch]]), isEmpty),
      ),
    balance: async (key) => (reader === undefined ? undefined : ifAnswered(() => reader.balance(key))),
  };
}

function batchIn(text: JsonText | undefined): readonly string[] {
  const input = text === undefined ? undefined : valueOf(text);
  const batch: unknown = input instanceof Object ? Reflect.get(input, 'batch') : undefined;
  return typeof batch === 'string' ? [batch] : [];
}

/** Creates a cache of reads by key. */
function createOnce<Value>(): (key: string, ask: () => Promise<Value>) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  return (key, ask) => {
    const answer = known.get(key) ?? ask();
    known.set(key, answer);
    return answer;
  };
}

function topicIs(topic: string): readonly [string, string] {
  return ['topics', `=${topic}`];
}

async function found<Value>(ask: (signal: AbortSignal) => Promise<{ readonly value: Value }>): Promise<Found<Value>> {
  const signal = limitSignal(limitMs);
  try {
    return (await ask(signal)).value;
  } catch (error) {
    if (error instanceof UnreachableError || signal.aborted) return 'away';
    if (error instanceof ClientError && error.status === 404) return 'absent';
    throw error;
  }
}

const systemNamespace = 'svc_system';

/** Reads in the node's namespace, then in the system namespace, which has void batches and those without a payload. */
async function inEither<Answer>(
  party: PartyNode,
  ask: (client: Client) => Promise<Answer>,
  isNothing: (answer: Answer) => boolean,
): Promise<Answer> {
  const answer = await ask(party.client);
  return isNothing(answer) ? ask(systemClient(party)) : answer;
}

function systemClient({ url, ...access }: PartyNode): Client {
  return createClient({ url, namespace: systemNamespace, ...clientAccess(access) });
}

function isAbsent(answer: unknown): boolean {
  return answer === 'absent';
}

function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0;
}

/** A page of a list, the oldest first; empty if the node does not answer. */
async function listed<Name extends ListName>(
  client: Client,
  name: Name,
  where: Parameters,
  sort: 'sequence' | 'created' = 'sequence',
): Promise<readonly RecordOf<Name>[]> {
  const signal = limitSignal(limitMs);
  try {
    const page = await readPage(client, name, [...where, ['sort', sort], ['limit', String(maxUndecided)]], signal);
    return page.entries.map(({ value }) => value);
  } catch (error) {
    if (error instanceof UnreachableError || signal.aborted) return [];
    throw error;
  }
}
