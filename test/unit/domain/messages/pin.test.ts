import { expect, test } from 'vitest';
import { contextsOf, groupContext, maskedPin, pinsOf, topicPin } from '../../../../src/domain/messages/pin.js';

test('a broadcast pin is the hash of its topic', () => {
  expect(topicPin('default')).toBe('37a8eec1ce19687d132fe29051dca629d164e2c4958ba141d5f4133a33f0688f');
  expect(topicPin('orders')).toBe('1c168adb00d208e42f93314529f1fa9c0427eb63233ceda95a5db52b7012a719');
});

test('the contexts of a batch follow its messages, and each message its topics', () => {
  const author = 'did:parley:org/alice';
  const messages = [{ header: { topics: ['b', 'a'], author } }, { header: { topics: ['a'], author } }];
  expect(contextsOf(messages)).toEqual(['b', 'a', 'a'].map(topicPin));
});

const group = '26b3fc284df96edf2ecb3f59cfb346a3f0db5de879e18d896323e96e61eb346f';

test('the context of a topic in a group covers both', () => {
  expect(groupContext('orders', group)).toBe('1ada7e52acb2639380546478317c880cb4cc5a9ef75329e02788242b90ef1038');
});

test.each([
  ['did:parley:org/alice', 0, 'bff816b8853742fa432072b8dd749f1f270605ab7405f1389f80b66d787ca4a4'],
  ['did:parley:org/alice', 1, '87578452cae0ed64badbcbfe71f47b86c753dd3a99d464959f6a5a8c5f7fffde'],
  ['did:parley:org/bob', 0, '83e721778ebaed27132fb0474beefdf67e2b2cad21d2fc2f758c7460cb4d9639'],
])('a masked pin depends on author and nonce: %s %i', (author, nonce, pin) => {
  expect(maskedPin('orders', group, author, nonce)).toBe(pin);
});

test("a masked pin agrees with FireFly's published one", () => {
  const published = '2aa5297b5eed0c3a612a667c727ca38b54fb3b5cc245ebac4c2c7abe490bdf6c';
  const author = '0x1d14b65d2dd5c13f6cb6d3dc4aa13c795a8f3b28';
  expect(maskedPin('widget_id_12345', published, author, 0)).toBe(
    'ee56de6241522ab0ad8266faebf2c0f1dc11be7bd0c41d847998135b45685b77',
  );
});

test('a private message has one masked pin for each topic, and none without nonces', () => {
  const header = { topics: ['orders', 'bills'], group, author: 'did:parley:org/alice' };
  const masked = [maskedPin('orders', group, header.author, 1), maskedPin('bills', group, header.author, 0)];
  expect(pinsOf({ header, nonces: [1, 0] })).toEqual(masked);
  expect(pinsOf({ header, nonces: [1] })).toEqual(masked.slice(0, 1));
  expect(pinsOf({ header })).toEqual([]);
});
