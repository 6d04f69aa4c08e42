import { describe, expect, it } from 'vitest';
import { isMessagesHeader, isOwnersHeader } from '../../../../src/domain/events/webhook-header.js';

describe('a header of a webhook', () => {
  it.each(['Host', 'connection', 'Transfer-Encoding', 'content-length', 'TE', 'Upgrade', 'expect', 'x-parley-event'])(
    '%s is set by the node alone',
    (name) => {
      expect(isOwnersHeader(name, 'a')).toBe(false);
      expect(isMessagesHeader(name, 'a')).toBe(false);
    },
  );

  it.each(['Authorization', 'cookie', 'X-API-Key', 'X-Forwarded-Host', 'Forwarded', 'Origin', 'Sec-Fetch-Site'])(
    '%s may be set by the owner and by no message',
    (name) => {
      expect(isOwnersHeader(name, 'a')).toBe(true);
      expect(isMessagesHeader(name, 'a')).toBe(false);
    },
  );

  it('of any other name may be set by a message', () => {
    expect(isMessagesHeader('X-Order', '17; é\t')).toBe(true);
    expect(isMessagesHeader('Content-Type', 'text/plain')).toBe(true);
  });

  it.each([
    ['X-Order', 'a\r\nHost: b'],
    ['X-Order', 'a\nb'],
    ['X-Order', 'a\0'],
    ['X-Order', '\u0130'],
    ['X-Order', 'x'.repeat(8_193)],
    ['X Order', 'a'],
    ['X-Order:', 'a'],
    ['X-Order\r\nHost', 'a'],
    ['', 'a'],
    ['x'.repeat(129), 'a'],
  ])('that would make another one, or none, is nobody’s: %j', (name, value) => {
    expect(isOwnersHeader(name, value)).toBe(false);
    expect(isMessagesHeader(name, value)).toBe(false);
  });
});
