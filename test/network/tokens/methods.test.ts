import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compact } from '../../../src/wire/json/json-reader.js';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import type { TokenPool } from '../../../src/wire/token.js';
import { foreignContract, type ForeignContract } from '../../support/foreign-contracts.js';
import { eventually } from '../../support/eventually.js';
import { expectBalances, expectNothingPending, refusalOf } from '../../support/token-calls.js';
import { startTokenNetwork, type TokenNetwork, type TokenParty } from '../../support/token-network.js';

const confirm = { query: { confirm: true } } as const;
const connector = 'erc20_erc721';
const coinWords = { mint: 'emitTo', transfer: ['move', 'hand'], burn: 'retire', approval: 'permit' };

let network: TokenNetwork;
let coin = '';
let deed = '';
beforeAll(async () => {
  network = await startTokenNetwork();
  coin = await deploy('WordyCoin');
  deed = await deploy('WordyDeed');
  await shareInterface('WordyCoin');
  await shareInterface('WordyDeed');
}, 60_000);
afterAll(() => network.stop());

/** Deploys a contract as a user does; returns its location. */
async function deploy(name: ForeignContract): Promise<string> {
  const { abi, bytecode } = foreignContract(name);
  const body = { definition: textOf(abi), contract: bytecode };
  const { value } = await network.alice.client.deployContract({ body, ...confirm });
  return String(Object(Object(valueOf(value.output ?? textOf({}))).contractLocation).address);
}

async function shareInterface(name: ForeignContract): Promise<void> {
  const { client } = network.alice;
  const request = { name, version: '1.0', input: { abi: textOf(foreignContract(name).abi) } };
  const { value } = await client.generateContractInterface({ body: request });
  await client.createContractInterface({ body: value, query: { confirm: true, publish: true } });
}

interface Wanted {
  readonly name?: string;
  readonly type?: string;
  readonly at?: string;
  readonly words?: unknown;
  readonly its?: { readonly name: string; readonly version: string } | undefined;
  readonly more?: Readonly<Record<string, string>>;
}

/** The body of a request for a pool over the coin. */
function aPool({ name = 'words', type = 'fungible', at = coin, words = coinWords, ...rest }: Wanted) {
  const { its = { name: 'WordyCoin', version: '1.0' }, more = {} } = rest;
  return { name, type, connector, interface: its, config: textOf({ address: at, methods: words }), ...more };
}

async function madePool(wanted: Wanted): Promise<TokenPool> {
  const { value } = await network.alice.client.createTokenPool({ body: aPool(wanted), ...confirm });
  for (const { client } of network.parties) {
    await eventually(async () => {
      expect((await client.getTokenPool({ path: { nameOrId: value.id } })).value.active).toBe(true);
    });
  }
  return value;
}

/** Returns the transfer of an operation with this message, at a party. */
async function transferOf({ client }: TokenParty, message: string): Promise<unknown> {
  return eventually(async () => {
    const { value } = await client.listTokenTransfers({ query: { message } });
    expect(value).toHaveLength(1);
    return value[0];
  });
}

