import { readFile } from 'node:fs/promises';
import type { LogLevel } from '../adapters/log/pino.js';
import type { Genesis } from './chain.js';
import type { Mining } from './ledger.js';

/** The configuration of the chain: a JSON file with these names. `dataDirectory` and `accounts` have no default. */
export interface ChainConfig {
  /** A loopback address. */
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly chainId: number;
  /** ISO 8601, whole seconds. */
  readonly genesisTime: string;
  /** Who has how much at the beginning; balances in wei, as decimal digits. The server holds none of their keys. */
  readonly accounts: readonly { readonly address: string; readonly balance: string }[];
  /** The mode of a new chain; what was asked of it later is in its journal. */
  readonly mining: Mining;
  readonly logLevel: LogLevel;
  /** Host names beside `localhost` and its addresses under which the chain may be called. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call the chain. */
  readonly origins: readonly string[];
}

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const maxChainId = 2 ** 40;
const maxAccounts = 10_000;

/**
 * Reads a configuration file, fills in the defaults and freezes it.
 *
 * @throws Error that names the key, what it must be, and what it is
 */
export async function readConfig(path: string | undefined): Promise<ChainConfig> {
  if (path === undefined) throw new Error('The path of the configuration file is missing: chain.js CONFIG.');
  return parseConfig(await readFile(path, 'utf8'));
}

/** `readConfig` of a text. */
export function parseConfig(text: string): ChainConfig {
  const given: unknown = JSON.parse(text);
  const values = valuesOf(given);
  if (values === undefined) throw new Error('The configuration must be a JSON object.');
  const config: ChainConfig = {
    host: textOf(values, 'host', '127.0.0.1'),
    port: numberOf(values, 'port', 0, 0, 65_535),
    dataDirectory: textOf(values, 'dataDirectory'),
    chainId: numberOf(values, 'chainId', 31_337, 1, maxChainId),
    genesisTime: timeOf(values, 'genesisTime', '2026-01-01T00:00:00Z'),
    accounts: accountsOf(values, 'accounts'),
    mining: miningOf(values, 'mining'),
    logLevel: levelOf(values, 'logLevel', 'info'),
    hosts: textsOf(values, 'hosts'),
    origins: textsOf(values, 'origins'),
  };
  const unknown = [...values.keys()].find((key) => !Object.hasOwn(config, key));
  if (unknown !== undefined) {
    throw new Error(`The configuration has no key "${unknown}". Its keys are ${Object.keys(config).join(', ')}.`);
  }
  return Object.freeze(config);
}

/** What of the configuration can never change for a data directory. */
export function genesisOf({
  chainId,
  genesisTime,
  accounts,
}: Pick<ChainConfig, 'chainId' | 'genesisTime' | 'accounts'>): Genesis {
  return {
    chainId,
    time: Date.parse(genesisTime) / 1_000,
    accounts: accounts.map(({ address, balance }) => ({ address, balance: BigInt(balance) })),
  };
}

/** The failpoints that a test has armed (assurance, section 4). */
export function armedFailpoints(): string | undefined {
  return process.env['PARLEY_FAILPOINT'];
}

type Values = ReadonlyMap<string, unknown>;

function valuesOf(given: unknown): Values | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  return new Map<string, unknown>(Object.entries(given));
}

function accountsOf(values: Values, key: string): ChainConfig['accounts'] {
  const expected = 'a list of {"address": "0x…", "balance": "<wei>"}, each address once';
  const given = values.get(key);
  if (!Array.isArray(given) || given.length > maxAccounts) throw wrong(key, expected, given);
  const accounts = given.map((item: unknown) => {
    const [address, balance] = [valuesOf(item)?.get('address'), valuesOf(item)?.get('balance')];
    const isGood =
      typeof address === 'string' &&
      /^0x[0-9a-f]{40}$/i.test(address) &&
      typeof balance === 'string' &&
      /^\d{1,60}$/.test(balance);
    if (!isGood) throw wrong(key, expected, item);
    return { address: address.toLowerCase(), balance };
  });
  if (new Set(accounts.map(({ address }) => address)).size < accounts.length) throw wrong(key, expected, given);
  return accounts;
}

function miningOf(values: Values, key: string): Mining {
  const given = values.get(key);
  if (given === undefined) return { auto: true, intervalMs: 0 };
  const parts = valuesOf(given);
  const [auto, intervalMs] = [parts?.get('auto'), parts?.get('intervalMs')];
  const isGood = typeof auto === 'boolean' && typeof intervalMs === 'number' && Number.isSafeInteger(intervalMs);
  if (!isGood || intervalMs < 0) throw wrong(key, '{"auto": true or false, "intervalMs": 0 or more}', given);
  return { auto, intervalMs };
}

function timeOf(values: Values, key: string, fallback: string): string {
  const value = textOf(values, key, fallback);
  const seconds = Date.parse(value) / 1_000;
  if (/^\d{4}-\d\d-\d\dT/.test(value) && Number.isInteger(seconds) && seconds >= 0) return value;
  throw wrong(key, 'a time like 2026-01-01T00:00:00Z, in whole seconds', value);
}

function textOf(values: Values, key: string, fallback?: string): string {
  const value = values.get(key) ?? fallback;
  if (typeof value !== 'string' || value === '') throw wrong(key, 'a text', value);
  return value;
}

function textsOf(values: Values, key: string): readonly string[] {
  const value = values.get(key) ?? [];
  if (!Array.isArray(value)) throw wrong(key, 'a list of texts', value);
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw wrong(key, 'a list of texts', value);
    return item;
  });
}

function numberOf(values: Values, key: string, fallback: number, min: number, max: number): number {
  const value = values.get(key) ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw wrong(key, `a whole number from ${min} to ${max}`, value);
}

function levelOf(values: Values, key: string, fallback: LogLevel): LogLevel {
  const value = values.get(key) ?? fallback;
  const level = logLevels.find((candidate) => candidate === value);
  if (level === undefined) throw wrong(key, `one of ${logLevels.join(', ')}`, value);
  return level;
}

function wrong(key: string, expected: string, actual: unknown): Error {
  return new Error(`The configuration's ${key} must be ${expected}, not ${JSON.stringify(actual) ?? 'absent'}.`);
}
