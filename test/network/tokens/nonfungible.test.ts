import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compact } from '../../../src/wire/json/json-reader.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { TokenPool } from '../../../src/wire/token.js';
import { eventually } from '../../support/eventually.js';
import { expectBalances, expectNothingPending, makePool, refusalOf } from '../../support/token-calls.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';

const confirm = { confirm: true } as const;
const one = compact('1');
const uri = 'https://example.org/deed';

let network: TokenNetwork;

beforeAll(async () => {
  network = await startTokenNetwork();
});
afterAll(() => network.stop());

describe.each(['erc1155', 'erc20_erc721'])('non-fungible tokens of %s', (connector) => {
  const pool = `deeds-${connector.slice(0, 5)}`;
  let made: TokenPool;
  beforeAll(async () => {
    made = await makePool(network, { name: pool, type: 'nonfungible', connector });
  });

  it('have an index that the pool assigns, and a URI', async () => {
    const { alice, bob } = network;
    const { value } = await alice.client.mintTokens({ body: { pool, amount: one, to: 'bob', uri }, query: confirm });
    expect(value).toMatchObject({ type: 'mint', tokenIndex: '1', amount: '1', uri, pool: made.id });
    await expectBalances(network, pool, { [`${bob.key}/1`]: '1' });
  });

  it('are moved and burned by their index, with a message, and keep their URI', async () => {
    const { bob, carol } = network;
    const message = { header: { type: 'transfer_broadcast' }, data: [{ value: textOf('yours') }] };
    const body = { pool, amount: one, to: 'carol', tokenIndex: one, message };
    const { value } = await bob.client.transferTokens({ body, query: confirm });
    expect(value).toMatchObject({ tokenIndex: '1', from: bob.key, to: carol.key, uri });
    await expectBalances(network, pool, { [`${bob.key}/1`]: '0', [`${carol.key}/1`]: '1' });
    const { value: holdings } = await carol.client.listTokenBalances({
      query: { pool, key: carol.key, tokenindex: '1', balance: '>0' },
    });
    expect(holdings).toMatchObject([{ uri, tokenIndex: '1', balance: '1' }]);
    await carol.client.burnTokens({ body: { pool, amount: one, tokenIndex: compact('"1"') }, query: confirm });
    await expectBalances(network, pool, { [`${bob.key}/1`]: '0', [`${carol.key}/1`]: '0' });
  });

  it('are refused without an index, or with an amount above one', async () => {
    const { bob } = network;
    const body = { pool, amount: one, to: 'alice' };
    expect(await refusalOf(bob.client.transferTokens({ body }))).toEqual({ status: 400, code: 'PY1402' });
    const two = { pool, amount: compact('2'), tokenIndex: one };
    expect(await refusalOf(bob.client.burnTokens({ body: two }))).toEqual({ status: 400, code: 'PY1402' });
  });

  it('of another owner fail visibly, with the message', async () => {
    const { alice, bob } = network;
    const { value: minted } = await alice.client.mintTokens({ body: { pool, amount: one }, query: confirm });
    const message = { data: [{ value: textOf('mine') }] };
    const tokenIndex = compact(minted.tokenIndex ?? '');
    const body = { pool, amount: one, tokenIndex, from: 'alice', to: 'bob', message };
    const { value } = await bob.client.transferTokens({ body });
    await eventually(async () => {
      const { value: told } = await bob.client.getMessage({ path: { msgid: value.message ?? '' } });
      expect(told.state).toBe('cancelled');
    });
    const query = { type: 'token_transfer_op_failed', correlator: value.localId };
    expect((await bob.client.listEvents({ query })).value).toMatchObject([{ topic: made.id }]);
    await expectNothingPending(bob);
  });
});

it('many tokens of erc1155 are minted at once, each with its own index and transfer', async () => {
  const { alice, bob, carol } = network;
  const pool = 'tickets';
  await makePool(network, { name: pool, type: 'nonfungible', connector: 'erc1155' });
  const message = { data: [{ value: textOf('four seats') }] };
  await alice.client.mintTokens({ body: { pool, amount: compact('4'), to: 'bob', message }, query: confirm });
  await expectBalances(network, pool, Object.fromEntries(['1', '2', '3', '4'].map((n) => [`${bob.key}/${n}`, '1'])));
  const { value } = await carol.client.listTokenTransfers({ query: { pool, sort: 'tokenindex' } });
  expect(value.map(({ tokenIndex, amount }) => [tokenIndex, amount])).toEqual(
    ['1', '2', '3', '4'].map((n) => [n, '1']),
  );
  expect(new Set(value.map(({ message: id }) => id)).size).toBe(1);
});

it('tokens are listed by index as by numbers, also where they are held', async () => {
  const { bob } = network;
  const pool = 'seats';
  await makePool(network, { name: pool, type: 'nonfungible', connector: 'erc1155' });
  await network.alice.client.mintTokens({ body: { pool, amount: compact('11'), to: 'bob' }, query: confirm });
  const indexes = Array.from({ length: 11 }, (_, n) => String(n + 1));
  await expectBalances(network, pool, Object.fromEntries(indexes.map((n) => [`${bob.key}/${n}`, '1'])));
  const held = async (tokenindex: string | readonly string[]) => {
    const query = { pool, tokenindex, sort: 'tokenindex' };
    return (await bob.client.listTokenBalances({ query })).value.map(({ tokenIndex }) => tokenIndex);
  };
  expect(await held('<11')).toEqual(indexes.slice(0, 10));
  expect(await held(['[>=9', '<=10'])).toEqual(['9', '10']);
  expect(await held('!')).toEqual(indexes);
});
