import type { Later } from './yaml-text.js';

/** Keys that this version does not support yet: path pattern → message. */
const laterSettings: readonly (readonly [path: RegExp, sentence: string])[] = [
  [/^\/profile$/, 'Profiles are not available yet: remove the key.'],
  [/^\/parties\/\d+\/(external|key)$/, 'External parties and keys of a party are not available yet: remove the key.'],
];

/** The message about a key that is not supported yet. */
export const later: Later = (path) => laterSettings.find(([pattern]) => pattern.test(path))?.[1];
