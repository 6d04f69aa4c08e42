import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../supervisor/json-file.js';
import type { StackSettings } from './definition.js';
import { StackError } from './error.js';
import type { Layout } from './layout.js';

/** A setting that is another than at the last start. */
export interface SettingChange {
  /** With dots; members of lists by their names: `parties.dave`. */
  readonly setting: string;
  /** Null for what is new. */
  readonly before: unknown;
  /** Null for what is gone. */
  readonly after: unknown;
}

/** Settings of a stack by their names, as they were at its last start: `applied.json`. */
const AppliedFile = Type.Object({ version: Type.Literal(1), settings: Type.Record(Type.String(), Type.Unknown()) });
type FlatSettings = Readonly<Record<string, unknown>>;

/** Notes with which settings a stack is started. */
export async function noteSettings(layout: Layout, settings: StackSettings): Promise<void> {
  await writeJsonFile(layout.applied, { version: 1, settings: flat(settings) });
}

/** Forgets them: the next start begins a new network. */
export async function forgetSettings(layout: Layout): Promise<void> {
  await rm(layout.applied, { force: true });
}

/**
 * How a definition differs from what the stack was started with last. Everything that is answered can be taken over by
 * a start.
 *
 * @throws StackError STATE_INVALID for changes that a network cannot take over, with what to do instead
 */
export async function reviewChanges(
  layout: Layout,
  settings: StackSettings,
  { reassignPorts = false }: { readonly reassignPorts?: boolean } = {},
): Promise<readonly SettingChange[]> {
  const applied = await readJsonFile(layout.applied, AppliedFile);
  const contracts = await readJsonFile(layout.contracts, Type.Unknown());
  // Nothing is fixed before there is a network, and of one that an earlier version started nothing is known.
  if (applied === undefined || contracts === undefined) return [];
  const changes = differences(applied.settings, flat(settings));
  const refused = changes.flatMap((change) => {
    const refusal = refusalOf(change);
    const isWanted = reassignPorts && change.setting === 'ports.base';
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

/** `logs.level: info → debug`, in words for a person. */
export function changeText({ setting, before, after }: SettingChange): string {
  const [, name] = /^parties\.(.+)$/.exec(setting) ?? [];
  if (name !== undefined && before === null) return `party ${name} is new: it is registered, funded and started`;
  const [, pool] = /^tokens\.pools\.(.+)$/.exec(setting) ?? [];
  if (pool !== undefined) return `pool ${pool} is new: it is created`;
  if (before === null) return `${setting} is new`;
  return `${setting}: ${textOf(before)} → ${textOf(after)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Lists of named things become members by their names, so that each is compared with itself. */
function flat({ parties, namespaces, tokens, chain, template: _, name: __, ...others }: StackSettings): FlatSettings {
  const { mining, ...ofChain } = chain;
  return {
    ...leaves({ ...others, chain: ofChain }),
    'chain.mining': mining,
    ...named('parties', parties),
    ...named(
      'tokens.pools',
      tokens.pools.map(({ symbol = null, ...pool }) => ({ ...pool, symbol })),
    ),
    ...named(
      'namespaces',
      namespaces.map((each) => ({ name: each })),
    ),
    ...named(
      'tokens.connectors',
      tokens.connectors.map((each) => ({ name: each })),
    ),
  };
}

function named(path: string, items: readonly { readonly name: string }[]): FlatSettings {
  return Object.fromEntries(items.map(({ name, ...rest }) => [`${path}.${name}`, rest]));
}

function leaves(value: object, path = ''): FlatSettings {
  const entries = Object.entries(value).flatMap(([key, member]: [string, unknown]): [string, unknown][] => {
    const isMapping = member instanceof Object && !Array.isArray(member);
    return isMapping ? Object.entries(leaves(member, `${path}${key}.`)) : [[`${path}${key}`, member]];
  });
  return Object.fromEntries(entries);
}

const lists = /^(?:parties|namespaces|tokens\.pools|tokens\.connectors)\./;

function differences(before: FlatSettings, after: FlatSettings): SettingChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((setting) => {
    const [was = null, is = null] = [before[setting], after[setting]];
    // A setting that only one of two versions of the program has was not changed by anybody.
    const isOfVersion = (was === null || is === null) && !lists.test(setting);
    return isOfVersion || isDeepStrictEqual(was, is) ? [] : [{ setting, before: was, after: is }];
  });
}

interface Refusal {
  readonly why: string;
  readonly hint: string;
}

const anew = 'Set it back, or begin anew without what the network has done: stack reset';

/** Why a network cannot take over a change; undefined where it can. */
function refusalOf({ setting, before, after }: SettingChange): Refusal | undefined {
  const [, list = setting, name = ''] =
    /^(parties|namespaces|tokens\.pools|tokens\.connectors)\.(.+)$/.exec(setting) ?? [];
  const isNew = before === null;
  const from = `from ${textOf(before)} to ${textOf(after)}`;
  switch (list) {
    case 'parties':
      if (isNew) return undefined;
      return after === null
        ? { why: `the party ${name} is gone, and a member of a network stays one.`, hint: anew }
        : { why: `organisation and node of the party ${name} are on the chain and stay.`, hint: anew };
    case 'namespaces':
      return after === null ? { why: `the namespace ${name} is gone, with all that is in it.`, hint: anew } : undefined;
    case 'tokens.connectors':
      return after === null ? { why: `the connector ${name} is gone; pools may use it.`, hint: anew } : undefined;
    case 'tokens.pools':
      if (isNew) return undefined;
      return after === null
        ? { why: `the pool ${name} is gone, and a pool on the chain stays.`, hint: anew }
        : {
            why: `the pool ${name} is on the chain already and stays what it is.`,
            hint: `Set it back; to give parties more: stack mint AMOUNT --pool ${name} --to PARTY`,
          };
    case 'chain.chainId':
    case 'chain.genesisTime':
    case 'chain.mining':
      return { why: `${setting} (${from}) is fixed at the first start.`, hint: anew };
    case 'keys.source':
      return {
        why: `${setting} (${from}) does not change the keys that there are.`,
        hint: 'Make another stack: stack init',
      };
    case 'ports.base':
      return {
        why: `${setting} (${from}), and a stack keeps its ports.`,
        hint: 'Give it others: stack stop, then stack start --reassign-ports',
      };
    default:
      return undefined;
  }
}
