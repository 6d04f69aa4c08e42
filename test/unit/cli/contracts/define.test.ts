import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DefineContractFlags, defineContract } from '../../../../src/cli/contracts/define.js';
import { memoryOutput } from '../memory-output.js';
import { type Came, type PlainNode, type Reply, startPlainNode } from '../plain-node.js';

const [contractId, apiId, otherId] = [1, 2, 3].map((n) => `${n}d3f9b1e-0a6c-4582-8e4d-5b7c9f2a1e14`);
const address = `0x${'aB'.repeat(20)}`;
const location = { address: address.toLowerCase() };
const schema = { type: 'string', details: { type: 'uint256' } };
const parts = {
  methods: [{ name: 'set', params: [{ name: 'x', schema }], returns: [], details: { stateMutability: 'payable' } }],
  events: [{ name: 'Set', params: [{ name: 'x', schema }] }],
  errors: [],
};
/** Records as a node serves them: with derived members, and the members of a schema in any order. */
const served = {
  methods: parts.methods.map((method) => ({
    ...method,
    id: otherId,
    interface: contractId,
    pathname: 'set',
    description: '',
    params: [{ name: 'x', schema: { details: { type: 'uint256' }, type: 'string' } }],
  })),
  events: parts.events.map((event) => ({ ...event, id: otherId, signature: 'Set(uint256)', description: '' })),
  errors: [],
};
const contract = { id: contractId, namespace: 'default', name: 'box', version: '1.0', published: true, ...served };
const urls = { api: '', openapi: '', ui: '' };
const theApi = {
  id: apiId,
  namespace: 'default',
  name: 'box',
  interface: { id: contractId },
  location,
  published: true,
  urls,
};

let directory: string;
let node: PlainNode | undefined;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'define-'));
  writeFileSync(join(directory, 'Box.json'), '[]');
});
afterEach(async () => {
  await node?.stop();
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** Starts a node with these records; it adds what is created. */
async function having(
  records: Readonly<Record<string, object>>,
  over: (came: Came) => Reply | undefined = () => undefined,
) {
  const kept = new Map(Object.entries(records));
  node = await startPlainNode((came) => over(came) ?? usual(came));
  function usual({ method, path }: Came): Reply | undefined {
    if (path === 'contracts/interfaces/generate') return { body: { name: 'box', version: '1.0', ...parts } };
    if (method === 'POST') {
      const [key, record] = path.startsWith('apis') ? ['apis/box', theApi] : ['contracts/interfaces/box/1.0', contract];
      kept.set(key, record);
      return { status: 202, body: record };
    }
    const record = kept.get(path);
    return record === undefined ? undefined : { body: record };
  }
}

async function define(given: Partial<DefineContractFlags> = {}) {
  const written = memoryOutput({ modes: {} });
  const flags: DefineContractFlags = {
    file: join(directory, 'Box.json'),
    name: 'box',
    version: '1.0',
    publish: true,
    'no-wait': false,
    timeout: '30s',
    url: node?.url,
    ...given,
  };
  const context = { output: written.output, environment: {}, program: 'stack' };
  const error: unknown = await defineContract(flags, context).catch((thrown: unknown) => thrown);
  return { out: written.out(), error };
}

/** Returns the paths of all requests to create or publish. */
function posted(): readonly string[] {
  const posts = node?.came.filter(({ method, path }) => method === 'POST' && !path.endsWith('/generate')) ?? [];
  return posts.map(({ path }) => path);
}

describe('the definition of a contract', () => {
  it('creates an interface, and a contract API for its address', async () => {
    await having({});
    const { out, error } = await define({ address });
    expect(error).toBeUndefined();
    expect(posted()).toEqual(['contracts/interfaces', 'apis']);
    expect(out).toContain('box@1.0 (1 method, 1 event) usable');
  });

  it.each(['0x12', 'box', '12'.repeat(20)])('sends nothing for the address %s', async (wrong) => {
    await having({});
    expect((await define({ address: wrong })).error).toMatchObject({ code: 'USAGE' });
    expect(node?.came).toEqual([]);
  });
});

describe('the file of a definition', () => {
  const entry = (name: string) => ({ type: 'function', name, inputs: [] });
  const [box, base] = [[entry('set')], [entry('base')]];
  const code = { bytecode: { object: '6080' } };
  const standard = { contracts: { 'a.sol': { Base: { abi: base }, Box: { abi: box, evm: code } } } };

  /** Defines a contract from a file with this content; returns the error, and the ABI that the node got. */
  async function defineFrom(content: unknown, given: Partial<DefineContractFlags>) {
    const file = join(directory, 'Given.json');
    writeFileSync(file, JSON.stringify(content));
    await having({});
    const { error } = await define({ file, ...given });
    const request = node?.came.find(({ path }) => path === 'contracts/interfaces/generate');
    const body: unknown = request === undefined ? undefined : JSON.parse(request.body.toString('utf8'));
    return { error, body };
  }

  it.each<[string, unknown, Partial<DefineContractFlags>, unknown]>([
    ['an ABI', box, {}, box],
    ['an ABI, named after its file', box, { contract: 'Given' }, box],
    ['an object with an ABI', { abi: box }, {}, box],
    ['an artifact of Hardhat', { contractName: 'Box', abi: box, bytecode: '0x6080' }, {}, box],
    ['the standard JSON of solc, with an interface beside the contract', standard, {}, box],
    ['an interface that is named', standard, { contract: 'Base' }, base],
    ['a contract named with its file', standard, { contract: 'a.sol:Box' }, box],
    ['the combined JSON of solc', { contracts: { 'a.sol:Box': { abi: JSON.stringify(box), bin: '6080' } } }, {}, box],
    ['the combined JSON of solc without code', { contracts: { 'a.sol:Box': { abi: box } } }, {}, box],
  ])('may be %s', async (_, content, given, expected) => {
    const { error, body } = await defineFrom(content, given);
    expect(error).toBeUndefined();
    expect(body).toMatchObject({ input: { abi: expected } });
  });

  it.each<[string, unknown, Partial<DefineContractFlags>, string]>([
    ['several contracts', { contracts: { 'a.sol:A': { abi: box }, 'a.sol:B': { abi: base } } }, {}, 'one of A, B'],
    ['no contract of that name', standard, { contract: 'Other' }, 'There is no contract Other'],
    ['no ABI', { contracts: {} }, {}, 'has no ABI'],
  ])('is refused with %s', async (_, content, given, problem) => {
    const { error } = await defineFrom(content, given);
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining(problem) });
    expect(node?.came).toEqual([]);
  });
});

