import { ServiceError } from '../../wire/errors/error.js';
import { type AbiEntry, type AbiParameter, splitType } from './abi.js';

/** Limit in words of 32 bytes, more than a transaction or a log can hold. */
export const maxAbiWords = 65_536;

/**
 * Refuses parameters whose values no chain can carry, or whose arrays could have any length without any data:
 * fixed-length arrays with too large a product, and arrays of tuples without members. `field` is the path of the
 * parameters in the request.
 *
 * @throws ServiceError bad_parameter_schema
 */
export function checkSizes(parameters: readonly AbiParameter[], field: string): void {
  const words = sum(
    parameters.map((parameter) => {
      const path = `${field}[${parameter.name}]`;
      return headWords(parameter, (problem) => new ServiceError('bad_parameter_schema', { field: path, problem }));
    }),
  );
  if (words <= maxAbiWords) return;
  throw new ServiceError('bad_parameter_schema', { field, problem: `together they take ${tooMany(words)}` });
}

/** Applies `checkSizes` to all parameters of a method, event or error. @throws ServiceError bad_parameter_schema */
export function checkEntrySizes({ inputs, outputs = [] }: AbiEntry, field: string): void {
  checkSizes(inputs, `${field}.params`);
  checkSizes(outputs, `${field}.returns`);
}

/** Number of words that a value occupies in place; a dynamic value occupies one, its offset. */
function headWords(parameter: AbiParameter, refusal: (problem: string) => Error): number {
  const { base, suffix } = splitType(parameter.type);
  const members = (parameter.components ?? []).map((component) => headWords(component, refusal));
  let words = base === 'tuple' ? sum(members) : 1;
  let isDynamic = isDynamicBase(parameter);
  for (const [, length = ''] of suffix.matchAll(/\[(\d*)\]/g)) {
    if (words === 0) throw refusal('it has an array of tuples without members');
    const all = (isDynamic ? 1 : words) * Number(length === '' ? 1 : length);
    if (all > maxAbiWords) throw refusal(`it takes ${tooMany(all)}`);
    isDynamic ||= length === '';
    words = all;
  }
  return isDynamic ? 1 : words;
}

/** Whether the base type is dynamic, regardless of the arrays around it. */
function isDynamicBase({ type, components = [] }: AbiParameter): boolean {
  const { base } = splitType(type);
  if (base === 'bytes' || base === 'string') return true;
  return base === 'tuple' && components.some(isDynamicParameter);
}

function isDynamicParameter(parameter: AbiParameter): boolean {
  return parameter.type.includes('[]') || isDynamicBase(parameter);
}

function tooMany(words: number): string {
  return `${words} words of 32 bytes, of at most ${maxAbiWords} that a transaction could carry`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
