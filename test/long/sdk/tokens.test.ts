import type { FireFlyTokenPoolResponse } from '@hyperledger/firefly-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escrow } from '../../support/escrow.js';
import { createFireFly, type FireFly, noting, startListening } from '../../e2e/fixtures/sdk.js';
import { tokenMethods } from '../../e2e/fixtures/sdk-scenes.js';
import { createThreeParties } from '../../e2e/fixtures/three-parties.js';

/** FireFly's own SDK for Node, unmodified: tokens of both connectors, and a user's contract. */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const nobody = '00000000-0000-4000-8000-000000000000';
const confirm = { confirm: true };

const stack = createThreeParties('tokens');
const called = new Set<string>();
const fireFlyOf = (party: string) => noting(createFireFly(stack.addressOf('/', party).slice(0, -1)), called);
let alice: FireFly;
let bob: FireFly;
let carol: FireFly;
const keys = new Map<string, string>();
beforeAll(async () => {
  process.env['FF_SDK_LOG_LEVEL'] = 'NONE';
  await stack.start();
  [alice, bob, carol] = [fireFlyOf('alice'), fireFlyOf('bob'), fireFlyOf('carol')];
  for (const party of stack.parties) {
    const organization = await alice.getOrganization(party);
    const [key] = await alice.getVerifiers('default', { identity: organization?.id ?? '' });
    keys.set(party, key?.value ?? '');
  }
});
afterAll(stack.remove);

describe.each(['erc1155', 'erc20_erc721'])('Tokens of the connector %s', (connector) => {
  const [gold, art] = [`gold-${connector}`, `art-${connector}`];
  let pool: FireFlyTokenPoolResponse;

  test('createTokenPool creates pools that getTokenPool and getTokenPools return at every party', async () => {
    pool = await alice.createTokenPool({ name: gold, type: 'fungible', connector, symbol: 'AU' }, confirm);
    expect(pool).toMatchObject({ name: gold, type: 'fungible', connector, active: true });
    await alice.createTokenPool({ name: art, type: 'nonfungible', connector }, confirm);
    await expect.poll(() => carol.getTokenPool(gold)).toMatchObject({ id: pool.id, active: true });
    expect(await alice.getTokenPools({ name: gold })).toHaveLength(1);
    expect(await alice.getTokenPool(nobody)).toBeUndefined();
  });

  test('mintTokens mints, and getTokenBalances returns the resulting balances at every party', async () => {
    const mint = await alice.mintTokens({ pool: gold, amount: '100', to: keys.get('bob') ?? '' }, confirm);
    expect(mint).toMatchObject({
      type: 'mint',
      amount: '100',
      pool: pool.id,
      to: keys.get('bob'),
      created: expect.any(String),
    });
    expect(mint.created).toMatch(time);
    expect(await alice.getTokenTransfer(mint.localId ?? '')).toMatchObject({ protocolId: mint.protocolId });
    for (const party of [bob, carol]) {
      const balances = () => party.getTokenBalances({ pool: pool.id, key: keys.get('bob') ?? '' });
      await expect.poll(balances).toMatchObject([{ balance: '100' }]);
    }
    expect(await alice.getTokenTransfer(nobody)).toBeUndefined();
  });

  test('transferTokens carries a message, whose id is public and whose data only its recipients have', async () => {
    await expect.poll(() => bob.getTokenPool(gold)).toMatchObject({ active: true });
    const attached = {
      header: { tag: 'coffee', topics: ['bar'], type: 'transfer_private' },
      group: { members: [{ identity: 'carol' }] },
      data: [{ value: 'for the coffee' }],
    };
    // The SDK's type has an id in place of the message, but the SDK sends the request unchanged.
    const request: object = { pool: gold, amount: '7', to: keys.get('carol') ?? '', message: attached };
    const moved = await bob.transferTokens(request, confirm);
    expect(moved).toMatchObject({ type: 'transfer', amount: '7', message: expect.stringMatching(uuid) });
    const seen = async () => (await alice.getTokenTransfers({ message: moved.message ?? '' })).length;
    await expect.poll(seen).toBe(1);
    await expect.poll(() => carol.getMessage(moved.message ?? '')).toMatchObject({ state: 'confirmed' });
    expect(await alice.getMessage(moved.message ?? '')).toBeUndefined();
  });

  test('approveTokens allows an operator, getTokenApprovals returns it, burnTokens keeps to it', async () => {
    const operator = keys.get('carol') ?? '';
    await bob.approveTokens({ pool: gold, operator, approved: true }, confirm);
    const approvals = () => carol.getTokenApprovals({ pool: pool.id, operator, active: 'true' });
    await expect.poll(approvals).toMatchObject([{ key: keys.get('bob'), approved: true }]);
    const burned = await carol.burnTokens({ pool: gold, amount: '3', from: keys.get('bob') ?? '' }, confirm);
    expect(burned).toMatchObject({ type: 'burn', amount: '3', from: keys.get('bob'), key: operator });
    const balances = () => alice.getTokenBalances({ pool: pool.id, key: keys.get('bob') ?? '' });
    await expect.poll(balances).toMatchObject([{ balance: '90' }]);
  });

  test('a token of a non-fungible pool has an index, by which it is transferred', async () => {
    const mint = await alice.mintTokens({ pool: art, amount: '1' }, confirm);
    expect(mint).toMatchObject({ tokenIndex: '1', amount: '1' });
    await alice.transferTokens({ pool: art, amount: '1', tokenIndex: '1', to: keys.get('bob') ?? '' }, confirm);
    const held = () => carol.getTokenBalances({ pool: mint.pool ?? '', balance: '1' });
    await expect.poll(held).toMatchObject([{ key: keys.get('bob'), tokenIndex: '1' }]);
  });

  test('a refusal of the contract is an error for a caller that waits for it', async () => {
    const wanted = bob.mintTokens({ pool: gold, amount: '1' }, confirm);
    await expect(wanted).rejects.toThrow(/^PY1302: /);
  });
});

