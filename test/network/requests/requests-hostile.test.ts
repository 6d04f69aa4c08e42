import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../../src/wire/json/json.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

const location = { address: `0x${'7'.repeat(40)}` };

/** A parameter that is an array of this Solidity type, with this many dimensions. */
function anArray(type: string, dimensions: number, basic: unknown = { type: 'boolean' }) {
  let schema = basic;
  for (let each = 0; each < dimensions; each++) schema = { type: 'array', items: schema };
  return { name: 'a', schema: { ...Object(schema), details: { type } } };
}

/** Parameters that require memory without any data. */
const greedy = [
  ['a fixed length', anArray('bool[999999999]', 1)],
  ['a product of fixed lengths', anArray('bool[1000][1000][1000]', 3)],
  ['a fixed length of lists', anArray('bool[][999999999]', 2)],
  ['tuples without members', anArray('tuple[]', 1, { type: 'object', properties: {} })],
] as const;

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork(['alice']);
}, 60_000);
afterAll(() => network.stop());

async function post(path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${network.node.url}/api/v1/namespaces/default/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: textOf(body),
  });
  return { status: response.status, text: await response.text() };
}

describe('a request with types that no chain can carry is refused', () => {
  it.each(greedy)('in a query, a call, a listener: %s', async (_, parameter) => {
    const refusal = { status: 400, text: expect.stringContaining('FF10332') };
    const given = { name: 'f', params: [], returns: [parameter] };
    expect(await post('contracts/query', { location, method: given, input: {} })).toEqual(refusal);
    const taken = { name: 'f', params: [parameter], returns: [] };
    expect(await post('contracts/invoke', { location, method: taken, input: { a: [] } })).toEqual(refusal);
    const event = { name: 'E', params: [parameter] };
    expect(await post('contracts/listeners', { location, event, topic: 't' })).toEqual(refusal);
  });

  it('in an ABI for an interface or a deployment', async () => {
    const inputs = [{ name: 'a', type: 'uint256[999999999]' }];
    const refusal = { status: 400, text: expect.stringContaining('FF10332') };
    const abi = [{ type: 'function', name: 'f', inputs, outputs: [] }];
    expect(await post('contracts/interfaces/generate', { input: { abi } })).toEqual(refusal);
    const definition = [{ type: 'constructor', inputs }];
    expect(await post('contracts/deploy', { definition, contract: '0x00', input: [[1]] })).toEqual(refusal);
  });

  it('and so are more arguments than a transaction carries, and more errors than a contract has', async () => {
    const list = anArray('bool[]', 1);
    const method = { name: 'f', params: [list], returns: [] };
    const input = { a: new Array(200_000).fill(true) };
    expect(await post('contracts/query', { location, method, input })).toMatchObject({ status: 400 });
    const errors = new Array(1_001).fill({ name: 'E', params: [] });
    expect(await post('contracts/query', { location, method, input: { a: [] }, errors })).toMatchObject({
      status: 400,
      text: expect.stringContaining('FF00134'),
    });
  });
});

describe('an interface beyond the limits of the network is refused at its creation', () => {
  const event = { name: 'e', params: [] };
  const ffi = { name: 'large', version: '1', methods: [], events: [], errors: [] };

  it.each([
    ['events', { events: new Array(1_001).fill(event) }, 'FF00134'],
    ['bytes', { description: 'x'.repeat(530_000) }, 'FF00135'],
  ])('too many %s', async (_, parts, code) => {
    for (const path of ['contracts/interfaces', 'contracts/interfaces?publish']) {
      const refusal = { status: 400, text: expect.stringContaining(code) };
      expect(await post(path, { ...ffi, ...parts })).toEqual(refusal);
    }
  });
});

describe('a long word of a caller', () => {
  const long = 'n'.repeat(900_000);

  it('is compared with nothing and returned shortened', async () => {
    for (const [path, body] of [
      ['subscriptions', { transport: 'websockets', name: 's', filter: { events: long } }],
      ['broadcast/message', { header: { type: long }, data: [{ value: 1 }] }],
      ['messages/broadcast', { header: { author: long }, data: [{ value: 1 }] }],
      ['contracts/query', { location, method: { name: 'f', params: [], returns: [] }, input: { [long]: 1 } }],
    ] as const) {
      const { status, text } = await post(path, body);
      expect([path, status]).toEqual([path, 400]);
      expect(text.length).toBeLessThan(1_500);
    }
  });

  it.each([
    ['broadcast/message', 202, { data: [{ value: 1 }], [long]: 1 }],
    ['subscriptions', 201, { transport: 'websockets', name: 's', filter: { [long]: 'x' } }],
  ])('that is ignored is named shortened: %s', async (path, status, body) => {
    const response = await fetch(`${network.node.url}/api/v1/namespaces/default/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: textOf(body),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-parley-ignored')?.length).toBeLessThan(300);
  });
});
