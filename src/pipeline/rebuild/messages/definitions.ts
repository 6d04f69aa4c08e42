import {
  apiTag,
  datatypeTag,
  type DefinitionTag,
  identityClaimTag,
  identityUpdateTag,
  interfaceTag,
  poolTag,
  readIdentityUpdate,
} from '../../../domain/definition.js';
import { readApiDefinition } from '../../../domain/contracts/definition.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import type { Unit } from '../../../ports/database.js';
import type { ApiRow } from '../../../ports/tables/contract-tables.js';
import type { ProfileRow } from '../../../ports/tables/messaging-tables.js';
import type { MessageRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import type { ApiDefinition } from '../../../wire/contracts/contract.js';
import type { EventType } from '../../../wire/events/event.js';
import type { JsonText } from '../../../wire/scalar.js';
import { exactItems, referenceKey } from '../../state/messages/exact.js';

export interface UndoneDefinitions {
  readonly own: { readonly keys: readonly string[] };
  /** Sequences of the pins that are removed. */
  readonly pins: ReadonlySet<number>;
}

/** The events to remove here, by the tag of their definition. */
const eventTypes: Readonly<Record<DefinitionTag, EventType | undefined>> = {
  [datatypeTag]: 'datatype_confirmed',
  [interfaceTag]: 'contract_interface_confirmed',
  [apiTag]: 'contract_api_confirmed',
  [identityUpdateTag]: 'identity_updated',
  // `undoPools` removes pools with their events, and no claim is ever confirmed.
  [poolTag]: undefined,
  [identityClaimTag]: undefined,
};

/**
 * Undoes the effects of confirmed definitions: datatypes, published interfaces and APIs, and profiles. This node's own
 * records become local again and wait for their definitions.
 */
export async function undoDefinitions(
  unit: Unit,
  messages: readonly MessageRow[],
  { own, pins }: UndoneDefinitions,
): Promise<void> {
  const definitions = messages.filter(({ type, state }) => type === 'definition' && state === 'confirmed');
  if (definitions.length === 0) return;
  await takeBackTheirEvents(unit, definitions);
  const ids = definitions.map(({ id }) => id);
  const gone = new Set(definitions.map(referenceKey));
  await unit.remove('datatypes', { namespace: every, message: ids, pin: [...pins] });
  const ours = new Set(definitions.filter(({ key }) => own.keys.includes(key)).map(({ id }) => id));
  for (const table of ['interfaces', 'apis'] as const) {
    const rows = await unit.rows(table, { namespace: every, message: ids, pin: [...pins] }, { limit: maxRecords });
    const earlier = table === 'apis' && rows.length > 0 ? await lastOfApis(unit, gone) : undefined;
    for (const row of rows) {
      const itself = { sequence: row.sequence };
      const before = await earlierApi(unit, earlier?.get(apiKey(row)));
      if (before !== undefined) await unit.update('apis', itself, before);
      else if (row.message !== null && ours.has(row.message)) await unit.update(table, itself, localColumns);
      else await unit.remove(table, itself);
    }
  }
  const profiles = await unit.rows('profiles', { namespace: every, message: ids }, { limit: maxRecords });
  const updates = profiles.length === 0 ? [] : await confirmedBut(unit, identityUpdateTag, gone);
  for (const row of profiles) await undoProfile(unit, row, updates);
}

const localColumns = { networkName: null, published: false, pin: null } as const;
/** More than a page of batches defines. */
const maxRecords = 1_000_000;

async function takeBackTheirEvents(unit: Unit, definitions: readonly MessageRow[]): Promise<void> {
  for (const [tag, type] of Object.entries(eventTypes)) {
    const hashes = definitions.filter((message) => message.tag === tag).map(({ hash }) => hash);
    if (type === undefined || hashes.length === 0) continue;
    await unit.remove('events', { namespace: every, type, referenceHash: hashes });
  }
}

interface Stated {
  readonly message: MessageRow;
  readonly text: JsonText;
}

/**
 * Returns the confirmed definitions of a tag, except these, in the order of their confirmation. That is the order of
 * their events, since clocks may be set back.
 */
async function confirmedBut(unit: Unit, tag: string, but: ReadonlySet<string>): Promise<readonly Stated[]> {
  const rows = await unit.rows(
    'messages',
    { namespace: systemNamespace, type: 'definition', tag, state: 'confirmed' },
    { limit: maxRecords },
  );
  const messages = new Map(rows.filter((row) => !but.has(referenceKey(row))).map((row) => [row.hash, row]));
  const events = await unit.rows(
    'events',
    { namespace: systemNamespace, type: 'message_confirmed', referenceHash: [...messages.keys()] },
    { limit: maxRecords },
  );
  const items = await exactItems(
    unit,
    [...messages.values()].flatMap(({ data }) => data),
  );
  return events.flatMap(({ referenceHash }) => {
    const message = messages.get(referenceHash);
    const item = message && items.get(referenceKey(message.data[0] ?? { id: '', hash: '' }));
    return message === undefined || item === undefined ? [] : [{ message, text: item.value }];
  });
}

interface EarlierApi {
  readonly message: MessageRow;
  readonly record: ApiDefinition;
}

/**
 * Returns the last remaining definition of each API. They are read once for all APIs, since each read scans all of
 * them.
 */
async function lastOfApis(unit: Unit, gone: ReadonlySet<string>): Promise<ReadonlyMap<string, EarlierApi>> {
  const stated = await confirmedBut(unit, apiTag, gone);
  return new Map(
    stated.flatMap(({ message, text }) => {
      const { record } = readApiDefinition(message.topics, text);
      return record === undefined ? [] : [[apiKey(record), { message, record }] as const];
    }),
  );
}

function apiKey({ namespace, id }: { readonly namespace: string; readonly id: string }): string {
  return `${namespace}/${id}`;
}

/** Returns the columns that an earlier definition of an API has set, if there is one. */
async function earlierApi(unit: Unit, earlier: EarlierApi | undefined): Promise<Partial<ApiRow> | undefined> {
  if (earlier === undefined) return undefined;
  const { message, record } = earlier;
  const { batch, batchHash, key: signer, pins, id } = message;
  const pin = await unit.first('pins', {
    batch: batch ?? '',
    batchHash: batchHash ?? '',
    signer,
    context: pins[0] ?? '',
  });
  return pin === undefined ? undefined : { interface: record.interface.id, message: id, pin: pin.sequence };
}

/** Derives a profile from the remaining updates. */
async function undoProfile(unit: Unit, row: ProfileRow, updates: readonly Stated[]): Promise<void> {
  const { namespace, identity, sequence } = row;
  let before: Pick<ProfileRow, 'description' | 'profile' | 'message' | 'updated'> | undefined;
  for (const { message, text } of updates) {
    const { record } = readIdentityUpdate(message.topics, text);
    if (record?.did !== identity || record.namespace !== namespace) continue;
    const { description = before?.description ?? null, profile = before?.profile ?? null } = record;
    before = { description, profile, message: message.id, updated: message.confirmed ?? row.updated };
  }
  if (before === undefined) await unit.remove('profiles', { sequence });
  else await unit.update('profiles', { sequence }, before);
}
