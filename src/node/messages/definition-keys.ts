import { storedKey } from '../../domain/definition.js';
import type { Condition, FieldCondition } from '../../wire/lists/query.js';

/**
 * The condition as it holds for definitions, whose idempotency keys are stored behind their topic. Where all have the
 * same one, most are found by the stored text, which an index serves; the others by the part that was given.
 */
export function withStoredKeys(condition: Condition, topic: string | undefined): Condition {
  switch (condition.is) {
    case 'any':
    case 'all':
      return { is: condition.is, of: condition.of.map((each) => withStoredKeys(each, topic)) };
    case 'not':
      return { is: 'not', of: withStoredKeys(condition.of, topic) };
    default:
      return condition.field === 'idempotencyKey' ? onStoredKey(condition, topic) : condition;
  }
}

function onStoredKey(condition: FieldCondition, topic: string | undefined): Condition {
  const { field, is } = condition;
  if (is === 'null' || is === 'notNull') return condition;
  const isAnywhere = is === 'contains' || is === 'endsWith';
  if (topic === undefined || isAnywhere) return { field, is: 'behindSpace', of: { ...condition, field: 'value' } };
  if (is === 'in') return { ...condition, values: condition.values.map((value) => storedKey(topic, String(value))) };
  return 'value' in condition ? { ...condition, value: storedKey(topic, String(condition.value)) } : condition;
}
