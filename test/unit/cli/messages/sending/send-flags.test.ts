import { describe, expect, it } from 'vitest';
import { CliError } from '../../../../../src/cli/errors/exit.js';
import {
  checkSendFlags,
  itemWords,
  recipientNames,
  type SendFlags,
} from '../../../../../src/cli/messages/sending/send-flags.js';
import { sendWords } from './send-words.js';

const words = (given: Partial<SendFlags> = {}) => sendWords({ items: [{ kind: 'value', text: '1' }], ...given });

function codeOf(given: Partial<SendFlags>): string | undefined {
  try {
    checkSendFlags(words(given), 'stack');
    return undefined;
  } catch (error) {
    return error instanceof CliError ? error.code : 'another error';
  }
}

const bob = { to: ['bob'], group: undefined, unpinned: false };

describe('the items of a message', () => {
  it('are in the order in which they were typed, whatever their flags', () => {
    const tokens = [
      { type: 'flag', flag: 'file', input: 'a.bin' },
      { type: 'arg', input: '{"a":1}' },
      { type: 'flag', flag: 'tag', input: 't' },
      { type: 'flag', flag: 'text', input: '@x' },
      { type: 'flag', flag: 'data-id', input: '52d9' },
      { type: 'flag', flag: 'data', input: '2' },
    ] as const;
    expect(itemWords(tokens)).toEqual([
      { kind: 'file', text: 'a.bin' },
      { kind: 'value', text: '{"a":1}' },
      { kind: 'text', text: '@x' },
      { kind: 'data', text: '52d9' },
      { kind: 'value', text: '2' },
    ]);
  });
});

describe('recipients', () => {
  it('are separated by commas or repeated, and each counts once', () => {
    expect(recipientNames({ ...bob, to: ['bob,carol', ' dave ', 'bob,'] })).toEqual(['bob', 'carol', 'dave']);
  });

  it.each([
    ['nobody', { to: [], group: undefined, unpinned: false }],
    ['names that are empty', { to: [','], group: undefined, unpinned: false }],
    ['names and a group', { to: ['bob'], group: '4be1', unpinned: false }],
  ])('are refused when they are %s', (_, recipients) => {
    expect(codeOf({ recipients })).toBe('USAGE');
  });
});

describe('the flags of a send', () => {
  it.each<[string, Partial<SendFlags>]>([
    ['no payload', { items: [] }],
    ['a tag alone on a broadcast', { items: [], tag: 't' }],
    ['lines and a payload', { lines: true }],
    ['lines and a count', { items: [], lines: true, count: 2 }],
    ['a rate for one message', { rate: '1/s' }],
    [
      'stdin twice',
      {
        items: [
          { kind: 'value', text: '-' },
          { kind: 'file', text: '-' },
        ],
      },
    ],
    ['stdin for lines and for a file', { items: [{ kind: 'file', text: '-' }], lines: true }],
    ['one idempotency key for many messages', { count: 2, idempotent: 'k' }],
    ['a key with a placeholder that is not expanded', { items: [], lines: true, idempotent: 'k-{{n}}' }],
    ['a datatype for nothing', { items: [{ kind: 'file', text: 'a' }], datatype: 'a@1' }],
  ])('are refused with %s', (_, given) => {
    expect(codeOf(given)).toBe('USAGE');
  });

  it.each<[string, Partial<SendFlags>]>([
    ['one value', {}],
    ['a file alone', { items: [{ kind: 'file', text: 'a.bin' }] }],
    ['a tag alone to a member', { items: [], tag: 'ping', recipients: bob }],
    [
      'a text that is a dash',
      {
        items: [
          { kind: 'text', text: '-' },
          { kind: 'value', text: '-' },
        ],
      },
    ],
    ['a file with every line', { items: [{ kind: 'file', text: 'a' }], lines: true }],
    ['a key for each message', { count: 2, idempotent: 'k-{{n}}' }],
  ])('are taken with %s', (_, given) => {
    expect(codeOf(given)).toBeUndefined();
  });
});
