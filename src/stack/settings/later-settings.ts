import type { Later } from '../definition/yaml-text.js';

/** Keys that this version does not support yet: path pattern → message. */
const laterSettings: readonly (readonly [path: RegExp, sentence: string])[] = [
  [/^\/parties\/\d+\/external$/, 'Who runs a node is said at the start: stack start --external NAME. Remove the key.'],
];

/** The message about a key that is not supported yet. */
export const later: Later = (path) => laterSettings.find(([pattern]) => pattern.test(path))?.[1];
