import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../src/cli/errors/failure.js';
import { eventFilters, requireEventType } from '../../../../src/cli/events/filters.js';

describe('an expression for types of events', () => {
  it.each(['message_confirmed', '^message_', 'rejected$', '.', '(?i)MESSAGE', undefined])(
    'that matches one is taken: %s',
    (expression) => {
      expect(() => {
        requireEventType(expression, '--type');
      }).not.toThrow();
    },
  );

  it('that matches none is refused with the nearest type', () => {
    expect(() => {
      requireEventType('^message_confrmed$', '--type');
    }).toThrow('did you mean "message_confirmed"?');
  });
});

it.each(['type', 'tag', 'topic', 'author', 'group'])(
  'of several flags, --%s that is no expression is a wrong usage',
  (flag) => {
    const filters = { type: 'message', tag: '(?i)order', topic: '', author: undefined, group: undefined };
    expect(eventFilters(filters)).toEqual({ events: 'message', 'message.tag': '(?i)order' });
    const refusal = refusalOf(() => eventFilters({ ...filters, [flag]: '[' }));
    expect(failureOf(refusal, 'stack')).toMatchObject({ code: 'USAGE', exitCode: 2 });
  },
);

function refusalOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
