import { textOf } from '../../../../../src/wire/json/json.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import { namePattern, nameRule } from '../../../../../src/wire/scalar.js';
import type { Action } from '../../../actions/action.js';
import { option } from '../../../actions/action-texts.js';
import { given, objectText } from '../../../actions/body-text.js';
import { jsonProblem } from '../../../actions/json-text.js';
import type { Problems } from '../../../actions/problems.js';

/** The input for a new pool. Empty fields are not sent. */
export interface PoolFields {
  readonly name: string;
  readonly type: string;
  readonly symbol: string;
  readonly connector: string;
  /** The address of an existing contract. */
  readonly address: string;
  /** The interface of that contract. */
  readonly interfaceId: string;
  /** JSON: the methods of the contract that mint, transfer and burn. */
  readonly methods: string;
  readonly publish: string;
  readonly networkName: string;
  readonly key: string;
  readonly idempotencyKey: string;
}

/** The problems of the input, by field. */
export function judgePool(fields: PoolFields, connectors: number): Problems<keyof PoolFields> {
  const { name, connector, address, methods, networkName } = fields;
  const methodsProblem = methods === '' ? undefined : objectProblem(methods);
  return {
    ...(!namePattern.test(name) && { name: `A name has ${nameRule}.` }),
    ...(connectors > 1 && connector === '' && { connector: 'Select a connector.' }),
    ...(address !== '' && !/^0x[0-9a-f]{40}$/i.test(address) && { address: 'Enter 0x and 40 hex digits.' }),
    ...(methodsProblem !== undefined && { methods: methodsProblem }),
    ...(networkName !== '' && !namePattern.test(networkName) && { networkName: `A name has ${nameRule}.` }),
  };
}

function objectProblem(text: string): string | undefined {
  return jsonProblem(text) ?? (text.trim().startsWith('{') ? undefined : 'Enter a JSON object.');
}

export function poolAction(fields: PoolFields): Action {
  const { name, type, symbol, connector, address, interfaceId, methods, publish, networkName, key } = fields;
  const isPublished = publish !== 'no';
  const config = objectText([
    ['address', given(address)],
    ['methods', methods === '' ? undefined : compact(methods)],
  ]);
  const body = objectText([
    ['name', textOf(name)],
    ['type', textOf(type)],
    ['connector', given(connector)],
    ['symbol', given(symbol)],
    ['config', config === '{}' ? undefined : config],
    ['interface', interfaceId === '' ? undefined : textOf({ id: interfaceId })],
    ['networkName', isPublished ? given(networkName) : undefined],
    ['key', given(key)],
    ['idempotencyKey', given(fields.idempotencyKey)],
  ]);
  const hasCommand = interfaceId === '' && methods === '' && (networkName === '' || !isPublished);
  return {
    method: 'POST',
    path: 'tokens/pools',
    body,
    ...(isPublished ? {} : { query: { publish: 'false' } }),
    ...(hasCommand && { cli: poolArguments(fields) }),
    sdk: { method: 'createTokenPool', arguments: isPublished ? [body] : [body, textOf({ publish: false })] },
  };
}

function poolArguments({ name, type, symbol, connector, address, publish, key, idempotencyKey }: PoolFields) {
  const flag = (flagName: string, text: string) => (text === '' ? [] : option(flagName, text));
  return [
    'pool',
    'create',
    name,
    '--type',
    type,
    ...flag('--connector', connector),
    ...flag('--symbol', symbol),
    ...flag('--config', address === '' ? '' : `address=${address}`),
    ...flag('--key', key),
    ...(publish === 'no' ? ['--no-publish'] : []),
    ...flag('--idempotent', idempotencyKey),
  ];
}
