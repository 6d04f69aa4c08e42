import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOfAbi } from '../../../src/domain/contract-ffi.js';
import { valueOf } from '../../../src/wire/json.js';
import { compact } from '../../../src/wire/json-reader.js';
import { apiAction, callAction, deployAction, listenerAction } from '../../../ui/src/pages/contracts/forms/requests.js';
import {
  entryOf,
  exampleOf,
  type Parameter,
  parametersOf,
  readEntries,
  readEntry,
  signatureWords,
} from '../../../ui/src/pages/contracts/parameters.js';

const address = `0x${'ab'.repeat(20)}`;

function aParameter(type: string, name = 'a'): Parameter {
  return { name, type, members: [] };
}

function method() {
  const components = [
    { name: 'text', type: 'string' },
    { name: 'weights', type: 'uint8[2]' },
  ];
  const inputs = [
    { name: 'seller', type: 'address' },
    { name: 'terms', type: 'tuple[]', components },
    { name: '', type: 'bool' },
  ];
  const [found] = partsOfAbi([
    { type: 'function', name: 'open', inputs, outputs: [], stateMutability: 'view' },
  ]).methods;
  if (found === undefined) throw new Error('There is no method.');
  return found;
}

describe('the form of a method', () => {
  it('has a field for each parameter of its interface, tuples with what is in them', () => {
    const parameters = parametersOf(method().params);
    expect(parameters.map(entryOf)).toEqual(['address', 'json', 'boolean']);
    expect(parameters.map(({ name }) => name)).toEqual(['seller', 'terms', 'input2']);
    expect(signatureWords('open', parameters)).toBe(
      'open(address seller, (string text, uint8[2] weights)[] terms, bool input2)',
    );
    expect(exampleOf(parameters[1] ?? aParameter(''))).toBe('[{"text": "…", "weights": ["0"]}]');
  });

  it('sends numbers as the digits that were entered, whatever their size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (number) => {
        expect(readEntry(aParameter('uint256'), String(number))).toEqual({ json: `"${number}"` });
      }),
    );
    expect(readEntry(aParameter('int8'), '-5')).toEqual({ json: '"-5"' });
    expect(readEntry(aParameter('uint256'), '0xff')).toEqual({ json: '"0xff"' });
  });

  it.each([
    ['uint256', '1.5'],
    ['uint256', ''],
    ['address', '0x12'],
    ['bool', 'yes'],
    ['bytes32', '0x123'],
    ['uint8[2]', '[1,'],
    ['tuple', '{a:1}'],
  ])('says what is wrong with a %s that is %j', (type, entered) => {
    expect(readEntry(aParameter(type), entered)).toHaveProperty('problem');
  });

  it('takes any text for a string, and it arrives as it was entered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = readEntry(aParameter('string'), text);
        expect('json' in read && valueOf(compact(read.json))).toBe(text);
      }),
    );
  });

  it('has all arguments as an object or a list, and nothing while one is wrong', () => {
    const parameters = [aParameter('uint256', 'n'), aParameter('uint8[]', 'list')];
    expect(readEntries(parameters, { n: '7', list: '[1, 2]' })).toEqual({
      object: '{"n":"7","list":[1,2]}',
      list: '["7",[1,2]]',
    });
    expect(readEntries(parameters, { n: '7' })).toBeUndefined();
  });

  it('is not misled by a schema that is none', () => {
    const params = [{ name: 'x', schema: compact('{"details":{"type":"<b>"},"properties":null}') }];
    expect(parametersOf(params)).toEqual([{ name: 'x', type: '<b>', members: [] }]);
    expect(parametersOf([{ name: '__proto__', schema: compact('[]') }])[0]).toMatchObject({ type: '' });
  });
});

describe('a request to a contract', () => {
  const call = { method: 'find', address: '', input: '{"n":"1"}', value: '', key: '', idempotencyKey: '' };

  it('goes to its API, or to any address by its interface', () => {
    const target = { kind: 'api', name: 'escrow', address } as const;
    expect(callAction({ ...call, kind: 'query', target })).toMatchObject({
      ...{ path: 'apis/escrow/query/find', body: '{"input":{"n":"1"}}' },
      sdk: { method: 'queryContractAPI', arguments: ['"escrow"', '"find"', '{"input":{"n":"1"}}'] },
    });
    const open = { kind: 'interface', id: 'i' } as const;
    expect(callAction({ ...call, kind: 'invoke', target: open, address, value: '5' })).toMatchObject({
      path: 'contracts/invoke',
      body:
        `{"interface":"i","methodPath":"find","location":{"address":"${address}"},` +
        `"input":{"n":"1"},"options":{"value":"5"}}`,
    });
  });

  it('deploys with the command where the command can do the same', () => {
    const deployment = { abi: [], bytecode: '0x60', key: '', idempotencyKey: '', file: 'E.json', name: 'E' };
    const { body, cli } = deployAction({ ...deployment, input: '["12345678901234567890",[1, 2]]' });
    expect(body).toBe('{"definition":[],"contract":"0x60","input":["12345678901234567890",[1, 2]]}');
    expect(cli).toEqual(['chain', 'deploy', 'E.json', '--contract', 'E', '12345678901234567890', '[1, 2]']);
    expect(deployAction({ ...deployment, input: '["-1"]' }).cli).toBeUndefined();
  });

  it('names an API and listens to it', () => {
    const api = { name: 'escrow', interfaceId: 'i', address: '', publish: 'no' };
    expect(apiAction(api)).toMatchObject({ path: 'apis', body: '{"name":"escrow","interface":{"id":"i"}}' });
    expect(apiAction({ ...api, publish: 'yes' }).query).toEqual({ publish: 'true', confirm: 'true' });
    const listener = { api: 'a/b', event: 'Opened', name: '', topic: 't', firstEvent: 'oldest', address: '' };
    expect(listenerAction(listener)).toMatchObject({
      path: 'apis/a%2Fb/listeners/Opened',
      body: '{"topic":"t","options":{"firstEvent":"oldest"}}',
    });
  });
});
