import { typedBatchOf } from '../../../domain/messages/typed-batch.js';
import type { Database } from '../../../ports/database.js';
import type { DatatypeReference } from '../../../wire/data/data.js';
import { serviceErrorOf } from '../../../wire/errors/error-again.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { JudgeRequest } from '../../judging/requests.js';
import type { Rulebook } from '../../state/rulebook.js';

export interface ValidatedValue {
  readonly value: JsonText;
  readonly datatype: DatatypeReference;
  readonly index: number;
}

/**
 * Validates the values of one message by datatypes that are confirmed on this node (docs/api.md §10.2, §11.2). Returns
 * the number of validation steps.
 *
 * Throws ServiceError datatype_unknown, value_breaks_schema, too_many_steps, judge_busy, judgement_given_up.
 */
export type Validate = (namespace: string, values: readonly ValidatedValue[]) => Promise<number>;

export interface ValidateParts {
  readonly database: Database;
  readonly judgeRequest: JudgeRequest;
  readonly rulebook: Rulebook;
}

export function createValidate({ database, judgeRequest, rulebook }: ValidateParts): Validate {
  return async (namespace, values) => {
    if (values.length === 0) return 0;
    const { validation: rules } = await rulebook.rules(database);
    const schemas = await findSchemas(database, namespace, values);
    const typed = values.map(({ value, datatype, index }) => {
      const name = nameOf(datatype);
      return { value, index, datatype: name, schema: schemas.get(name) };
    });
    const batch = typedBatchOf(typed);
    const [verdict] = await judgeRequest('typed', { batch, rules }, 'the values that name a datatype');
    if (verdict?.refusal !== undefined) throw serviceErrorOf(verdict.refusal);
    return verdict?.steps ?? 0;
  };
}

async function findSchemas(
  database: Database,
  namespace: string,
  values: readonly ValidatedValue[],
): Promise<ReadonlyMap<string, JsonText>> {
  const schemas = new Map<string, JsonText>();
  const wanted = new Map(values.map(({ datatype }) => [nameOf(datatype), datatype]));
  for (const [key, { name, version }] of wanted) {
    const row = await database.first('datatypes', { namespace, name, version });
    if (row !== undefined) schemas.set(key, row.value);
  }
  return schemas;
}

function nameOf({ name, version }: DatatypeReference): string {
  return `${name}@${version}`;
}
