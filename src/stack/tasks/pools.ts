import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { readShape } from '../../supervisor/files/json-file.js';
import { exchange, untilConnected } from './exchange.js';
import { openPoolRecord, type PoolRecord } from './pool-record.js';

const Party = Type.Object({
  name: Type.String(),
  organization: Type.String(),
  url: Type.String(),
  tokenFile: Type.Optional(Type.String()),
  certificateFile: Type.Optional(Type.String()),
});
const PoolConfig = Type.Object({
  name: Type.String(),
  type: Type.String(),
  owner: Type.String(),
  connector: Type.String(),
  symbol: Type.Optional(Type.String()),
  balances: Type.Array(Type.Object({ party: Type.String(), amount: Type.String() })),
});
type PoolConfig = Static<typeof PoolConfig>;
const Config = Type.Object({
  namespace: Type.String(),
  parties: Type.Array(Party, { minItems: 1 }),
  pools: Type.Array(PoolConfig),
  /** The file of the pool record; absent if nothing reads it. */
  recordFile: Type.Optional(Type.String()),
});

const Pool = Type.Object({
  type: Type.String(),
  connector: Type.String(),
  active: Type.Boolean(),
  published: Type.Boolean(),
  /** The message that publishes it. */
  message: Type.Optional(Type.String()),
  tx: Type.Optional(Type.Object({ id: Type.Optional(Type.String()) })),
});
const Begun = Type.Object({ tx: Type.Object({ id: Type.String() }) });
const Operations = Type.Array(
  Type.Object({ status: Type.String(), error: Type.Optional(Type.String()), retry: Type.Optional(Type.String()) }),
);
const Transfers = Type.Array(Type.Object({ protocolId: Type.String() }));

interface Node {
  readonly name: string;
  readonly organization: string;
  get<Schema extends TSchema>(schema: Schema, path: string): Promise<Static<Schema> | undefined>;
  /** Resolves with the transaction of a POST; with that of the earlier one if the idempotency key was used before. */
  post(path: string, body: Readonly<Record<string, unknown>>): Promise<{ readonly transaction: string }>;
}

const pollMs = 20;

/**
 * Creates the pools of a definition and mints their initial balances, as far as they are missing, and waits until every
 * party has recorded them. It can be killed at any point and run again: each request has a deterministic idempotency
 * key.
 */
export async function ensurePools(configText: string): Promise<Record<string, unknown>> {
  const config = readShape(Config, configText, 'The configuration of the task');
  const nodes = await Promise.all(config.parties.map((party) => openNode(party, config.namespace)));
  const record = await openPoolRecord(config.recordFile);
  return untilConnected(async () => {
    const begunMs = performance.now();
    await Promise.all(config.pools.map((pool) => ensurePool(pool, nodes, record)));
    const names = config.pools.map(({ name }) => name);
    return { pools: names, durationMs: Math.round(performance.now() - begunMs) };
  });
}

async function ensurePool(pool: PoolConfig, nodes: readonly Node[], record: PoolRecord): Promise<void> {
  const owner = nodeOf(pool.owner, nodes);
  const { name, type, connector, symbol } = pool;
  const path = `tokens/pools/${encodeURIComponent(name)}`;
  const found = await owner.get(Pool, path);
  if (found === undefined) {
    const body = { name, type, connector, ...(symbol !== undefined && { symbol }) };
    await owner.post('tokens/pools', { ...body, idempotencyKey: `stack.yaml: pool ${name}` });
  } else requireSame(pool, found);
  await record.notePool(pool);
  await Promise.all(
    nodes.map((node) =>
      until(async () => {
        const there = await node.get(Pool, path);
        if (node !== owner) return there?.active === true ? true : undefined;
        if (there !== undefined && isLocal(there)) await record.forgetPool(name);
        if (there !== undefined) requireSame(pool, there);
        if (there?.active === true && there.published) return true;
        await requireNotFailed(owner, there?.tx?.id, `The pool ${name}`, () => record.forgetPool(name));
        return undefined;
      }),
    ),
  );
  await Promise.all(balancesOf(pool, nodes).map((balance) => ensureBalance(pool, balance, nodes, record)));
}

/** Whether the pool exists only at this node and is not being published. */
function isLocal({ active, published, message }: Static<typeof Pool>): boolean {
  return active && !published && message === undefined;
}

