import { expect, test } from 'vitest';
import { contextsOf, topicPin } from '../../../src/domain/pin.js';

test('a broadcast pin is the hash of its topic', () => {
  expect(topicPin('default')).toBe('37a8eec1ce19687d132fe29051dca629d164e2c4958ba141d5f4133a33f0688f');
  expect(topicPin('orders')).toBe('1c168adb00d208e42f93314529f1fa9c0427eb63233ceda95a5db52b7012a719');
});

test('the contexts of a batch follow its messages, and each message its topics', () => {
  const messages = [{ header: { topics: ['b', 'a'] } }, { header: { topics: ['a'] } }];
  expect(contextsOf(messages)).toEqual(['b', 'a', 'a'].map(topicPin));
});
