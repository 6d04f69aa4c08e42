import type { Violation } from '../../domain/schema/evaluate.js';
import type { Database } from '../../ports/database.js';
import type { DatatypeRow } from '../../ports/messaging-tables.js';
import type { DatatypeReference } from '../../wire/data.js';
import { ServiceError } from '../../wire/error.js';
import { equal, oldestFirst } from '../../wire/query.js';
import type { JsonText } from '../../wire/scalar.js';
import type { JudgeRequest } from '../judging/requests.js';

/** A value that names a datatype, on its way in. */
export interface ValidatedValue {
  readonly namespace: string;
  readonly value: JsonText;
  readonly datatype: DatatypeReference;
  /** Which item of the request it is. */
  readonly index: number;
}

/**
 * Holds a value against a datatype that is confirmed on this node (S §3.3, §4.2).
 *
 * It throws ServiceError datatype_unknown, value_breaks_schema, judge_busy, judgement_given_up.
 */
export type Validate = (item: ValidatedValue) => Promise<void>;

/** The validation of what users send. */
export function createValidate(parts: { readonly database: Database; readonly judgeRequest: JudgeRequest }): Validate {
  const { database, judgeRequest } = parts;
  return async ({ namespace, value, datatype, index }) => {
    const { name, version } = datatype;
    const where = [equal('name', name), equal('version', version)];
    const [row] = await database.find('datatypes', { namespace, where, sort: oldestFirst, limit: 1 });
    if (row === undefined) throw new ServiceError('datatype_unknown', { index, datatype: `${name}@${version}` });
    const what = `data[${index}] by the datatype ${name}@${version}`;
    const violations = await judgeRequest('value', { schema: row.value, value }, what);
    const refusal = refusalOf(row, violations, index);
    if (refusal !== undefined) throw refusal;
  };
}

/** Why an item does not conform to a confirmed datatype, or undefined when it does. */
export function refusalOf(
  { name, version }: Pick<DatatypeRow, 'name' | 'version'>,
  [first, ...others]: readonly Violation[],
  index: number,
): ServiceError | undefined {
  if (first === undefined) return undefined;
  const hint = others.length === 0 ? '' : `, and ${others.length} more`;
  return new ServiceError('value_breaks_schema', { index, datatype: `${name}@${version}`, ...first, hint });
}
