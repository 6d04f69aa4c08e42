import { every } from '../../src/ports/tables/where.js';
import type { OperationRow, TableName, Tables } from '../../src/ports/tables/tables.js';
import { textOf } from '../../src/wire/json/json.js';
import type { Simulator } from './life.js';
import type { Oracle } from './oracle.js';
import type { Claim } from './registrants.js';
import { InvariantViolation } from './shadow.js';
import type { Disk } from './storage.js';

const everything = 100_000;
const oldestFirst = [{ field: 'sequence', descending: false }];

/** Refusals by the contract that may end a registration. */
const refusals = /NameTaken|KeyTaken/;

export interface IdentityCheck {
  readonly party: string;
  readonly disk: Disk;
  readonly oracle: Oracle;
  readonly claims: readonly Claim[];
  readonly sometimes: Simulator['sometimes'];
}

/**
 * I10: a party has exactly the registry's identities, in order, with the profiles that their members set; and each
 * registration that it accepted has become one of them, unless the name or key was taken.
 */
export async function checkIdentities(check: IdentityCheck): Promise<void> {
  const { party, disk } = check;
  const { registered, profiles, updates } = check.oracle.identities();
  const rows = await rowsOf(disk, 'identities');
  const here = rows.map(({ id, did, type, name, parent }) => ({ id, did, type, name, parent }));
  const there = registered().map(({ id, did, type, name, parent }) => ({ id, did, type, name, parent }));
  same(party, 'the identities', here, there);
  const keys = (await rowsOf(disk, 'keys')).map(({ key, identity }) => ({ key, identity }));
  const owned = registered().flatMap(({ key, did }) => (key === null ? [] : [{ key, identity: did }]));
  same(party, 'the keys', keys, owned);
  const stated = (await rowsOf(disk, 'profiles')).map(({ namespace, identity, description, profile, claim, message }) =>
    textOf({ namespace, identity, description, profile, claim, message }),
  );
  same(party, 'the profiles', stated.sort(), profiles().map((each) => textOf(each)).sort()); // prettier-ignore
  const events = await rowsOf(disk, 'events');
  const ids = there.map(({ id }) => id);
  for (const namespace of ['default', 'svc_system']) {
    const told = events.filter((event) => event.type === 'identity_confirmed' && event.namespace === namespace);
    const references = told.map(({ reference }) => reference);
    same(party, 'the events of identities', references, ids);
  }
  const changed = events.filter(({ type, namespace }) => type === 'identity_updated' && namespace === 'default');
  const hashes = updates('default').map((update) => update.split('/')[1]);
  same(party, 'the events of profiles', changed.map(({ referenceHash }) => referenceHash), hashes); // prettier-ignore
  await checkClaims(check);
}

function rowsOf<T extends TableName>(disk: Disk, table: T): Promise<readonly Tables[T][]> {
  return disk.find(table, { namespace: every, where: [], sort: oldestFirst, limit: everything });
}

function same(party: string, what: string, here: readonly unknown[], there: readonly unknown[]): void {
  const [found, expected] = [textOf(here), textOf(there)];
  if (found !== expected) throw new InvariantViolation('I10', `${party} has ${what} ${found}, not ${expected}`);
}

/** I10: after a rebuild a party has the profiles of the updates that it has kept, in the order of their pins. */
export async function checkKeptProfiles(party: string, disk: Disk): Promise<void> {
  const pins = await rowsOf(disk, 'pins');
  const values = new Map((await rowsOf(disk, 'data')).map((row) => [nameOfItem(row), row.value]));
  const placeOf = ({ batch, batchHash, key }: Tables['messages']): number =>
    pins.find((pin) => pin.batch === batch && pin.batchHash === batchHash && pin.signer === key)?.sequence ?? 0;
  const kept = (await rowsOf(disk, 'messages')).filter(
    ({ tag, type, state }) => type === 'definition' && tag === 'svc_identity_update' && state === 'confirmed',
  );
  const wanted = new Map<string, { readonly claim: string; readonly message: string }>();
  // Updates of one batch are by one author, and were stored in order.
  for (const { id, data } of kept.sort((a, b) => placeOf(a) - placeOf(b) || a.sequence - b.sequence)) {
    const text = values.get(nameOfItem(data[0])) ?? '{}';
    const { did, namespace, ...said } = JSON.parse(text) as { readonly did: string; readonly namespace: string };
    const before = wanted.get(`${namespace} ${did}`);
    const merged = { description: null, profile: null, ...before, ...said, claim: before?.claim ?? id, message: id };
    wanted.set(`${namespace} ${did}`, merged);
  }
  const there = [...wanted].map(([name, { message, ...stated }]) => textOf({ name, message, stated: sorted(stated) }));
  const here = (await rowsOf(disk, 'profiles')).map(({ namespace, identity, description, profile, claim, message }) => {
    const stated = { description, profile: profile === null ? null : (JSON.parse(profile) as unknown), claim };
    return textOf({ name: `${namespace} ${identity}`, message, stated: sorted(stated) });
  });
  same(party, 'after a rebuild the profiles', here.sort(), there.sort());
}

/** Two items may have the same id and hash, but differ in their sealed descriptions. */
function nameOfItem(item: { readonly id: string; readonly hash: string; readonly seal?: string } | undefined): string {
  return `${item?.id ?? ''}/${item?.hash ?? ''}/${item?.seal ?? ''}`;
}

function sorted(record: object): readonly unknown[] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

async function checkClaims({ party, disk, oracle, claims, sometimes }: IdentityCheck): Promise<void> {
  const operations = (await rowsOf(disk, 'operations')).filter(({ type }) => type === 'blockchain_register_identity');
  for (const { operation, name } of claims.filter((claim) => claim.party === party)) {
    if (operations.some(({ id }) => id === operation)) continue;
    throw new InvariantViolation('I1', `the registration of ${name} that ${party} has accepted is gone`);
  }
  const registered = oracle.identities().registered();
  for (const { status, input, error } of operations.filter((operation) => operation.status !== 'Succeeded')) {
    if (status !== 'Failed' || !refusals.test(error ?? '')) {
      throw new InvariantViolation('I12', `the registration of ${String(input['name'])} is ${status} at ${party}`);
    }
    if (/NameTaken/.test(error ?? '')) sometimes('name of an identity taken by another member');
    if (/KeyTaken/.test(error ?? '')) sometimes('key of an identity taken by another member');
    const isTaken = registered.some(({ name, key, type }) => type !== 'node' && isEither(input, name, key));
    if (isTaken) continue;
    throw new InvariantViolation('I10', `${party} was refused ${String(input['name'])}, which is free`);
  }
  const made = operations.filter(({ status }) => status === 'Succeeded').map(({ input }) => wanted(input));
  const own = registered.filter(({ parent, type }) => type !== 'node' && parent === `did:parley:org/${party}`);
  const got = own.map(({ name, key, type }) => `${name} ${key ?? ''} ${type}`);
  same(party, 'registered', made.sort(), got.sort());
}

function isEither(input: OperationRow['input'], name: string, key: string | null): boolean {
  return input['name'] === name || input['key'] === key;
}

function wanted(input: OperationRow['input']): string {
  return `${String(input['name'])} ${String(input['key'])} ${input['isOrganization'] === true ? 'org' : 'custom'}`;
}
