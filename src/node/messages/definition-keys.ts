import { storedKey } from '../../domain/definition.js';
import type { Condition, FieldCondition } from '../../wire/lists/query.js';

/**
 * The condition adapted to definitions, whose idempotency keys are stored after their topic. If all have the same
 * topic, most operators can compare the stored text, which an index serves; the others compare the part that the caller
 * gave.
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
