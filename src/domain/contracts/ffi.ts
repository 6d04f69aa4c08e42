import type { ContractInterface, FfiEvent, FfiMethod, FfiParameter } from '../../wire/contracts/contract.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import { type AbiEntry, type AbiParameter, identifierPattern, signatureOf } from './abi.js';
import { checkEntrySizes } from './size.js';
import { abiParameter, ffiParameter } from './schema.js';
import { isObject, memberOf } from '../schema/json.js';

/** The parts of an interface. */
export interface InterfaceParts {
  readonly methods: readonly FfiMethod[];
  readonly events: readonly FfiEvent[];
  readonly errors: readonly FfiEvent[];
}

/**
 * Converts a method of an interface to its ABI function. Unnamed inputs are called `input`, `input1`, … and outputs
 * `output`, `output1`, … by position (docs/api.md §20). `field` is its path in the request.
 *
 * @throws ServiceError definition_nameless, bad_parameter_schema
 */
export function methodEntry(
  method: Pick<FfiMethod, 'name' | 'params' | 'returns' | 'details'>,
  field: string,
): AbiEntry {
  const stateMutability = detailOf(method, 'stateMutability');
  return {
    type: 'function',
    name: nameOf(method, 'method', field),
    inputs: named(parametersOf(method.params, `${field}.params`), 'input'),
    outputs: named(parametersOf(method.returns, `${field}.returns`), 'output'),
    ...(typeof stateMutability === 'string' && { stateMutability }),
  };
}

/** A method as a compiler writes it: unnamed parameters stay unnamed. */
export function plainMethod(method: Pick<FfiMethod, 'name' | 'params' | 'returns' | 'details'>): AbiEntry {
  const { inputs, outputs, ...entry } = methodEntry(method, 'methods');
  const unnamed = (entries: readonly AbiParameter[], given: readonly FfiParameter[]) =>
    entries.map((each, index) => ({ ...each, name: given[index]?.name ?? each.name }));
  return { ...entry, inputs: unnamed(inputs, method.params), outputs: unnamed(outputs ?? [], method.returns) };
}

/**
 * Converts an event of an interface to its ABI entry. @throws ServiceError definition_nameless, bad_parameter_schema
 */
export function eventEntry(event: Pick<FfiEvent, 'name' | 'params' | 'details'>, field: string): AbiEntry {
  return {
    type: 'event',
    name: nameOf(event, 'event', field),
    inputs: named(parametersOf(event.params, `${field}.params`), 'output'),
    ...(detailOf(event, 'anonymous') === true && { anonymous: true }),
  };
}

/**
 * Converts an error of an interface to its ABI entry. @throws ServiceError definition_nameless, bad_parameter_schema
 */
export function errorEntry(error: Pick<FfiEvent, 'name' | 'params'>, field: string): AbiEntry {
  const inputs = parametersOf(error.params, `${field}.params`);
  return { type: 'error', name: nameOf(error, 'error', field), inputs };
}

/**
 * Converts an ABI to the methods, events and errors of an interface, in the ABI's order.
 *
 * @throws ServiceError bad_parameter_schema for types that no chain can carry
 */
export function partsOfAbi(abi: readonly AbiEntry[]): InterfaceParts {
  abi.forEach((entry, index) => checkEntrySizes(entry, `input.abi[${index}]`));
  const ofType = (type: AbiEntry['type']) => abi.filter((entry) => entry.type === type);
  const methods = ofType('function').map(({ name, inputs, outputs = [], stateMutability }) => ({
    name,
    description: '',
    params: named(inputs, 'input').map(ffiParameter),
    returns: outputs.map(ffiParameter),
    ...(stateMutability !== undefined && { details: textOf({ stateMutability }) }),
  }));
  const events = ofType('event').map(({ name, inputs, anonymous }) => ({
    name,
    description: '',
    params: inputs.map(ffiParameter),
    ...(anonymous === true && { details: textOf({ anonymous }) }),
  }));
  const errors = ofType('error').map(({ name, inputs }) => ({
    name,
    description: '',
    params: inputs.map(ffiParameter),
  }));
  return completeParts({ methods, events, errors });
}

/**
 * Completes parts with derived fields: a `pathname`, which is the name, with `_1` and so on for overloads; events and
 * errors get their on-chain signature. Values that a caller gives for either are ignored, so all nodes derive the same.
 *
 * @throws ServiceError definition_nameless, bad_parameter_schema
 */
export function completeParts({ methods, events, errors }: InterfaceParts): InterfaceParts {
  const own = ({ name, description = '', params }: FfiMethod | FfiEvent) => ({ name, description, params });
  const pathOf = { methods: createPathnames(), events: createPathnames(), errors: createPathnames() };
  return {
    methods: methods.map((method, index) => {
      methodEntry(method, `methods[${index}]`);
      const { name, description, params } = own(method);
      const { returns, details } = method;
      const pathname = pathOf.methods(name);
      return { name, pathname, description, params, returns, ...(details !== undefined && { details }) };
    }),
    events: events.map((event, index) => {
      const signature = signatureOf(eventEntry(event, `events[${index}]`));
      const { name, ...rest } = own(event);
      const { details } = event;
      return { name, pathname: pathOf.events(name), signature, ...rest, ...(details !== undefined && { details }) };
    }),
    errors: errors.map((error, index) => {
      const signature = signatureOf(errorEntry(error, `errors[${index}]`));
      const { name, ...rest } = own(error);
      return { name, pathname: pathOf.errors(name), signature, ...rest };
    }),
  };
}

/** The parts of an interface as it is given or served; absent ones are empty. */
export function partsOfInterface({
  methods = [],
  events = [],
  errors = [],
}: Partial<ContractInterface>): InterfaceParts {
  return { methods, events, errors };
}

/**
 * Makes names unique: the second `set` becomes `set_1`. The search for a free number continues where it ended for the
 * same name, so the total time is linear in the number of names.
 */
function createPathnames(): (name: string) => string {
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return (name) => {
    let number = lastNumbers.get(name) ?? 0;
    let pathname = number === 0 ? name : `${name}_${number}`;
    while (taken.has(pathname)) {
      number += 1;
      pathname = `${name}_${number}`;
    }
    lastNumbers.set(name, number);
    taken.add(pathname);
    return pathname;
  };
}

function parametersOf(parameters: readonly FfiParameter[], field: string): readonly AbiParameter[] {
  return parameters.map((parameter, index) => {
    const called = parameter.name === '' ? String(index) : parameter.name;
    return abiParameter(parameter, `${field}[${called}]`);
  });
}

/** Names the unnamed parameters, since arguments and results are addressed by name. */
function named(parameters: readonly AbiParameter[], word: 'input' | 'output'): readonly AbiParameter[] {
  const taken = new Set(parameters.map(({ name }) => name));
  return parameters.map((parameter, index) => {
    if (parameter.name !== '') return parameter;
    let name = index === 0 ? word : `${word}${index}`;
    while (taken.has(name)) name = `${name}_`;
    taken.add(name);
    return { ...parameter, name };
  });
}

function nameOf({ name }: { readonly name: string }, what: string, field: string): string {
  if (!identifierPattern.test(name)) throw new ServiceError('definition_nameless', { field, what });
  return name;
}

function detailOf({ details }: Pick<FfiMethod, 'details'>, name: string): unknown {
  const value = details === undefined ? undefined : valueOf(details);
  return isObject(value) ? memberOf(value, name) : undefined;
}
