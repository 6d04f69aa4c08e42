import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import type { Sender } from '../../../../../src/pipeline/state/messages/sender.js';
import { newDefinitionEvent } from '../../../../../src/pipeline/state/events/event-row.js';
import { type MaySign, sendReply } from '../../../../../src/pipeline/deliver/webhooks/reply.js';
import type { Database } from '../../../../../src/ports/database.js';
import { ServiceError } from '../../../../../src/wire/errors/error.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { aMessage } from '../../../../compliance/database/rows.js';
import { uuid } from '../../../../support/fixtures.js';

const created = '2026-01-15T10:00:00.000Z';
const own = { organization: 'bob', did: 'did:parley:org/bob', key: `0x${'1'.repeat(40)}`, keys: [] };
const desk = { did: 'did:parley:desk', key: `0x${'2'.repeat(40)}` };
const till = { did: 'did:parley:till', key: `0x${'3'.repeat(40)}` };

let database: Database;
/** The authors of the replies that were sent; undefined for a broadcast. */
let authors: (string | undefined)[];
let counted: string[];
let logged: unknown[];

beforeEach(async () => {
  database = createMemoryDatabase();
  [authors, counted, logged] = [[], [], []];
  await database.transaction(async (unit) => {
    for (const [index, { did, key }] of [desk, till].entries()) {
      const place = { namespace: 'svc_system', created };
      const about = { id: uuid(index), did, type: 'custom', parent: own.did, name: did } as const;
      const rest = { endpoint: null, publicKeyHash: null, block: 1, updated: null };
      await unit.insert('identities', [{ ...place, ...about, ...rest }]);
      await unit.insert('keys', [{ ...place, key, identity: did }]);
    }
  });
});

/** Records the author, and rejects as if an earlier attempt had sent the reply. */
function record(author: string | undefined): Promise<never> {
  authors.push(author);
  return Promise.reject(new ServiceError('idempotency_key_used', { key: 'k', id: uuid(1) }));
}

const sender: Pick<Sender, 'acceptMessage' | 'acceptPrivate'> = {
  acceptMessage: (_, { header }) => record(header?.author),
  acceptPrivate: (_, { header }) => record(header?.author),
};

/** Replies to a message to a group of these members, or to all parties. */
async function reply(maySign: MaySign, members: readonly string[] | undefined): Promise<void> {
  const group = members === undefined ? null : 'group';
  if (members !== undefined) {
    const rows = members.map((identity) => ({ identity, node: 'node' }));
    const row = { namespace: 'default', hash: 'group', name: '', members: rows, created, message: null };
    await database.transaction((unit) => unit.insert('groups', [row]));
  }
  const about = { type: 'datatype_confirmed', reference: uuid(3), referenceHash: '', created } as const;
  const event = { ...newDefinitionEvent({ namespace: 'default', id: uuid(2), ...about }), sequence: 1 };
  const request = { ...aMessage({ id: uuid(3), group }), sequence: 1 };
  const metrics = { count: (name: string) => void counted.push(name), set: () => undefined, observe: () => undefined };
  const log = { ...createSilentLog(), error: (_: string, fields: unknown) => void logged.push(fields) };
  await sendReply(
    { database, sender, own, log, metrics, maySign },
    { subscription: uuid(4), maker: 'ci', event, request, tag: undefined, txtype: 'batch_pin', value: textOf(1) },
  );
}

const anything: MaySign = () => true;
const nothing: MaySign = () => false;
const withKey =
  (...allowed: readonly (string | undefined)[]): MaySign =>
  (maker, { namespace, key }) =>
    maker === 'ci' && namespace === 'default' && allowed.includes(key);

describe('the author of a reply', () => {
  it.each([
    ['the organisation if it is a member', anything, [desk.did, own.did], own.did],
    ['otherwise a custom identity that is a member', anything, ['did:parley:org/alice', desk.did], desk.did],
    ['the first of several whose key the maker may use', withKey(till.key), [desk.did, till.did], till.did],
    ['the organisation if the maker may use no other key', withKey(undefined), [desk.did, own.did], own.did],
    ['the default one for a broadcast', withKey(undefined), undefined, undefined],
  ])('is %s', async (_, maySign, members, author) => {
    await reply(maySign, members);
    expect([authors, counted, logged]).toEqual([[author], [], []]);
  });
});

describe('a reply that the maker of its subscription has no right to sign', () => {
  it.each([
    ['with the key of a custom identity', withKey(undefined, till.key), [desk.did]],
    ['with the key of the organisation', nothing, [own.did]],
    ['as a broadcast', nothing, undefined],
  ])('%s is not sent, but logged and counted', async (_, maySign, members) => {
    await reply(maySign, members);
    expect(authors).toEqual([]);
    expect(counted).toEqual(['parley_webhook_replies_refused_total']);
    expect(logged).toEqual([{ subscription: uuid(4), error: expect.stringMatching(/FF00170.*"ci"/) as unknown }]);
  });
});
