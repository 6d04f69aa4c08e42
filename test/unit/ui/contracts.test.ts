import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOfAbi } from '../../../src/domain/contracts/ffi.js';
import { valueOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { noMessage } from '../../../ui/src/actions/attached-message.js';
import { exampleOf, readEntries, readEntry } from '../../../ui/src/pages/contracts/entries.js';
import { contentsOf, interfaceBody, sourceOf } from '../../../ui/src/pages/contracts/forms/interface-source.js';
import {
  apiAction,
  callAction,
  changeApiAction,
  deployAction,
  listenerAction,
} from '../../../ui/src/pages/contracts/forms/requests.js';
import {
  entryOf,
  type Parameter,
  parametersOf,
  parametersOfArtifact,
  signatureText,
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
  it('has a field for each parameter, and shows the members of tuples', () => {
    const parameters = parametersOf(method().params);
    expect(parameters.map(entryOf)).toEqual(['address', 'json', 'boolean']);
    expect(parameters.map(({ name }) => name)).toEqual(['seller', 'terms', 'input2']);
    expect(signatureText('open', parameters)).toBe(
      'open(address seller, (string text, uint8[2] weights)[] terms, bool input2)',
    );
    expect(exampleOf(parameters[1] ?? aParameter(''))).toBe('[{"text": "…", "weights": ["0"]}]');
  });

  it('sends numbers of any size as the digits that were entered', () => {
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
  ])('reports a problem for a %s that is %j', (type, entered) => {
    expect(readEntry(aParameter(type), entered)).toHaveProperty('problem');
  });

  it('sends any text of a string unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = readEntry(aParameter('string'), text);
        expect('json' in read && valueOf(compact(read.json))).toBe(text);
      }),
    );
  });

  it('gives all arguments as an object and as a list, or nothing if one is invalid', () => {
    const parameters = [aParameter('uint256', 'n'), aParameter('uint8[]', 'list')];
    expect(readEntries(parameters, { n: '7', list: '[1, 2]' })).toEqual({
      object: '{"n":"7","list":[1,2]}',
      list: '["7",[1,2]]',
    });
    expect(readEntries(parameters, { n: '7' })).toBeUndefined();
  });

  it('has a field for each member of a tuple, and one field for a list of tuples', () => {
    const leaf = { components: [], name: 'text', type: 'string' };
    const inner = { name: '', type: 'tuple', components: [{ ...leaf, name: 'n', type: 'uint256' }] };
    const components = [leaf, inner];
    const [one, many] = parametersOfArtifact([
      { name: 'term', type: 'tuple', components },
      { name: 'terms', type: 'tuple[]', components },
    ]);
    if (one === undefined || many === undefined) throw new Error('There are no parameters.');
    expect([one, many].map(entryOf)).toEqual(['members', 'json']);
    expect(readEntries([one], { 'term.text': 'a', 'term.1.n': '7' })?.list).toBe('[{"text":"a","1":{"n":"7"}}]');
    expect(readEntries([one], { 'term.text': 'a' })).toBeUndefined();
    expect(exampleOf(many)).toBe('[{"text": "…", "1": {"n": "0"}}]');
  });

  it.each([
    ['[{"text":"a","weights":["1"]}]', 'At [0].weights: enter a list of exactly 2.'],
    ['[{"text":"a","weights":["1",true]}]', 'At [0].weights[1]: Enter a whole number'],
    ['[{"text":1,"weights":[1,2]}]', 'At [0].text:'],
    ['[{"weights":[1,2]}]', 'At [0]: the member "text" is missing.'],
    ['[{"text":"a","weights":[1,2],"x":1}]', 'At [0]: no member named "x"'],
    ['{}', 'enter a list'],
    ['["a"]', 'At [0]: enter an object'],
  ])('reports where a list of tuples is invalid: %s', (entered, problem) => {
    const [, terms = aParameter('')] = parametersOf(method().params);
    const read = readEntry(terms, entered);
    expect('problem' in read && read.problem).toContain(problem);
    expect(readEntry(terms, '[{"text":"a","weights":[1,"2"]}]')).toHaveProperty('json');
  });

  it('accepts parameters with an invalid schema', () => {
    const params = [{ name: 'x', schema: compact('{"details":{"type":"<b>"},"properties":null}') }];
    expect(parametersOf(params)).toEqual([{ name: 'x', type: '<b>', members: [] }]);
    expect(parametersOf([{ name: '__proto__', schema: compact('[]') }])[0]).toMatchObject({ type: '' });
  });
});

