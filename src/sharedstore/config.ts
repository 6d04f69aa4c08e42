import type { LogLevel } from '../adapters/log/pino.js';
import { flagOf, logLevelOf, numberOf, parseSettings, readConfigText, textOf, textsOf } from '../http/config.js';

/** The configuration of the store: a JSON file with these members. Only `dataDirectory` has no default. */
export interface StoreConfig {
  /** A loopback address, unless there is a token or the network is trusted. */
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly logLevel: LogLevel;
  /** Host names under which the store may be called, besides `localhost` and its addresses. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call the store. */
  readonly origins: readonly string[];
  /** The file of the token that callers must send; undefined: no authentication. */
  readonly tokenFile: string | undefined;
  /** Whether every caller that can reach `host` is trusted. */
  readonly trustedNetwork: boolean;
  readonly maxFileBytes: number;
  /** Minimum free disk space for additions. */
  readonly minFreeBytes: number;
}

const gibibyte = 1_073_741_824;

/**
 * Reads a configuration file, fills in the defaults and freezes it.
 *
 * @throws Error that names the key, the expected value and the actual one
 */
export async function readConfig(path: string | undefined): Promise<StoreConfig> {
  return parseConfig(await readConfigText(path, 'store.js'));
}

/** Parses the text of a configuration file; throws as `readConfig`. */
export function parseConfig(text: string): StoreConfig {
  return parseSettings(text, (settings) => ({
    host: textOf(settings, 'host', '127.0.0.1'),
    port: numberOf(settings, 'port', { fallback: 0, max: 65_535 }),
    dataDirectory: textOf(settings, 'dataDirectory'),
    logLevel: logLevelOf(settings, 'logLevel'),
    hosts: textsOf(settings, 'hosts'),
    origins: textsOf(settings, 'origins'),
    tokenFile: settings.has('tokenFile') ? textOf(settings, 'tokenFile') : undefined,
    trustedNetwork: flagOf(settings, 'trustedNetwork'),
    maxFileBytes: numberOf(settings, 'maxFileBytes', { fallback: 64 * gibibyte, max: Number.MAX_SAFE_INTEGER }),
    minFreeBytes: numberOf(settings, 'minFreeBytes', { fallback: gibibyte / 4, max: Number.MAX_SAFE_INTEGER }),
  }));
}
