import { describe, expect, it } from 'vitest';
import { type MessageFilterFlags, messageParameters } from '../../../../../src/cli/messages/listing/filters.js';

const flags: MessageFilterFlags = {
  pending: false,
  confirmed: false,
  tag: undefined,
  topic: undefined,
  type: undefined,
  author: undefined,
  group: undefined,
  since: undefined,
  'with-data': false,
};

describe('the type of messages to list', () => {
  it.each(['broadcast', 'transfer_private', '!definition', '^transfer'])('may be %s', (type) => {
    expect(messageParameters({ ...flags, type }, 0)).toEqual([['type', type]]);
  });

  it('must exist, since an empty list would look like an answer', () => {
    expect(() => messageParameters({ ...flags, type: 'broadcst' }, 0)).toThrow(/did you mean "broadcast"/);
  });
});