describe('the source of an interface', () => {
  it('is an ABI or an interface, and numbers keep their text', () => {
    expect(sourceOf('[]')).toMatchObject({ kind: 'abi', abi: '[]' });
    const source = sourceOf('{"name":"a","methods":[{"n":1.0}],"version":"3"}');
    if (source?.kind !== 'interface') throw new Error('It is no interface.');
    expect(interfaceBody(source.members, 'b', '4')).toBe('{"name":"b","version":"4","methods":[{"n":1.0}]}');
    for (const other of ['{}', '7', '{"methods":', '{"abi":[],"methods":[]}']) expect(sourceOf(other)).toBeUndefined();
  });

  it('is read from a file, with its name and version', () => {
    const read = (text: string) => contentsOf(text).map(({ text: abi, name, version }) => [abi, name, version]);
    const artifact = '{"contractName":"Escrow","abi":[],"bytecode":"0x60"}';
    expect(read(artifact)).toEqual([['[]', 'Escrow', undefined]]);
    const known = '{"name":"a","version":"3","methods":[]}';
    expect(read(known)).toEqual([[known, 'a', '3']]);
    for (const other of ['[]', 'no JSON', '{}']) expect(read(other)).toEqual([[other, undefined, undefined]]);
  });

  it('is read from the contracts of a file, also if none of them has code', () => {
    const output = (code: string) => `{"contracts":{"a.sol":{
      "IEscrow":{"abi":[],"evm":{"bytecode":{"object":""}}},
      "Escrow":{"abi":[{"type":"fallback"}],"evm":{"bytecode":{"object":"${code}"}}}}}}`;
    expect(contentsOf(output('60')).map(({ place }) => place)).toEqual(['a.sol:Escrow']);
    expect(contentsOf(output('')).map(({ place }) => place)).toEqual(['a.sol:IEscrow', 'a.sol:Escrow']);
    expect(contentsOf('{"contractName":"IEscrow","abi":[],"bytecode":"0x"}')).toMatchObject([
      { name: 'IEscrow', text: '[]' },
    ]);
    expect(contentsOf('{"abi":[]}')).toMatchObject([{ name: undefined, text: '[]' }]);
  });
});

describe('a request to a contract', () => {
  const call = {
    ...noMessage,
    method: 'find',
    address: '',
    input: '{"n":"1"}',
    value: '',
    key: '',
    idempotencyKey: '',
  };

  it('is made to an API, or to an address with an interface', () => {
    const target = { kind: 'api', name: 'escrow', address } as const;
    expect(callAction({ ...call, kind: 'query', target })).toMatchObject({
      path: 'apis/escrow/query/find',
      body: '{"input":{"n":"1"}}',
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

  it('has a message if it is an invocation', () => {
    const target = { kind: 'api', name: 'escrow', address } as const;
    const withMessage = { ...call, target, message: '{"n": 1.0}', readers: 'bob', topics: 'a, b' };
    expect(callAction({ ...withMessage, kind: 'invoke' }).body).toBe(
      '{"input":{"n":"1"},"message":{"header":{"type":"private","topics":["a","b"]},' +
        '"group":{"members":[{"identity":"bob"}]},"data":[{"value":{"n":1.0}}]}}',
    );
    expect(callAction({ ...withMessage, kind: 'query' }).body).toBe('{"input":{"n":"1"}}');
  });

  it('has a command for a deployment if the command can do the same', () => {
    const empty = { value: '', key: '', idempotencyKey: '' };
    const deployment = { ...empty, abi: [], bytecode: '0x60', file: 'E.json', name: 'E' };
    const { body, cli } = deployAction({ ...deployment, input: '["12345678901234567890",[1, 2]]' });
    expect(body).toBe('{"definition":[],"contract":"0x60","input":["12345678901234567890",[1, 2]]}');
    expect(cli).toEqual(['chain', 'deploy', 'E.json', '--contract', 'E', '12345678901234567890', '[1, 2]']);
    expect(deployAction({ ...deployment, input: '["-1"]' }).cli).toBeUndefined();
    const paid = deployAction({ ...deployment, input: '[]', value: '5' });
    expect(paid.body).toContain('"options":{"value":"5"}');
    expect(paid.cli).toBeUndefined();
  });

  it('creates or changes an API', () => {
    const api = { name: 'escrow', interfaceId: 'i', address: '', publish: 'no' };
    expect(apiAction(api)).toMatchObject({ path: 'apis', body: '{"name":"escrow","interface":{"id":"i"}}' });
    expect(apiAction({ ...api, publish: 'yes' }).query).toEqual({ publish: 'true', confirm: 'true' });
    expect(changeApiAction('i/d', { name: 'escrow', interfaceId: 'j' })).toEqual({
      method: 'PUT',
      path: 'apis/i%2Fd',
      query: { confirm: 'true' },
      body: '{"name":"escrow","interface":{"id":"j"}}',
    });
  });

  it('creates a listener for an API or for an interface', () => {
    const listener = { event: 'Opened', name: '', topic: 't', firstEvent: 'oldest', address: '' };
    const target = { kind: 'api', name: 'a/b', address } as const;
    expect(listenerAction({ ...listener, target })).toMatchObject({
      path: 'apis/a%2Fb/listeners/Opened',
      body: '{"topic":"t","options":{"firstEvent":"oldest"}}',
    });
    const open = { kind: 'interface', id: 'i' } as const;
    expect(listenerAction({ ...listener, target: open, firstEvent: '17' })).toMatchObject({
      path: 'contracts/listeners',
      body: '{"interface":{"id":"i"},"eventPath":"Opened","topic":"t","options":{"firstEvent":"17"}}',
    });
  });
});
