import type { LogLevel } from '../adapters/log/pino.js';
import {
  flagOf,
  logLevelOf,
  numberOf,
  parseSettings,
  readConfigText,
  type Settings,
  settingsOf,
  textOf,
  textsOf,
  wrongSetting,
} from '../http/config.js';
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
  /** The file of the token that every caller must bring; undefined: nobody is asked. */
  readonly tokenFile: string | undefined;
  /** Whether `evm_revert` may take back blocks, which ends a network whose nodes have read them. */
  readonly allowRevert: boolean;
}

const maxChainId = 2 ** 40;
const maxAccounts = 10_000;

/**
 * Reads a configuration file, fills in the defaults and freezes it.
 *
 * @throws Error that names the key, what it must be, and what it is
 */
export async function readConfig(path: string | undefined): Promise<ChainConfig> {
  return parseConfig(await readConfigText(path, 'chain.js'));
}

/** `readConfig` of a text. */
export function parseConfig(text: string): ChainConfig {
  return parseSettings(text, (settings) => ({
    host: textOf(settings, 'host', '127.0.0.1'),
    port: numberOf(settings, 'port', { fallback: 0, max: 65_535 }),
    dataDirectory: textOf(settings, 'dataDirectory'),
    chainId: numberOf(settings, 'chainId', { fallback: 31_337, min: 1, max: maxChainId }),
    genesisTime: timeOf(settings, 'genesisTime', '2026-01-01T00:00:00Z'),
    accounts: accountsOf(settings, 'accounts'),
    mining: miningOf(settings, 'mining'),
    logLevel: logLevelOf(settings, 'logLevel'),
    hosts: textsOf(settings, 'hosts'),
    origins: textsOf(settings, 'origins'),
    tokenFile: settings.has('tokenFile') ? textOf(settings, 'tokenFile') : undefined,
    allowRevert: flagOf(settings, 'allowRevert'),
  }));
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

function accountsOf(settings: Settings, key: string): ChainConfig['accounts'] {
  const expected = 'a list of {"address": "0x…", "balance": "<wei>"}, each address once';
  const given = settings.get(key);
  if (!Array.isArray(given) || given.length > maxAccounts) throw wrongSetting(key, expected, given);
  const accounts = given.map((item: unknown) => {
    const [address, balance] = [settingsOf(item)?.get('address'), settingsOf(item)?.get('balance')];
    const isGood =
      typeof address === 'string' &&
      /^0x[0-9a-f]{40}$/i.test(address) &&
      typeof balance === 'string' &&
      /^\d{1,60}$/.test(balance);
    if (!isGood) throw wrongSetting(key, expected, item);
    return { address: address.toLowerCase(), balance };
  });
  if (new Set(accounts.map(({ address }) => address)).size < accounts.length) throw wrongSetting(key, expected, given);
  return accounts;
}

function miningOf(settings: Settings, key: string): Mining {
  const given = settings.get(key);
  if (given === undefined) return { auto: true, intervalMs: 0 };
  const parts = settingsOf(given);
  const [auto, intervalMs] = [parts?.get('auto'), parts?.get('intervalMs')];
  const isGood = typeof auto === 'boolean' && typeof intervalMs === 'number' && Number.isSafeInteger(intervalMs);
  if (!isGood || intervalMs < 0) throw wrongSetting(key, '{"auto": true or false, "intervalMs": 0 or more}', given);
  return { auto, intervalMs };
}

function timeOf(settings: Settings, key: string, fallback: string): string {
  const value = textOf(settings, key, fallback);
  const seconds = Date.parse(value) / 1_000;
  if (/^\d{4}-\d\d-\d\dT/.test(value) && Number.isInteger(seconds) && seconds >= 0) return value;
  throw wrongSetting(key, 'a time like 2026-01-01T00:00:00Z, in whole seconds', value);
}