describe('A contract of a user', () => {
  const artifact = escrow();
  let address = '';
  let interfaceId = '';
  const location = () => ({ address });

  test('generateContractInterface reads its ABI, createContractInterface stores it', async () => {
    const body = { definition: artifact.abi, contract: artifact.bytecode, input: [keys.get('carol'), '5'] };
    const deployed = await stack.post<{ readonly output: { readonly contractLocation: { readonly address: string } } }>(
      'contracts/deploy?confirm=true',
      JSON.stringify(body),
      { status: 200 },
    );
    address = deployed.output.contractLocation.address;
    const input = { abi: [...artifact.abi] };
    const ffi = await alice.generateContractInterface({ name: 'escrow', version: '1.0', description: 'keeps', input });
    expect(ffi.methods?.map(({ name }) => name)).toContain('open');
    const kept = await alice.createContractInterface(ffi, { confirm: true, publish: true });
    interfaceId = kept.id;
    expect(await alice.getContractInterfaces({ name: 'escrow' })).toMatchObject([{ id: interfaceId, version: '1.0' }]);
    expect(await alice.getContractInterface(interfaceId, true)).toMatchObject({
      name: 'escrow',
      methods: expect.any(Array),
    });
    await expect.poll(() => bob.getContractInterface(interfaceId)).toMatchObject({ published: true });
  });

  test('createContractListener hears what invokeContract does, and queryContract reads it', async () => {
    const request = { interface: { id: interfaceId }, location: location(), eventPath: 'Opened', topic: 'escrow' };
    const listener = await bob.createContractListener({
      ...request,
      name: 'openings',
      options: { firstEvent: 'oldest' },
    });
    expect(await bob.getContractListeners({ name: 'openings' })).toMatchObject([{ id: listener.id }]);
    const heard = startListening(bob, { filter: { events: 'blockchain_event_received' } });
    await stack.subscribed('bob', 1);
    const call = { interface: interfaceId, location: location(), methodPath: 'open' };
    const input = { seller: keys.get('carol'), terms: [{ text: 'rent', weights: [1, '2'] }] };
    const done = await alice.invokeContract({ ...call, input, options: { value: '12345678901234567890' } }, confirm);
    expect(done).toMatchObject({ type: 'blockchain_invoke', status: 'Succeeded' });
    const events = () => bob.getBlockchainEvents({ listener: listener.id });
    await expect.poll(events).toMatchObject([{ name: 'Opened', output: { amount: '12345678901234567890' } }]);
    const [event] = await events();
    expect(await bob.getBlockchainEvent(event?.id ?? '')).toMatchObject({
      output: { seller: keys.get('carol'), number: '1' },
    });
    await expect.poll(() => heard.references()).toContain(event?.id);
    heard.close();
    const asked = await carol.queryContract({
      location: location(),
      input: {},
      method: {
        name: 'count',
        params: [],
        returns: [{ name: '', schema: { type: 'integer', details: { type: 'uint256' } } }],
      },
    });
    expect(asked).toEqual({ output: '1' });
    await bob.deleteContractListener(listener.id);
    expect(await bob.getContractListeners({ name: 'openings' })).toEqual([]);
  });

  test('createContractAPI gives it a name, by which it is invoked, queried and listened to', async () => {
    const api = await alice.createContractAPI(
      { name: 'escrow', interface: { id: interfaceId }, location: location() },
      { confirm: true, publish: true },
    );
    expect(api).toMatchObject({ name: 'escrow', urls: { openapi: expect.stringMatching(/openapi\.json$/) } });
    for (const party of [bob, carol]) {
      await expect.poll(() => party.getContractAPI('escrow')).toMatchObject({ published: true });
    }
    expect(await bob.getContractAPIs({ name: 'escrow' })).toHaveLength(1);
    const listener = { topic: 'escrow', name: 'releases' };
    expect(await bob.createContractAPIListener('escrow', 'Released', listener)).toMatchObject({ name: 'releases' });
    expect(await bob.getContractAPIListeners('escrow', 'Released')).toMatchObject([{ name: 'releases' }]);
    const input = { seller: keys.get('carol'), terms: [] };
    await bob.invokeContractAPI('escrow', 'open', { input, options: { value: '5' } }, confirm);
    const found = await carol.queryContractAPI('escrow', 'find', { input: { number: '2' } });
    expect(found).toMatchObject({ deal: { number: '2', buyer: keys.get('bob'), amount: '5' } });
    const release = { input: { number: '2' } };
    await expect(alice.invokeContractAPI('escrow', 'release', release, confirm)).rejects.toThrow(/NotBuyer/);
  });
});

test('every method about tokens and contracts is called above', () => {
  expect(tokenMethods.filter((name) => !called.has(name))).toEqual([]);
});