describe('a repeated definition of a contract', () => {
  it.each<[string, Readonly<Record<string, object>>, Partial<DefineContractFlags>, string[]]>([
    ['creates nothing', { 'contracts/interfaces/box/1.0': contract }, {}, []],
    [
      'creates the API that an interrupted run left out',
      { 'contracts/interfaces/box/1.0': contract },
      { address },
      ['apis'],
    ],
    [
      'creates nothing beside an API',
      { 'contracts/interfaces/box/1.0': contract, 'apis/box': theApi },
      { address },
      [],
    ],
    [
      'publishes what was kept local',
      {
        'contracts/interfaces/box/1.0': { ...contract, published: false },
        'apis/box': { ...theApi, published: false },
      },
      { address },
      ['contracts/interfaces/box/1.0/publish', 'apis/box/publish'],
    ],
    [
      'leaves local what is not to be shared',
      { 'contracts/interfaces/box/1.0': { ...contract, published: false } },
      { publish: false },
      [],
    ],
  ])('%s', async (_, records, given, expected) => {
    await having(records);
    const { out, error } = await define(given);
    expect(error).toBeUndefined();
    expect(posted()).toEqual(expected);
    expect(out).toContain('usable');
  });

  it('uses the interface of another run that was first', async () => {
    let isThere = false;
    await having({}, ({ method, path }) => {
      if (path === 'contracts/interfaces/box/1.0') return isThere ? { body: contract } : undefined;
      if (method !== 'POST' || path !== 'contracts/interfaces') return undefined;
      isThere = true;
      return { status: 409, body: { error: 'FF10302: exists' } };
    });
    expect((await define()).error).toBeUndefined();
  });

  it.each<[string, Readonly<Record<string, object>>, Partial<DefineContractFlags>]>([
    ['other methods', { 'contracts/interfaces/box/1.0': { ...contract, methods: [] } }, {}],
    ['other events', { 'contracts/interfaces/box/1.0': { ...contract, events: [] } }, {}],
    [
      'an API at another address',
      { 'apis/box': { ...theApi, location: { address: `0x${'1'.repeat(40)}` } } },
      { address },
    ],
    ['an API without an address', { 'apis/box': { ...theApi, location: undefined } }, { address }],
    ['an API of another interface', { 'apis/box': theApi }, { address }],
  ])('is a conflict, and creates nothing, where there is: %s', async (_, records, given) => {
    await having(records);
    const { error } = await define(given);
    expect(error).toMatchObject({ code: 'CONFLICT', exitCode: 10, details: { id: expect.any(String) } });
    expect(posted()).toEqual([]);
  });
});
