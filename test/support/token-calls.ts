import { expect } from 'vitest';
import { eventually } from './eventually.js';
import { ClientError } from '../../src/client/errors.js';
import type { TokenPool } from '../../src/wire/token.js';
import type { TokenNetwork, TokenParty } from './token-network.js';

/** Returns status and code of a refused call. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ClientError)) throw new Error('The call was not refused', { cause: error });
  return { status: error.status, code: error.code };
}

/** Creates a pool of alice; resolves when all parties follow it. */
export async function makePool(
  { alice, parties }: TokenNetwork,
  body: { readonly name: string; readonly type: string; readonly connector: string },
): Promise<TokenPool> {
  const { value } = await alice.client.createTokenPool({ body, query: { confirm: true } });
  for (const { client } of parties) {
    await eventually(async () => {
      const { value: pool } = await client.getTokenPool({ path: { nameOrId: value.id } });
      expect(pool.active).toBe(true);
    });
  }
  return value;
}

/** Waits until all parties have these balances in a pool, by key or by key/index. */
export async function expectBalances(
  { parties }: TokenNetwork,
  pool: string,
  expected: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { client } of parties) {
    await eventually(async () => {
      const { value } = await client.listTokenBalances({ query: { pool } });
      const shown = value.map(({ key, tokenIndex, balance }) => [
        tokenIndex === undefined ? key : `${key}/${tokenIndex}`,
        balance,
      ]);
      expect(Object.fromEntries(shown)).toEqual(expected);
    });
  }
}

/** Waits until a party has no pending message or operation. */
export async function expectNothingPending({ client, fatal }: TokenParty): Promise<void> {
  await eventually(async () => {
    expect((await client.listMessages({ query: { pending: true } })).value).toEqual([]);
    for (const status of ['Initialized', 'Pending']) {
      expect((await client.listOperations({ query: { status } })).value).toEqual([]);
    }
  });
  expect(fatal).toEqual([]);
}
