import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import type { PoolSettings } from '../settings/token-settings.js';

const Balance = Type.Object({ party: Type.String(), amount: Type.String() });
const RecordedPool = Type.Object({
  type: Type.String(),
  owner: Type.String(),
  connector: Type.String(),
  symbol: Type.Union([Type.String(), Type.Null()]),
  balances: Type.Array(Balance),
});
const RecordFile = Type.Object({ version: Type.Literal(1), pools: Type.Record(Type.String(), RecordedPool) });
type RecordedPool = Static<typeof RecordedPool>;
type RecordedPools = Static<typeof RecordFile>['pools'];

/** The definition of a pool in its record, or in the settings of the last start. */
export type PoolDefinition = Omit<PoolSettings, 'type' | 'symbol'> & {
  readonly type: string;
  readonly symbol?: string | undefined;
};

/**
 * The pools of `stack.yaml` that the network has, with the balances it has minted: `data/pools.json`. Both are recorded
 * once they are requested, since their idempotency keys are then used, and removed again if the chain refuses them.
 */
export interface PoolRecord {
  /** Records a pool without balances; a recorded pool keeps its balances. */
  notePool(pool: PoolDefinition): Promise<void>;
  forgetPool(name: string): Promise<void>;
  noteBalance(pool: string, balance: Static<typeof Balance>): Promise<void>;
  forgetBalance(pool: string, party: string): Promise<void>;
}

/** Opens the record in a file; without a file nothing is recorded. */
export async function openPoolRecord(file: string | undefined): Promise<PoolRecord> {
  let pools: RecordedPools = (file === undefined ? undefined : await readPoolRecord(file)) ?? {};
  let written = Promise.resolve();

  /** Writes one version at a time, so that the last one stays. */
  async function change(next: RecordedPools): Promise<void> {
    pools = next;
    if (file === undefined) return;
    written = written.then(() => writePoolRecord(file, next));
    await written;
  }

  async function changeBalances(name: string, to: (has: RecordedPool['balances']) => RecordedPool['balances']) {
    const pool = pools[name];
    if (pool !== undefined) await change({ ...pools, [name]: { ...pool, balances: to(pool.balances) } });
  }

  return {
    async notePool({ name, type, owner, connector, symbol = null }) {
      if (Object.hasOwn(pools, name)) return;
      await change({ ...pools, [name]: { type, owner, connector, symbol, balances: [] } });
    },
    async forgetPool(name) {
      await change(Object.fromEntries(Object.entries(pools).filter(([each]) => each !== name)));
    },
    async noteBalance(pool, balance) {
      if (pools[pool]?.balances.some(({ party }) => party === balance.party) === true) return;
      await changeBalances(pool, (balances) => [...balances, balance]);
    },
    async forgetBalance(pool, party) {
      await changeBalances(pool, (balances) => balances.filter((each) => each.party !== party));
    },
  };
}

/** Reads the recorded pools by name; undefined if there is no record. @throws InvalidFileError */
export async function readPoolRecord(file: string): Promise<RecordedPools | undefined> {
  return (await readJsonFile(file, RecordFile))?.pools;
}

export async function writePoolRecord(file: string, pools: Readonly<Record<string, unknown>>): Promise<void> {
  await writeJsonFile(file, { version: 1, pools });
}
