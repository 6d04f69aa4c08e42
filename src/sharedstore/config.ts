import type { LogLevel } from '../adapters/log/pino.js';
import { logLevelOf, numberOf, parseSettings, readConfigText, textOf, textsOf } from '../http/config.js';

/** The configuration of the store: a JSON file with these names. Only `dataDirectory` has no default. */
export interface StoreConfig {
  /** A loopback address. */
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly logLevel: LogLevel;
  /** Host names beside `localhost` and its addresses under which the store may be called. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may call the store. */
  readonly origins: readonly string[];
  /** The file of the token that every caller must bring; undefined: nobody is asked. */
  readonly tokenFile: string | undefined;
  readonly maxFileBytes: number;
  /** Nothing is added when the disk has less than this left. */
  readonly minFreeBytes: number;
}

const gibibyte = 1_073_741_824;

/**
 * Reads a configuration file, fills in the defaults and freezes it.
 *
 * @throws Error that names the key, what it must be, and what it is
 */
export async function readConfig(path: string | undefined): Promise<StoreConfig> {
  return parseConfig(await readConfigText(path, 'store.js'));
}

/** `readConfig` of a text. */
export function parseConfig(text: string): StoreConfig {
  return parseSettings(text, (settings) => ({
    host: textOf(settings, 'host', '127.0.0.1'),
    port: numberOf(settings, 'port', { fallback: 0, max: 65_535 }),
    dataDirectory: textOf(settings, 'dataDirectory'),
    logLevel: logLevelOf(settings, 'logLevel'),
    hosts: textsOf(settings, 'hosts'),
    origins: textsOf(settings, 'origins'),
    tokenFile: settings.has('tokenFile') ? textOf(settings, 'tokenFile') : undefined,
    maxFileBytes: numberOf(settings, 'maxFileBytes', { fallback: 64 * gibibyte, max: Number.MAX_SAFE_INTEGER }),
    minFreeBytes: numberOf(settings, 'minFreeBytes', { fallback: gibibyte / 4, max: Number.MAX_SAFE_INTEGER }),
  }));
}
