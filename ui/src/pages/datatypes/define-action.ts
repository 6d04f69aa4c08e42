import { write } from '../../../../src/wire/json/json.js';
import { DatatypeRequest } from '../../../../src/wire/data/datatype.js';
import { namePattern, nameRule } from '../../../../src/wire/scalar.js';
import type { Action } from '../../actions/action.js';
import { option } from '../../actions/action-texts.js';
import { jsonOf, jsonProblem } from '../../actions/json-text.js';
import type { Problems } from '../../actions/problems.js';

export interface DefineValues {
  readonly name: string;
  readonly version: string;
  readonly schema: string;
}

/** Validates the fields of a definition. The node validates them again, and the schema too. */
export function judgeDefinition({ name, version, schema }: DefineValues): Problems<keyof DefineValues> {
  const problem = jsonProblem(schema);
  return {
    ...(!namePattern.test(name) && { name: `A name has ${nameRule}.` }),
    ...(!namePattern.test(version) && { version: `A version has ${nameRule}, such as 1.0.` }),
    ...(problem !== undefined && { schema: problem }),
  };
}

/** The request that defines a datatype; undefined while the fields are incomplete or invalid. */
export function defineAction(values: DefineValues): Action | undefined {
  const { name, version, schema } = values;
  const value = jsonOf(schema);
  if (value === undefined || Object.keys(judgeDefinition(values)).length > 0) return undefined;
  return {
    method: 'POST',
    path: 'datatypes',
    body: write(DatatypeRequest, { name, version, value }),
    cli: ['datatype', 'define', '-', ...option('--name', name), ...option('--version', version)],
    input: schema,
    sdk: { method: 'createDatatype' },
  };
}