describe('a pool over a contract with its own method names', () => {
  it('shows at all parties which methods of the interface it calls', async () => {
    const made = await madePool({ name: 'coins' });
    for (const { client } of network.parties) {
      const { value: pool } = await client.getTokenPool({ path: { nameOrId: 'coins' } });
      expect(pool).toMatchObject({ interface: made.interface, interfaceFormat: 'abi', standard: 'ERC20' });
      const methods = Object(valueOf(pool.methods ?? textOf({})));
      const names = Object.entries(methods).map(([use, its]) => {
        const list: unknown[] = Object(its).methods;
        return [use, list.map((each) => Object(each).name)];
      });
      expect(Object.fromEntries(names)).toEqual({
        mint: ['emitTo'],
        transfer: ['move', 'hand'],
        burn: ['retire'],
        approval: ['permit'],
      });
    }
  });

  it('mints, transfers and burns, with messages that all parties match to their transfers', async () => {
    const { alice, bob, carol, parties } = network;
    const message = { header: { topics: ['words'] }, data: [{ value: textOf('first') }] };
    const mint = { pool: 'coins', amount: compact('1000'), message };
    const { value: minted } = await alice.client.mintTokens({ body: mint, ...confirm });
    const move = { pool: 'coins', amount: compact('100'), to: bob.key, message: { ...message } };
    const { value: moved } = await alice.client.transferTokens({ body: move, ...confirm });
    await bob.client.burnTokens({ body: { pool: 'coins', amount: compact('30') }, ...confirm });
    await expectBalances(network, 'coins', { [alice.key]: '900', [bob.key]: '70' });
    for (const party of parties) {
      for (const { message: id = '', messageHash } of [minted, moved]) {
        expect(await transferOf(party, id)).toMatchObject({ messageHash });
        await eventually(async () => {
          const { value } = await party.client.getMessage({ path: { msgid: id } });
          expect(value.state).toBe('confirmed');
        });
      }
    }
    await expectNothingPending(carol);
  });

  it('refuses at once what its methods do not support, and shows what its contract refuses', async () => {
    const { alice, bob } = network;
    const burn = { pool: 'coins', amount: compact('1') };
    const message = { data: [{ value: textOf('x') }] };
    expect(await refusalOf(alice.client.burnTokens({ body: { ...burn, from: bob.key } }))).toMatchObject({
      status: 400,
    });
    expect(await refusalOf(bob.client.burnTokens({ body: { ...burn, message } }))).toMatchObject({ code: 'PY1403' });
    expect(await refusalOf(bob.client.mintTokens({ body: burn, ...confirm }))).toMatchObject({ status: 409 });
    const over = { pool: 'coins', amount: compact(String(2n ** 128n)), to: bob.key, message };
    expect(await refusalOf(alice.client.transferTokens({ body: over }))).toMatchObject({ status: 400 });
  });

  it('approves by the only method that it has', async () => {
    const { alice, bob } = network;
    const body = { pool: 'coins', operator: bob.key };
    const { value } = await alice.client.approveTokens({ body, ...confirm });
    expect(value).toMatchObject({ approved: true, operator: bob.key });
    const limited = { ...body, config: textOf({ allowance: 5 }) };
    expect(await refusalOf(alice.client.approveTokens({ body: limited }))).toMatchObject({ status: 400 });
    const { value: ended } = await alice.client.approveTokens({ body: { ...body, approved: false }, ...confirm });
    expect(ended).toMatchObject({ approved: false });
  });

  it('has non-fungible tokens if the contract does', async () => {
    const { alice, bob, carol } = network;
    const words = { mint: 'register', transfer: 'convey', burn: 'strike' };
    const its = { name: 'WordyDeed', version: '1.0' };
    const more = { interfaceFormat: 'ffi' };
    const pool = await madePool({ name: 'deeds', type: 'nonfungible', at: deed, words, its, more });
    expect(pool.interfaceFormat).toBe('ffi');
    expect(valueOf(pool.methods ?? textOf({}))).toMatchObject({
      burn: { format: 'ffi', methods: [{ name: 'strike', params: [{ name: 'deed' }] }] },
    });
    const one = { pool: 'deeds', amount: compact('1') };
    await alice.client.mintTokens({ body: { ...one, uri: 'https://deeds/1' }, ...confirm });
    await alice.client.mintTokens({ body: one, ...confirm });
    await alice.client.transferTokens({ body: { ...one, tokenIndex: compact('1'), to: bob.key }, ...confirm });
    await alice.client.burnTokens({ body: { ...one, tokenIndex: compact('2') }, ...confirm });
    const expected = { [`${alice.key}/1`]: '0', [`${bob.key}/1`]: '1', [`${alice.key}/2`]: '0' };
    await expectBalances(network, 'deeds', expected);
    await expectNothingPending(carol);
  });
});

describe('a request for a pool is refused if it', () => {
  it.each([
    ['names an interface that is not there', { its: { name: 'WordyCoin', version: '2' } }, 'FF10303'],
    ['names a method that the interface does not have', { words: { mint: 'emitTwo' } }, 'PY1011'],
    ['names a method that takes what a pool has not', { words: { transfer: 'tax' } }, 'PY1011'],
    ['names a method for what no pool does', { words: { melt: 'retire' } }, 'PY1011'],
    ['names a method by a number', { words: { mint: 7 } }, 'PY1011'],
    [
      'names no methods for an interface that has none of the usual names',
      { words: undefined, its: deeds() },
      'PY1011',
    ],
    ['is in a format that nobody knows', { more: { interfaceFormat: 'wsdl' } }, 'FF00172'],
  ] as const)('%s', async (_, wanted, code) => {
    const call = network.alice.client.createTokenPool({ body: aPool({ name: 'wrong', ...wanted }) });
    expect(await refusalOf(call)).toMatchObject({ code });
  });

  it('names methods without an interface, or of a contract of this project', async () => {
    const { client } = network.alice;
    const { interface: its, ...bare } = aPool({ name: 'wrong' });
    expect(await refusalOf(client.createTokenPool({ body: bare }))).toMatchObject({ code: 'PY1011' });
    const config = textOf({ methods: coinWords });
    const body = { ...bare, interface: its, config };
    expect(await refusalOf(client.createTokenPool({ body }))).toMatchObject({ code: 'PY1011' });
    const erc1155 = { ...body, connector: 'erc1155' };
    expect(await refusalOf(client.createTokenPool({ body: erc1155 }))).toMatchObject({ code: 'PY1011' });
  });
});

function deeds(): { readonly name: string; readonly version: string } {
  return { name: 'WordyDeed', version: '1.0' };
}
