import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { isErrno } from '../../supervisor/files/json-file.js';
import { addressProblems, requireBindable } from '../ports/bind.js';
import { chainProblems, withFilesFrom } from '../settings/chain-settings.js';
import { databaseFrom, databaseProblems } from '../settings/database-settings.js';
import { namesOf, type PartySettings, settingsOf, type StackSettings } from './definition.js';
import { PartyNames, StackDefinition } from '../settings/definition-schema.js';
import { dockerProblems } from '../settings/docker-settings.js';
import { StackError } from '../error.js';
import { tokenProblems } from '../settings/token-settings.js';
import { tlsFrom } from '../settings/tls-settings.js';
import { storeProblems, withStoreFileFrom } from '../settings/store-settings.js';
import type { UserDefaults } from './user-defaults.js';
import { type Finding, InvalidFile, readYaml, shapeFindings, type YamlText } from './yaml-text.js';

const reservedParties = ['chain', 'store', 'contracts', 'smoke', 'pools', 'supervisor', 'all'];

export interface OpenDefinition {
  readonly definition: StackDefinition;
  readonly settings: StackSettings;
  readonly yaml: YamlText;
}

/**
 * Reads the settings of a definition file.
 *
 * @throws StackError as `openStackFile`, STACK_NOT_FOUND if the file does not exist
 */
export async function readStackFile(path: string, user: UserDefaults = {}): Promise<StackSettings> {
  return parseStackFile(await readStackText(path), path, user);
}

/** Reads the text of a definition. @throws StackError STACK_NOT_FOUND */
export async function readStackText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const isMissing = isErrno(cause, 'ENOENT', 'ENOTDIR');
    const why = isErrno(cause, 'EISDIR') ? 'it is a directory' : cause instanceof Error ? cause.message : String(cause);
    const message = isMissing ? `There is no file ${path}.` : `The definition ${path} cannot be read: ${why}.`;
    throw new StackError('STACK_NOT_FOUND', message, { cause });
  }
}

/** Parses the settings of a `stack.yaml`. @throws StackError as `openStackFile` */
export function parseStackFile(text: string, path: string, user: UserDefaults = {}): StackSettings {
  return openStackFile(text, path, user).settings;
}

/**
 * Parses a `stack.yaml` and completes its settings with the user's and the built-in defaults. Unknown or unsupported
 * keys and invalid values are refused with line and column.
 *
 * @throws StackError STACK_FILE_INVALID with all problems in `details.problems`; BIND_REFUSED
 */
export function openStackFile(text: string, path: string, user: UserDefaults = {}): OpenDefinition {
  const yaml = readYaml(text, path);
  const { value } = yaml;
  const wrong = shapeFindings(StackDefinition, value);
  if (wrong.length > 0 || !Value.Check(StackDefinition, value)) {
    throw new InvalidFile(path, yaml.problemsOf([...wrong, ...partyFindings(readableParties(value))]));
  }
  const settings = withPaths(settingsOf(value, user), path);
  const addresses = addressProblems(value).map((problem) => ({ ...problem, key: false }));
  const ofDocker = dockerProblems(value, settings).map((problem) => ({ ...problem, key: false }));
  const clashes = [
    ...addresses,
    ...ofDocker,
    ...externalFindings(value, settings),
    ...databaseFindings(value, settings),
    ...meaningFindings(settings),
  ];
  if (clashes.length > 0) throw new InvalidFile(path, yaml.problemsOf(clashes));
  const { line, column } = yaml.position('/bind');
  requireBindable(settings, { file: path, at: `${path}:${line}:${column}` });
  return { definition: value, settings, yaml };
}

function withKeyFrom(directory: string, party: PartySettings): PartySettings {
  const { keyFile } = party;
  return keyFile === undefined ? party : { ...party, keyFile: resolve(directory, keyFile) };
}

/** Resolves the paths of files against the directory of the definition. */
function withPaths(settings: StackSettings, path: string): StackSettings {
  const { chain, store } = settings;
  const from = dirname(path);
  return {
    ...settings,
    parties: settings.parties.map((party) => withKeyFrom(from, tlsFrom(from, databaseFrom(from, party)))),
    chain: { ...chain, external: chain.external && withFilesFrom(from, chain.external) },
    store: { ...store, external: store.external && withStoreFileFrom(from, store.external) },
  };
}

