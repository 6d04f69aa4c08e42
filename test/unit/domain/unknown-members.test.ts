import { describe, expect, test } from 'vitest';
import { withoutUnknown } from '../../../src/domain/unknown-members.js';
import { textOf } from '../../../src/wire/json/json.js';

describe('a request for a subscription, without unknown members', () => {
  test('keeps every filter in all spellings, and lists the others by path', () => {
    const filter = { events: 'a', 'message.tag': 'b', message: { topics: 'c', colour: 'd' }, frog: { tag: 'e' } };
    expect(withoutUnknown({ name: 'n', filter: textOf(filter) })).toEqual({
      request: { name: 'n', filter: textOf({ events: 'a', 'message.tag': 'b', message: { topics: 'c' } }) },
      ignored: ['filter.frog', 'filter.message.colour'],
    });
  });

  test('keeps the options of its transport, and malformed ones for the later check', () => {
    const options = { readAhead: 1, url: 'x', retry: { count: 1, times: 2 }, headers: { any: 'header' }, input: 'x' };
    const text = textOf(options);
    expect(withoutUnknown({ name: 'n', options: text })).toEqual({
      request: { name: 'n', options: textOf({ readAhead: 1 }) },
      ignored: ['options.url', 'options.retry', 'options.headers', 'options.input'],
    });
    expect(withoutUnknown({ name: 'n', transport: 'webhooks', options: text })).toEqual({
      request: { name: 'n', transport: 'webhooks', options: textOf({ ...options, retry: { count: 1 } }) },
      ignored: ['options.retry.times'],
    });
    for (const form of ['x', [], null, 5]) {
      expect(withoutUnknown({ name: 'n', filter: textOf(form) }).request).toEqual({ name: 'n', filter: textOf(form) });
    }
  });
});
