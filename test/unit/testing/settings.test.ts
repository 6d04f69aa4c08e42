import { expect, test } from 'vitest';
import { valueIn } from '../../../src/stack/definition/render.js';
import { settingsOf } from '../../../src/testing/settings.js';

test.each([
  [['default', 'trade']],
  [[{ name: 'alice', org: 'größe: a, b' }]],
  [{ enabled: true, depth: null }],
  ['debug'],
  [5],
  [false],
])('the setting %j has this value in stack.yaml', (value) => {
  const [setting] = settingsOf({ 'a.b': value });
  expect(setting?.path).toEqual(['a', 'b']);
  expect(valueIn(setting?.value ?? '')).toEqual(value);
});
