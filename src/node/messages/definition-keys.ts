import { storedKey } from '../../domain/definition.js';
import type { Condition } from '../../wire/lists/query.js';

/**
 * The condition as it holds for definitions of one topic, whose idempotency keys are stored behind it. What a key
 * contains or ends with is looked for in both.
 */
export function withStoredKeys(condition: Condition, topic: string): Condition {
  switch (condition.is) {
    case 'any':
    case 'all':
      return { is: condition.is, of: condition.of.map((each) => withStoredKeys(each, topic)) };
    case 'not':
      return { is: 'not', of: withStoredKeys(condition.of, topic) };
    default:
  }
  if (condition.field !== 'idempotencyKey') return condition;
  if (condition.is === 'in') {
    return { ...condition, values: condition.values.map((value) => storedKey(topic, String(value))) };
  }
  if (!('value' in condition) || condition.is === 'contains' || condition.is === 'endsWith') return condition;
  return { ...condition, value: storedKey(topic, String(condition.value)) };
}
