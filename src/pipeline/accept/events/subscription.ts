import { checkRecordName } from '../../../domain/definition.js';
import { compileFilter, readFilter, servedFilter } from '../../../domain/events/filter.js';
import type { ProfileRules } from '../../../domain/network/profile.js';
import { assert } from '../../../domain/invariant.js';
import { reservedPrefix } from '../../../domain/network/identity.js';
import { isObject } from '../../../domain/schema/json.js';
import {
  beforeAllEvents,
  readOptions,
  type SubscriptionOptions,
  type Transport,
} from '../../../domain/events/subscription.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader, Unit } from '../../../ports/database.js';
import type { SubscriptionRow } from '../../../ports/tables/messaging-tables.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { textOf, valueOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { SubscriptionRequest } from '../../../wire/events/subscription.js';
import { webhookOptionNames } from '../../../wire/events/webhook.js';
import type { Bus } from '../../bus.js';
import { byIdOrName } from '../by-id-or-name.js';

export interface SubscriptionParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  /** Checks that a webhook can be called with these options. @throws ServiceError */
  readonly checkWebhook: (options: JsonText) => Promise<void>;
  readonly profileRules?: ProfileRules | undefined;
}

/** Accepts subscriptions (docs/api.md §14.1). Each call resolves once the change is on disk. */
export interface SubscriptionAcceptance {
  /**
   * Creates a durable subscription. Its position is fixed now, not when a client connects (docs/api.md §14.3). The
   * maker is the name of the caller's credential.
   *
   * @throws ServiceError name_taken, too_many_subscriptions, bad_name, uuid_as_name, reserved_name, transport_unknown,
   * those of `readFilter`, `compileFilter`, `readOptions`, and of webhooks
   */
  readonly createSubscription: (
    namespace: string,
    request: SubscriptionRequest,
    maker?: string,
  ) => Promise<SubscriptionRow>;
  /**
   * Creates a subscription or replaces its filter, options and maker; id, creation time, position and `firstEvent` are
   * kept (docs/api.md §14.1).
   *
   * @throws ServiceError the same, without name_taken
   */
  readonly replaceSubscription: (
    namespace: string,
    request: SubscriptionRequest,
    maker?: string,
  ) => Promise<SubscriptionRow>;
  /** Deletes a subscription by id or name. @throws ServiceError not_found */
  readonly deleteSubscription: (namespace: string, idOrName: string) => Promise<void>;
}

/** Limit of durable subscriptions in a namespace (docs/api.md §22). */
export const maxSubscriptions = 5_000;

export function createSubscriptionAcceptance(parts: SubscriptionParts): SubscriptionAcceptance {
  const { database, bus, clock } = parts;

  async function insert(unit: Unit, { row, ...wanted }: Wanted): Promise<void> {
    const { namespace } = row;
    if ((await unit.count('subscriptions', { namespace })) >= maxSubscriptions) {
      throw new ServiceError('too_many_subscriptions', { namespace, max: maxSubscriptions });
    }
    await unit.insert('subscriptions', [{ ...row, ...(await startOf(unit, wanted)) }]);
  }

  async function store(wanted: Wanted, onKnown: (unit: Unit, known: SubscriptionRow) => Promise<void>) {
    const { namespace, name } = wanted.row;
    const stored = await database.transaction(async (unit) => {
      const known = await findNamed(unit, namespace, name);
      await (known === undefined ? insert(unit, wanted) : onKnown(unit, known));
      return findNamed(unit, namespace, name);
    });
    bus.ring('subscriptions');
    assert(stored !== undefined, 'a subscription is there in the unit that stores it');
    return stored;
  }

  return {
    async createSubscription(namespace, request, maker) {
      return store(await readRequest(parts, namespace, request, maker), (_, { name }) => {
        throw new ServiceError('name_taken', { what: `The subscription ${name}` });
      });
    },

    async replaceSubscription(namespace, request, maker) {
      const wanted = await readRequest(parts, namespace, request, maker);
      return store(wanted, async (unit, { id, options: known }) => {
        const { transport, filter, maker: replacer } = wanted.row;
        const options = replacedOptions(known, wanted.options);
        const changes = { transport, filter, options, maker: replacer, updated: clock.now() };
        await unit.update('subscriptions', { namespace, id }, changes);
      });
    },

    async deleteSubscription(namespace, idOrName) {
      const where = { namespace, ...byIdOrName(idOrName) };
      const removed = await database.transaction((unit) => unit.remove('subscriptions', where));
      if (removed === 0) throw notFound(namespace, idOrName);
      bus.ring('subscriptions');
    },
  };
}

