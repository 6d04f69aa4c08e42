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
import type { Genesis } from './engine/chain.js';
import type { Mining } from './journal/ledger.js';

/** The configuration of the chain: a JSON file with these members. `dataDirectory` and `accounts` have no default. */
export interface ChainConfig {
  /** A loopback address, unless there is a token or the network is trusted. */
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly chainId: number;
  /** ISO 8601, whole seconds. */
  readonly genesisTime: string;
  /** Initial balances in wei, as decimal digits. The server holds none of the keys. */
  readonly accounts: readonly { readonly address: string; readonly balance: string }[];
  /** The path of the Anvil program, to be used as the engine; undefined: Hardhat's engine. */
  readonly anvil: string | undefined;
  /** The mining mode of a new chain; later changes are in its journal. */
  readonly mining: Mining;
  readonly logLevel: LogLevel;
  /** Host names under which the chain may be called, besides `localhost` and its addresses. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call the chain. */
  readonly origins: readonly string[];
  /** The file of the token that callers must send; undefined: no authentication. */
  readonly tokenFile: string | undefined;
  /** Whether every caller that can reach `host` is trusted. */
  readonly trustedNetwork: boolean;
  /** Whether `evm_revert` may remove blocks, which breaks a network whose nodes have read them. */
  readonly allowRevert: boolean;
}

const maxChainId = 2 ** 40;
const maxAccounts = 10_000;

/**
 * Reads a configuration file, fills in the defaults and freezes it.
 *
 * @throws Error that names the key, the expected value and the actual one
 */
export async function readConfig(path: string | undefined): Promise<ChainConfig> {
  return parseConfig(await readConfigText(path, 'chain.js'));
}

/** Parses the text of a configuration file; throws as `readConfig`. */
export function parseConfig(text: string): ChainConfig {
  return parseSettings(text, (settings) => ({
    host: textOf(settings, 'host', '127.0.0.1'),
    port: numberOf(settings, 'port', { fallback: 0, max: 65_535 }),
    dataDirectory: textOf(settings, 'dataDirectory'),
    chainId: numberOf(settings, 'chainId', { fallback: 31_337, min: 1, max: maxChainId }),
    genesisTime: timeOf(settings, 'genesisTime', '2026-01-01T00:00:00Z'),
    accounts: accountsOf(settings, 'accounts'),
    anvil: settings.has('anvil') ? textOf(settings, 'anvil') : undefined,
    mining: miningOf(settings, 'mining'),
    logLevel: logLevelOf(settings, 'logLevel'),
    hosts: textsOf(settings, 'hosts'),
    origins: textsOf(settings, 'origins'),
    tokenFile: settings.has('tokenFile') ? textOf(settings, 'tokenFile') : undefined,
    trustedNetwork: flagOf(settings, 'trustedNetwork'),
    allowRevert: flagOf(settings, 'allowRevert'),
  }));
}

/** The part of the configuration that can never change for a data directory. */
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
