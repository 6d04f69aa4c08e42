import { readFile } from 'node:fs/promises';

/** The members of a configuration, before anything is known of their values. */
export type Settings = ReadonlyMap<string, unknown>;

/**
 * The text of the configuration file that a program is started with.
 *
 * @throws Error when `path` is missing, which names `program`, or when the file cannot be read
 */
export async function readConfigText(path: string | undefined, program: string): Promise<string> {
  if (path === undefined) throw new Error(`The path of the configuration file is missing: ${program} CONFIG.`);
  return readFile(path, 'utf8');
}

/**
 * What `build` makes of a configuration, frozen. It reads each key with a function of this file, with its default, so
 * that all programs refuse the same values in the same words; a key that it does not make is unknown.
 *
 * @throws Error that names the key, what it must be, and what it is
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

/** The members of an object; undefined of anything else, a list included. */
export function settingsOf(given: unknown): Settings | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  return new Map<string, unknown>(Object.entries(given));
}

/** A text that is not empty. @throws Error of `wrongSetting` */
export function textOf(settings: Settings, key: string, fallback?: string): string {
  const value = settings.get(key) ?? fallback;
  if (typeof value !== 'string' || value === '') throw wrongSetting(key, 'a text', value);
  return value;
}

/** A list of texts; none where there is no such key. @throws Error of `wrongSetting` */
export function textsOf(settings: Settings, key: string): readonly string[] {
  const value = settings.get(key) ?? [];
  if (!Array.isArray(value)) throw wrongSetting(key, 'a list of texts', value);
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw wrongSetting(key, 'a list of texts', value);
    return item;
  });
}

/** A whole number within bounds, both included. @throws Error of `wrongSetting` */
export function numberOf(
  settings: Settings,
  key: string,
  { fallback, min = 0, max }: { readonly fallback: number; readonly min?: number; readonly max: number },
): number {
  const value = settings.get(key) ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw wrongSetting(key, `a whole number from ${min} to ${max}`, value);
}

/** True or false; false where there is no such key. @throws Error of `wrongSetting` */
export function flagOf(settings: Settings, key: string): boolean {
  const value = settings.get(key) ?? false;
  if (typeof value === 'boolean') return value;
  throw wrongSetting(key, 'true or false', value);
}

/** How much a program logs. @throws Error of `wrongSetting` */
export function logLevelOf(settings: Settings, key: string): (typeof logLevels)[number] {
  const value = settings.get(key) ?? 'info';
  const level = logLevels.find((candidate) => candidate === value);
  if (level === undefined) throw wrongSetting(key, `one of ${logLevels.join(', ')}`, value);
  return level;
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const;

/** The error that says what a key must be, and what it is. */
export function wrongSetting(key: string, expected: string, actual: unknown): Error {
  return new Error(`The configuration's ${key} must be ${expected}, not ${JSON.stringify(actual) ?? 'absent'}.`);
}

/** The failpoints that a test has armed for this process, if any (assurance, section 4). */
export function armedFailpoints(): string | undefined {
  return process.env['PARLEY_FAILPOINT'];
}

/**
 * The allocator of the chain's engine gives freed pages back to the system after 10 ms, which then clears them for it
 * again. It reads this when the engine is loaded; what whoever starts the process has chosen stays.
 */
export function keepFreedPages(): void {
  process.env['MIMALLOC_PURGE_DELAY'] ??= '500';
}