/** @throws Error if a pool of this name is another than the definition asks for */
function requireSame({ name, type, connector, owner }: PoolConfig, found: Static<typeof Pool>): void {
  const there = `There is a pool ${name} already, and`;
  const change = 'Change the pool in stack.yaml to match, or rename it there.';
  if (found.type !== type) throw new Error(`${there} it is ${found.type}. ${change}`);
  if (found.connector !== connector) throw new Error(`${there} its connector is ${found.connector}. ${change}`);
  if (!isLocal(found)) return;
  const publish = `remove it there, start, publish the pool at ${owner} and add it again`;
  throw new Error(`${there} it is not published: only ${owner} has it. Rename the pool in stack.yaml, or ${publish}.`);
}

interface Mint {
  readonly body: Readonly<Record<string, unknown>>;
  readonly what: string;
}

/** The initial balance of a party, with the mints that make it. */
interface OpeningBalance {
  readonly party: string;
  readonly amount: string;
  readonly mints: readonly Mint[];
}

/** A contract per pool mints one non-fungible token at a time; the shared one mints many (docs/api.md §19.2, §19.5). */
function balancesOf({ name, type, connector, balances }: PoolConfig, nodes: readonly Node[]): OpeningBalance[] {
  return balances.map(({ party, amount }) => {
    const isSingle = type === 'nonfungible' && connector !== 'erc1155';
    const parts = isSingle ? Array.from({ length: Number(amount) }, () => '1') : [amount];
    const to = nodeOf(party, nodes).organization;
    const mints = parts.map((part, index) => {
      const idempotencyKey = `stack.yaml: ${name} for ${party} ${index + 1}`;
      return {
        body: { pool: name, amount: part, to, idempotencyKey },
        what: `The balance of ${party} in the pool ${name}`,
      };
    });
    return { party, amount, mints };
  });
}

async function ensureBalance(
  pool: PoolConfig,
  { party, amount, mints }: OpeningBalance,
  nodes: readonly Node[],
  record: PoolRecord,
): Promise<void> {
  const owner = nodeOf(pool.owner, nodes);
  const begun = await Promise.all(
    mints.map(async ({ body, what }) => ({ what, ...(await owner.post('tokens/mint', body)) })),
  );
  await record.noteBalance(pool.name, { party, amount });
  await Promise.all(
    begun.map(async ({ what, transaction }) => {
      const first = await until(async () => {
        const moved = await owner.get(Transfers, `tokens/transfers?tx.id=${transaction}&limit=1`);
        if (moved?.[0] !== undefined) return moved[0];
        await requireNotFailed(owner, transaction, what, () => record.forgetBalance(pool.name, party));
        return undefined;
      });
      const path = `tokens/transfers?protocolid=${encodeURIComponent(first.protocolId)}&limit=1`;
      await Promise.all(nodes.map((node) => until(async () => (await node.get(Transfers, path))?.[0])));
    }),
  );
}

/** @throws Error if an operation has failed permanently, after `onFailed` */
async function requireNotFailed(
  owner: Node,
  transaction: string | undefined,
  what: string,
  onFailed: () => Promise<void>,
): Promise<void> {
  if (transaction === undefined) return;
  const operations = await owner.get(Operations, `transactions/${transaction}/operations`);
  const failed = operations?.find(({ status, retry }) => status === 'Failed' && retry === undefined);
  if (failed === undefined) return;
  await onFailed();
  throw new Error(`${what} could not be created: ${failed.error ?? 'no reason was given'}`);
}

async function until<Value>(find: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(pollMs);
  }
}

function nodeOf(party: string, nodes: readonly Node[]): Node {
  const node = nodes.find(({ name }) => name === party);
  if (node === undefined) throw new Error(`There is no party ${party}.`);
  return node;
}

async function openNode(
  { name, organization, url, tokenFile, certificateFile }: Static<typeof Party>,
  namespace: string,
): Promise<Node> {
  const token = tokenFile === undefined ? undefined : (await readFile(tokenFile, 'utf8')).trim();
  const base = `${url}/api/v1/namespaces/${encodeURIComponent(namespace)}/`;
  return {
    name,
    organization,
    async get(schema, path) {
      const { status, text } = await exchange('GET', base + path, { token, certificateFile });
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`${name} answered GET ${path} with status ${status}: ${text}`);
      return readShape(schema, text, `The answer of ${name} to GET ${path}`);
    },
    async post(path, body) {
      const { status, text } = await exchange('POST', base + path, { token, certificateFile, body });
      if (status === 202) return { transaction: readShape(Begun, text, `The answer of ${name}`).tx.id };
      const earlier = status === 409 ? usedBefore(text) : undefined;
      if (earlier === undefined) throw new Error(`${name} refused POST ${path} with status ${status}: ${text}`);
      return { transaction: earlier };
    },
  };
}

/** The transaction of a used idempotency key: the last id in the refusal. */
function usedBefore(text: string): string | undefined {
  if (!/FF1043[01]/.test(text)) return undefined;
  return text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)?.at(-1);
}
