import { readFile } from 'node:fs/promises';
import type { LogLevel } from '../adapters/log/pino.js';

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
  readonly maxFileBytes: number;
  /** Nothing is added when the disk has less than this left. */
  readonly minFreeBytes: number;
}

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const gibibyte = 1_073_741_824;

/**
 * Reads a configuration file, fills in the defaults and freezes it.
 *
 * @throws Error that names the key, what it must be, and what it is
 */
export async function readConfig(path: string | undefined): Promise<StoreConfig> {
  if (path === undefined) throw new Error('The path of the configuration file is missing: store.js CONFIG.');
  return parseConfig(await readFile(path, 'utf8'));
}

/** `readConfig` of a text. */
export function parseConfig(text: string): StoreConfig {
  const given: unknown = JSON.parse(text);
  if (typeof given !== 'object' || given === null) throw new Error('The configuration must be a JSON object.');
  const values = new Map<string, unknown>(Object.entries(given));
  const config: StoreConfig = {
    host: textOf(values, 'host', '127.0.0.1'),
    port: sizeOf(values, 'port', 0, 65_535),
    dataDirectory: textOf(values, 'dataDirectory'),
    logLevel: levelOf(values, 'logLevel', 'info'),
    hosts: textsOf(values, 'hosts'),
    origins: textsOf(values, 'origins'),
    maxFileBytes: sizeOf(values, 'maxFileBytes', 64 * gibibyte),
    minFreeBytes: sizeOf(values, 'minFreeBytes', gibibyte / 2),
  };
  const unknown = [...values.keys()].find((key) => !Object.hasOwn(config, key));
  if (unknown !== undefined) {
    throw new Error(`The configuration has no key "${unknown}". Its keys are ${Object.keys(config).join(', ')}.`);
  }
  return Object.freeze(config);
}

/** The failpoints that a test has armed (assurance, section 4). */
export function armedFailpoints(): string | undefined {
  return process.env['PARLEY_FAILPOINT'];
}

type Values = ReadonlyMap<string, unknown>;

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

function sizeOf(values: Values, key: string, fallback: number, max = Number.MAX_SAFE_INTEGER): number {
  const value = values.get(key) ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw wrong(key, `a whole number from 0 to ${max}`, value);
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