interface Wanted {
  readonly row: Omit<NewRow<'subscriptions'>, 'cursor' | 'options'>;
  readonly options: Pick<SubscriptionOptions, 'firstEvent' | 'shown'>;
}

/** Checks a request as far as possible without the database. */
async function readRequest(
  { clock, random, checkWebhook, profileRules }: SubscriptionParts,
  namespace: string,
  { name, transport: given = 'websockets', filter, options: submitted }: SubscriptionRequest,
  maker: string | null = null,
): Promise<Wanted> {
  checkRecordName('name', name);
  if (name.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: 'The name', actual: name });
  const transport = readTransport(given);
  const expressions = readFilter(filter === undefined ? undefined : valueOf(filter));
  compileFilter(expressions);
  const others = transport === 'webhooks' ? webhookOptionNames : [];
  const options = readOptions(submitted === undefined ? undefined : valueOf(submitted), {
    transport,
    others,
    hasData: profileRules?.webhooksHaveData,
  });
  if (transport === 'webhooks') await checkWebhook(textOf(options.shown(beforeAllEvents)));
  const filterText = textOf(servedFilter(expressions));
  const about = { namespace, id: random.uuid(), name, transport, filter: filterText };
  return { row: { ...about, created: clock.now(), updated: null, maker }, options };
}

/** Returns a subscription by id or name. @throws ServiceError not_found */
export async function findSubscription(reader: Reader, namespace: string, idOrName: string): Promise<SubscriptionRow> {
  const row = await reader.first('subscriptions', { namespace, ...byIdOrName(idOrName) });
  if (row === undefined) throw notFound(namespace, idOrName);
  return row;
}

function findNamed(reader: Reader, namespace: string, name: string): Promise<SubscriptionRow | undefined> {
  return reader.first('subscriptions', { namespace, name });
}

function notFound(namespace: string, idOrName: string): ServiceError {
  return new ServiceError('not_found', { what: `subscription ${idOrName} in namespace ${namespace}` });
}

/**
 * Returns the position of a new subscription, and its options, which show the position. Sequences are shared by all
 * namespaces, so the newest event of any namespace is the last one skipped.
 */
async function startOf(
  unit: Unit,
  { options: { firstEvent, shown } }: Pick<Wanted, 'options'>,
): Promise<Pick<SubscriptionRow, 'cursor' | 'options'>> {
  if (firstEvent === 'oldest') return { cursor: 0, options: textOf(shown(beforeAllEvents)) };
  const cursor = firstEvent === 'newest' ? await newestSequence(unit) : firstEvent;
  return { cursor, options: textOf(shown(String(cursor))) };
}

/**
 * Returns the new options of a subscription. They show the position of its creation, which is kept. If the text of the
 * options does not change, a webhook continues its calls.
 */
function replacedOptions(known: JsonText, { shown }: Wanted['options']): JsonText {
  const before = valueOf(known);
  assert(isObject(before), 'stored options are an object');
  const kept = Object.entries(before).filter(([name]) => name === 'firstEvent' || name === 'firstEventGiven');
  return textOf({ ...shown(beforeAllEvents), ...Object.fromEntries(kept) });
}

async function newestSequence(unit: Unit): Promise<number> {
  const newest = await unit.last('events', { namespace: every });
  return newest?.sequence ?? 0;
}

function readTransport(given: string): Transport {
  if (given === 'websockets' || given === 'webhooks') return given;
  throw new ServiceError('transport_unknown', { actual: given });
}