function externalFindings({ chain, store, keys, auth }: StackDefinition, settings: StackSettings): Finding[] {
  const problems = [...chainProblems(chain), ...storeProblems(store)];
  const findings = problems.map((problem) => ({ ...problem, key: false }));
  if (chain?.provider === 'anvil' && auth?.enabled === true) {
    const message =
      'chain.provider anvil cannot be combined with auth, since Anvil checks no token: remove one of them.';
    findings.push({ path: '/chain/provider', message, key: false });
  }
  if (settings.chain.external !== null && keys?.source === 'test') {
    const message = 'keys.source test makes published keys, which are unsafe on a chain that others run: remove it.';
    findings.push({ path: '/keys/source', message, key: false });
  }
  return findings;
}

function databaseFindings({ database, parties }: StackDefinition, settings: StackSettings): Finding[] {
  const own = parties.map((party) => (typeof party === 'string' ? undefined : party.database));
  return databaseProblems(database, own, settings.parties).map((problem) => ({ ...problem, key: false }));
}

type Named = Pick<PartySettings, 'name' | 'organization' | 'node'>;

/** Findings about names; a party whose own entry cannot be read is undefined. */
function partyFindings(parties: readonly (Named | undefined)[]): Finding[] {
  const seen = new Set<string>();
  return parties.flatMap((party, index) => {
    if (party === undefined) return [];
    const { name, organization, node } = party;
    const names = [`name ${name}`, `organisation ${organization}`, `node ${node}`];
    const twice = names.filter((each) => seen.has(each)).map((each) => `Two parties have the ${each}.`);
    for (const each of names) seen.add(each);
    const reserved = reservedParties.includes(name) ? [`A party cannot be called ${name}: the name is reserved.`] : [];
    return [...reserved, ...twice].map((message) => ({ path: `/parties/${index}`, message, key: false }));
  });
}

/** The readable parties of a definition that has other problems. */
function readableParties(value: unknown): readonly (Named | undefined)[] {
  const parties: unknown = value instanceof Object ? Reflect.get(value, 'parties') : undefined;
  if (!Array.isArray(parties)) return [];
  return parties.map((each: unknown) => {
    const party = typeof each === 'string' ? { name: each } : each;
    return Value.Check(PartyNames, party) ? namesOf(party) : undefined;
  });
}

function meaningFindings(settings: StackSettings): Finding[] {
  const findings = partyFindings(settings.parties);
  const twice = settings.namespaces.find((name, index, all) => all.indexOf(name) < index);
  if (twice !== undefined) {
    findings.push({ path: '/namespaces', message: `The namespace ${twice} is listed twice.`, key: false });
  }
  settings.webhooks.allow.forEach((range, index) => {
    if (isAddressRange(range)) return;
    const message = `${range} is neither an address nor a range of addresses such as 10.0.0.0/8.`;
    findings.push({ path: `/webhooks/allow/${index}`, message, key: false });
  });
  if (settings.namespaces.some((namespace) => namespace.startsWith('svc_'))) {
    findings.push({ path: '/namespaces', message: 'Names that begin with svc_ are reserved.', key: false });
  }
  const { genesisTime } = settings.chain;
  if (Number.isNaN(Date.parse(genesisTime))) {
    const message = `chain.genesisTime must be an existing time, not ${genesisTime}.`;
    findings.push({ path: '/chain/genesisTime', message, key: false });
  }
  const parties = settings.parties.map(({ name }) => name);
  const ofTokens = tokenProblems(settings.tokens, parties).map((problem) => ({ ...problem, key: false }));
  return [...findings, ...ofTokens];
}

/** Whether a text is an address, or a range as nodes read it. */
function isAddressRange(text: string): boolean {
  const [address = '', bits = '0'] = text.split('/');
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  return maxBits !== undefined && Number(bits) <= maxBits;
}
