import type { Later } from './yaml-text.js';

/** Keys that this version does not support yet: path pattern → message. */
const laterSettings: readonly (readonly [path: RegExp, sentence: string])[] = [
  [/^\/profile$/, 'Profiles are not available yet: remove the key.'],
  [/^\/database\/url$/, 'PostgreSQL is not available yet: remove the key.'],
  [
    /^\/parties\/\d+\/(external|database|key)$/,
    'External parties, databases and keys of a party are not available yet: remove the key.',
  ],
];

/** Values that this version does not support yet: path → values and message. */
const laterValues: Readonly<Record<string, readonly [values: readonly unknown[], sentence: string]>> = {
  '/database/provider': [['postgres'], 'PostgreSQL is not available yet: database.provider must be sqlite3.'],
};

/** The message about a key or value that is not supported yet. */
export const later: Later = (path, value) => {
  const ofKey = laterSettings.find(([pattern]) => pattern.test(path))?.[1];
  if (ofKey !== undefined) return ofKey;
  const [values, sentence] = laterValues[path] ?? [[], ''];
  return values.includes(value) ? sentence : undefined;
};
