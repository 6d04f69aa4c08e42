import { describe, expect, it } from 'vitest';
import { requireEventType } from '../../../../src/cli/events/filters.js';

describe('an expression for types of events', () => {
  it.each(['message_confirmed', '^message_', 'rejected$', '.', '(?i)MESSAGE', undefined])(
    'that matches one is taken: %s',
    (expression) => {
      expect(() => {
        requireEventType(expression, '--type');
      }).not.toThrow();
    },
  );

  it('that matches none is refused with the nearest', () => {
    expect(() => {
      requireEventType('^message_confrmed$', '--type');
    }).toThrow('did you mean "message_confirmed"?');
  });
});
