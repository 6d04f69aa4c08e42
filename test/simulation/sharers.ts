import { sha256 } from '../../src/bench/check/facts/facts.js';
import type { SendRecord } from '../../src/bench/check/recording.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import type { DataRow } from '../../src/ports/tables/tables.js';
import { isServiceError, ServiceError } from '../../src/wire/errors/error.js';
import { textOf } from '../../src/wire/json/json.js';
import type { Message } from '../../src/wire/messages/message.js';
import { noValue, uuidPattern } from '../../src/wire/scalar.js';
import { insist } from './insist.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';
import { numbersIn } from './privacy.js';
import { InvariantViolation } from './shadow.js';
import type { Waiters } from './waiters.js';

export interface SharerParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly topics: readonly string[];
  readonly namespaces: readonly string[];
  readonly waiters: Waiters;
  /** Whether a user has asked to delete an item; it may come again with a message, and is another one then. */
  readonly hasAskedToDelete: (id: string) => boolean;
}

/**
 * Users who store items before they send them, send the items of their node on, whoever has made them, and publish
 * them.
 */
export interface Sharers {
  start(): void;
  /** Whether every request has its answer or will never get one. */
  isDone(): boolean;
  sends(): readonly SendRecord[];
  /** The names of parties that have been sent the secrets of another private message. */
  heirs(secret: number): ReadonlySet<string>;
  /** I1: what was published is in the shared store, by its item. */
  check(): Promise<void>;
}

interface Place {
  readonly party: Party;
  readonly namespace: string;
}

interface Published extends Place {
  readonly id: string;
  readonly field: 'public' | 'blobPublic';
}

const requests = 8;
const spanMs = 9_000;
/** The default of the header `Request-Timeout`. */
const deadlineMs = 120_000;
const everything = 1_000;
const anyUuid = new RegExp(uuidPattern.source.replace(/^\^|\$$/g, ''));

export function createSharers({
  simulator,
  parties,
  topics,
  namespaces,
  waiters,
  hasAskedToDelete,
}: SharerParts): Sharers {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const sends: SendRecord[] = [];
  const published: Published[] = [];
  const heirs = new Map<number, Set<string>>();
  let left = 0;

  function pick<T>(choices: readonly T[]): T | undefined {
    return choices[random.integer(choices.length)];
  }

  function ask({ party }: Place, what: string, act: (pipeline: Pipeline) => Promise<unknown>): void {
    left += 1;
    const done = (): void => void (left -= 1);
    insist({ simulator, party, actor: party.name, what, act, isFinal: (error) => isServiceError(error), done });
  }

  function store(place: Place, number: number): void {
    const value = textOf({ stored: number });
    ask(place, 'stores an item', ({ uploader }) => uploader.acceptData(place.namespace, { value }));
  }

  /** An item of a node, of whatever message, that only one row describes. */
  async function drawItem(
    { party: { disk }, namespace }: Place,
    isMeant = (_: DataRow): boolean => true,
  ): Promise<DataRow | undefined> {
    const rows = await disk.rows('data', { namespace }, { limit: everything });
    const counts = new Map<string, number>();
    for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
    return pick(rows.filter((row) => counts.get(row.id) === 1 && row.value !== noValue && isMeant(row)));
  }

  async function pass(place: Place, number: number): Promise<void> {
    const { party, namespace } = place;
    const item = await drawItem(place);
    if (item === undefined) return;
    const secrets = numbersIn(item.value);
    const others = parties.filter((each) => each !== party && random.fraction() < 0.6).map(({ name }) => name);
    const members = secrets.length > 0 || random.fraction() < 0.5 ? [party.name, ...others] : undefined;
    for (const secret of secrets) heirs.set(secret, new Set([...(heirs.get(secret) ?? []), ...(members ?? [])]));
    const value = textOf({ passed: number });
    const labels = { topics: [pick(topics) ?? 'default'], tag: 'passed' };
    const isUnpinned = members !== undefined && item.datatypeName === null && random.fraction() < 0.3;
    const header = { ...labels, ...(isUnpinned && { txtype: 'none' as const }) };
    const data = [{ value }, { id: item.id, hash: item.hash }];
    const request = { header, data, idempotencyKey: `passed-${number}` };
    const valueHashes = [sha256(value), sha256(item.value)];
    const sentMs = scheduler.nowMs();
    const record = (id: string, acceptedMs: number | null): void => {
      const audience = members === undefined ? {} : { members };
      sends.push({ party: party.name, ...audience, ...labels, valueHashes, sentMs, acceptedMs, id });
    };
    ask(place, 'passes an item on', async (pipeline) => {
      const accept = (): Promise<Message> => {
        if (members === undefined) return pipeline.acceptMessage(namespace, request);
        return pipeline.acceptPrivate(namespace, {
          ...request,
          group: { members: members.map((identity) => ({ identity })) },
        });
      };
      try {
        const { header: sent } = await waiters.message(party, accept);
        record(sent.id, scheduler.nowMs());
        sometimes('item passed on');
        if (secrets.length > 0) sometimes('item of a private message passed on');
      } catch (error) {
        const isUsed = isServiceError(error, 'idempotency_key_used');
        const first = isUsed ? anyUuid.exec(error.message)?.[0] : undefined;
        if (first !== undefined) record(first, scheduler.nowMs());
        throw error;
      }
    });
  }

  async function publish(place: Place, number: number): Promise<void> {
    const { party, namespace } = place;
    const field = random.fraction() < 0.4 ? 'blobPublic' : 'public';
    const isSecret = ({ value }: DataRow): boolean => numbersIn(value).length > 0;
    const item = await drawItem(place, (row) => !isSecret(row) && (field === 'public' || row.blobHash !== null));
    if (item === undefined) return;
    const { id } = item;
    const request = random.fraction() < 0.5 ? {} : { idempotencyKey: `publish-${number}` };
    ask(place, 'publishes an item', async ({ publisher }) => {
      const over = new AbortController();
      const late = new ServiceError('deadline', { seconds: deadlineMs / 1_000 });
      scheduler.after(deadlineMs, party.name, 'a request is late', () => over.abort(late));
      const publish = field === 'public' ? publisher.publishValue : publisher.publishBlob;
      await publish({ namespace, dataid: id }, request, over.signal);
      published.push({ party, namespace, id, field });
      sometimes(field === 'public' ? 'value of an item published' : 'file of an item published');
    });
  }

  async function act(number: number): Promise<void> {
    const place = { party: pick(parties), namespace: pick(namespaces) };
    if (place.party === undefined || place.namespace === undefined) return;
    const chosen = { party: place.party, namespace: place.namespace };
    const choice = random.fraction();
    if (choice < 0.25) store(chosen, number);
    else if (choice < 0.75) await pass(chosen, number);
    else await publish(chosen, number);
  }

  return {
    start() {
      for (let number = 0; number < requests; number++) {
        scheduler.after(random.fraction() * spanMs, 'user', 'shares an item', () => {
          act(number).catch((error: unknown) => scheduler.fail(new Error('the sharing failed', { cause: error })));
        });
      }
    },
    isDone: () => left === 0,
    sends: () => sends,
    heirs: (secret) => heirs.get(secret) ?? new Set(),
    async check() {
      for (const { party, namespace, id, field } of published) {
        const item = await party.disk.first('data', { namespace, id });
        if (hasAskedToDelete(id) || (item !== undefined && item[field] !== null)) continue;
        throw new InvariantViolation('I1', `the item ${id} that ${party.name} has published is not public`);
      }
    },
  };
}
