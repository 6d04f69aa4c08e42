import { readFile } from 'node:fs/promises';

/** The members of a configuration, not validated yet. */
export type Settings = ReadonlyMap<string, unknown>;

/**
 * Reads the configuration file with which a program is started.
 *
 * @throws Error if `path` is missing, which names `program`, or if the file cannot be read
 */
export async function readConfigText(path: string | undefined, program: string): Promise<string> {
  if (path === undefined) throw new Error(`The path of the configuration file is missing: ${program} CONFIG.`);
  return readFile(path, 'utf8');
}

/**
 * Parses a configuration with `build` and freezes the result. `build` reads each key with a function of this file, with
 * its default, so that all programs refuse the same values with the same messages; keys that it does not return are
 * unknown.
 *
 * @throws Error that names the key, the expected value and the actual one
 */
export function parseSettings<Config extends object>(text: string, build: (settings: Settings) => Config): Config {
  const settings = settingsOf(JSON.parse(text));
  if (settings === undefined) throw new Error('The configuration must be a JSON object.');
  const config = build(settings);
  const unknown = [...settings.keys()].find((key) => !Object.hasOwn(config, key));
  if (unknown !== undefined) {
    throw new Error(`The configuration has no key "${unknown}". Its keys are ${Object.keys(config).join(', ')}.`);
  }
  return Object.freeze(config);
}

/** The members of an object; undefined for anything else, including a list. */
export function settingsOf(given: unknown): Settings | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  return new Map<string, unknown>(Object.entries(given));
}

/** Reads a non-empty text. @throws Error of `wrongSetting` */
export function textOf(settings: Settings, key: string, fallback?: string): string {
  const value = settings.get(key) ?? fallback;
  if (typeof value !== 'string' || value === '') throw wrongSetting(key, 'a text', value);
  return value;
}

/** Reads a list of texts; empty if the key is absent. @throws Error of `wrongSetting` */
export function textsOf(settings: Settings, key: string): readonly string[] {
  const value = settings.get(key) ?? [];
  if (!Array.isArray(value)) throw wrongSetting(key, 'a list of texts', value);
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw wrongSetting(key, 'a list of texts', value);
    return item;
  });
}

/** Reads an integer within bounds, both inclusive. @throws Error of `wrongSetting` */
export function numberOf(
  settings: Settings,
  key: string,
  { fallback, min = 0, max }: { readonly fallback: number; readonly min?: number; readonly max: number },
): number {
  const value = settings.get(key) ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw wrongSetting(key, `a whole number from ${min} to ${max}`, value);
}

/** Reads a boolean; false if the key is absent. @throws Error of `wrongSetting` */
export function flagOf(settings: Settings, key: string): boolean {
  const value = settings.get(key) ?? false;
  if (typeof value === 'boolean') return value;
  throw wrongSetting(key, 'true or false', value);
}

/** Reads the log level. @throws Error of `wrongSetting` */
export function logLevelOf(settings: Settings, key: string): (typeof logLevels)[number] {
  const value = settings.get(key) ?? 'info';
  const level = logLevels.find((candidate) => candidate === value);
  if (level === undefined) throw wrongSetting(key, `one of ${logLevels.join(', ')}`, value);
  return level;
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const;

/** The error for a wrong value, with the expected and the actual one. */
export function wrongSetting(key: string, expected: string, actual: unknown): Error {
  return new Error(`The configuration's ${key} must be ${expected}, not ${JSON.stringify(actual) ?? 'absent'}.`);
}

/** The failpoints that a test has armed for this process, if any. */
export function armedFailpoints(): string | undefined {
  return process.env['PARLEY_FAILPOINT'];
}

/** Whether reports for the parent process go to standard output, as in a container, which has no other channel. */
export function reportsToOutput(): boolean {
  return process.env['PARLEY_REPORTS'] === 'stdout';
}

/**
 * Sets how long the allocator of the chain's engine keeps freed pages, by default 10 ms; the system must clear each
 * returned page before it is used again. The variable is read when the engine is loaded; a value set by the user takes
 * precedence.
 */
export function keepFreedPages(): void {
  process.env['MIMALLOC_PURGE_DELAY'] ??= '500';
}
