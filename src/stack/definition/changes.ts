import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import type { StackSettings } from './definition.js';
import { StackError } from '../error.js';
import type { Layout } from '../layout.js';
import { type FlatSettings, flat, runtimeOf } from '../settings/flat-settings.js';
import { type Contracts, ContractsFile } from '../running/contracts-file.js';
import { readPoolRecord, writePoolRecord } from '../tasks/pool-record.js';

export interface SettingChange {
  /** With dots; members of lists by name: `parties.dave`. */
  readonly setting: string;
  /** Null if it was added. Of a pool, the part that the network has. */
  readonly before: unknown;
  /** Null if it was removed. */
  readonly after: unknown;
}

/** The settings of a stack at its last start, by name: `applied.json`. */
const AppliedFile = Type.Object({ version: Type.Literal(1), settings: Type.Record(Type.String(), Type.Unknown()) });

const NetworkContracts = Type.Pick(ContractsFile, ['tokens']);

export async function noteSettings(layout: Layout, settings: StackSettings): Promise<void> {
  await writeJsonFile(layout.applied, { version: 1, settings: flat(settings) });
}

/** Records that a party has joined the running stack; the other settings stay as recorded at the start. */
export async function noteParty(layout: Layout, settings: StackSettings, party: string): Promise<void> {
  const applied = await readJsonFile(layout.applied, AppliedFile);
  const name = `parties.${party}`;
  const known = applied?.settings ?? flat(settings);
  await writeJsonFile(layout.applied, { version: 1, settings: { ...known, [name]: flat(settings)[name] } });
}

/** Overwrites some recorded settings, if there is a record. @throws InvalidFileError if it cannot be read */
export async function overwriteSettings({ applied: path }: Pick<Layout, 'applied'>, settings: FlatSettings) {
  const applied = await readJsonFile(path, AppliedFile);
  if (applied === undefined) return;
  await writeJsonFile(path, { ...applied, settings: { ...applied.settings, ...settings } });
}

/** Deletes the record: the next start begins a new network. */
export async function forgetSettings(layout: Layout): Promise<void> {
  await rm(layout.applied, { force: true });
}

/**
 * Compares a definition with the settings of the last start. A start can apply every returned change.
 *
 * @throws StackError STATE_INVALID for changes that a network cannot apply, with what to do instead
 */
export async function reviewChanges(
  layout: Layout,
  settings: StackSettings,
  { reassignPorts = false }: { readonly reassignPorts?: boolean } = {},
): Promise<readonly SettingChange[]> {
  const applied = await readJsonFile(layout.applied, AppliedFile);
  const contracts = await readJsonFile(layout.contracts, NetworkContracts);
  const pools = await readPoolRecord(layout.pools);
  // Nothing is fixed before there is a network; for one started by an earlier version nothing is recorded.
  if (applied === undefined || contracts === undefined) return [];
  const changes = differences(applied.settings, flat(settings)).map((change) => fromRecordedPool(change, pools));
  const refused = changes.flatMap((change) => {
    const refusal = refusalOf(change, contracts.tokens);
    const isWanted = reassignPorts && change.setting.startsWith('ports.');
    return refusal === undefined || isWanted ? [] : [{ ...change, ...refusal }];
  });
  const [first] = refused;
  if (first === undefined) return changes;
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : '';
  throw new StackError('STATE_INVALID', `stack.yaml has changed: ${first.why}${more}`, {
    hint: first.hint,
    details: { changes: refused.map(({ hint: _, ...change }) => change) },
  });
}

/**
 * Begins the record of the pools that the network has, unless there is one. For a network started by an earlier
 * version, the pools of its last start count as made.
 */
export async function beginPoolRecord(layout: Layout): Promise<void> {
  if ((await readPoolRecord(layout.pools)) !== undefined) return;
  const applied = await readJsonFile(layout.applied, AppliedFile);
  const pools = Object.entries(applied?.settings ?? {}).flatMap(([setting, value]) => {
    const name = poolIn(setting);
    return name === undefined ? [] : [[name, value] as const];
  });
  await writePoolRecord(layout.pools, Object.fromEntries(pools));
}

/** Compares with the recorded pool: a start that failed may not have created all of the previous definition. */
function fromRecordedPool(change: SettingChange, made: Readonly<Record<string, unknown>> | undefined): SettingChange {
  const pool = poolIn(change.setting);
  return pool === undefined || made === undefined ? change : { ...change, before: made[pool] ?? null };
}

function poolIn(setting: string): string | undefined {
  return /^tokens\.pools\.(.+)$/.exec(setting)?.[1];
}

export function isNewParty({ setting, before }: SettingChange): boolean {
  return before === null && /^parties\.[^.]+$/.test(setting);
}

/** Describes a change: `logs.level: info → debug`. */
export function changeText({ setting, before, after }: SettingChange): string {
  const [, name] = /^parties\.(.+)$/.exec(setting) ?? [];
  if (name !== undefined && before === null) return `party ${name} is new: it is registered, funded and started`;
  const pool = poolIn(setting);
  if (pool !== undefined && before === null) {
    return after === null ? `pool ${pool} is gone: it was not created` : `pool ${pool} is new: it is created`;
  }
  const given = pool === undefined ? undefined : addedBalances(before, after);
  if (given?.length === 0) return `pool ${pool}: nothing more is given`;
  if (given !== undefined) {
    return `pool ${pool}: ${given.map(({ party, amount }) => `${party} is given ${amount}`).join(', ')}`;
  }
  if (before === null && lists.test(setting)) return `${setting} is new`;
  return `${setting}: ${valueText(before)} → ${valueText(after)}`;
}

/** Whether the change only adds initial balances to a pool. Any start can mint them, each once. */
export function isOpeningBalance({ setting, before, after }: SettingChange): boolean {
  return setting.startsWith('tokens.pools.') && addedBalances(before, after) !== undefined;
}

const Balances = Type.Array(Type.Object({ party: Type.String(), amount: Type.String() }));
const PoolValue = Type.Object({ balances: Balances });

/** The balances that were added to a pool; undefined if anything else of it has changed. */
function addedBalances(before: unknown, after: unknown): Static<typeof Balances> | undefined {
  if (!Value.Check(PoolValue, before) || !Value.Check(PoolValue, after)) return undefined;
  const had = new Set(before.balances.map(({ party }) => party));
  const kept = after.balances.filter(({ party }) => had.has(party));
  const byParty = (balances: Static<typeof Balances>) =>
    balances.toSorted((one, other) => (one.party < other.party ? -1 : 1));
  const asBefore = { ...after, balances: byParty(kept) };
  if (!isDeepStrictEqual({ ...before, balances: byParty(before.balances) }, asBefore)) return undefined;
  return after.balances.filter(({ party }) => !had.has(party));
}

/** The value of a setting for display: JSON, but a text without quotes. */
function valueText(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const lists = /^(?:parties|namespaces|tokens\.pools|tokens\.connectors|tls)\./;
/** Settings without a default, which a record has only where they were set. */
const sparse = /^(?:docker|chain\.contracts|chain\.fees)\.|^ports\.nodes$/;

function differences(recorded: FlatSettings, after: FlatSettings): SettingChange[] {
  const before = withRuntime(recorded);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((setting) => {
    const [was = null, is = null] = [before[setting], after[setting]];
    const isInBoth = setting in before && setting in after;
    // A setting that only one of two program versions has was not changed by the user.
    const isOfVersion = !isInBoth && !lists.test(setting) && !sparse.test(setting);
    return isOfVersion || isDeepStrictEqual(was, is) ? [] : [{ setting, before: was, after: is }];
  });
}

/** Records of earlier versions have no `runtime`, only the settings of containers if there were any. */
function withRuntime(recorded: FlatSettings): FlatSettings {
  return { runtime: runtimeOf('docker.services' in recorded), ...recorded };
}

interface Refusal {
  readonly why: string;
  readonly hint: string;
}

const setBack = 'Set it back.';
const startOver = 'Set it back, or delete the data of the network and start over: stack reset';

/** The reason why a network cannot apply a change; undefined if it can. */
function refusalOf({ setting, before, after }: SettingChange, tokens: Contracts['tokens'] = []): Refusal | undefined {
  const [, list = setting, name = ''] =
    /^(parties|namespaces|tokens\.pools|tokens\.connectors|chain\.contracts\.tokens)\.(.+)$/.exec(setting) ?? [];
  const isNew = before === null;
  const from = `from ${valueText(before)} to ${valueText(after)}`;
  switch (list) {
    case 'parties':
      return isNew ? undefined : partyRefusal(name, before, after);
    case 'namespaces':
      return after === null
        ? { why: `the namespace ${name} was removed, but a network keeps its namespaces.`, hint: startOver }
        : undefined;
    case 'tokens.connectors':
      return after === null
        ? { why: `the connector ${name} was removed, but pools may use it.`, hint: startOver }
        : undefined;
    case 'tokens.pools':
      if (isNew || addedBalances(before, after) !== undefined) return undefined;
      return after === null
        ? { why: `the pool ${name} was removed, but a pool on the chain stays.`, hint: startOver }
        : {
            why: `the pool ${name} is already on the chain and cannot change.`,
            hint: `Set it back; to give parties more: stack mint AMOUNT --pool ${name} --to PARTY`,
          };
    case 'chain.contracts.tokens':
      return tokenRefusal(setting, after, tokens.find((token) => token.name === name)?.address);
    case 'profile':
    case 'chain.provider':
    case 'store.provider':
    case 'chain.contracts.network':
    case 'chain.genesisTime':
    case 'chain.mining':
      return { why: `${setting} (${from}) is fixed at the first start.`, hint: startOver };
    case 'chain.operatorKey':
    case 'chain.chainId':
      // Adding or removing it changes nothing: a start asks the chain.
      return isNew || after === null
        ? undefined
        : { why: `${setting} (${from}) is fixed at the first start.`, hint: startOver };
    case 'copy':
      return { why: `${setting} (${from}) distinguishes this network from its original.`, hint: setBack };
    case 'keys.source':
      return {
        why: `${setting} (${from}) does not change existing keys.`,
        hint: 'Set it back, or make another stack: stack init',
      };
    case 'ports.base':
    case 'ports.nodes':
      return {
        why: `${setting} (${from}) has changed, but a stack keeps its ports.`,
        hint: 'Set it back, or change the ports: stack stop, then stack start --reassign-ports',
      };
    default:
      return undefined;
  }
}

function partyRefusal(name: string, before: unknown, after: unknown): Refusal {
  if (after === null)
    return { why: `the party ${name} was removed, but a member cannot leave its network.`, hint: startOver };
  // If both identity and database have changed, the identity is reported.
  return isDeepStrictEqual({ ...Object(before), database: null }, { ...Object(after), database: null })
    ? {
        why: `the database of the party ${name} has changed, but its node's data is in the previous one.`,
        hint: startOver,
      }
    : { why: `organisation and node of the party ${name} are on the chain and cannot change.`, hint: startOver };
}

/** Naming a connector's own contract, or none, changes nothing; a connector without a contract gets the named one. */
function tokenRefusal(setting: string, after: unknown, address: string | undefined): Refusal | undefined {
  if (after === null || address === undefined || after === address) return undefined;
  const why = `${setting} is ${valueText(after)}, but the connector has its contract at ${address} already.`;
  return { why, hint: 'Set it to that address, or remove it.' };
}
