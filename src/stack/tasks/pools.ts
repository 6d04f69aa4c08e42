import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { readShape } from '../../supervisor/files/json-file.js';
import { exchange, untilConnected } from './exchange.js';

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
});

const Pool = Type.Object({
  type: Type.String(),
  connector: Type.String(),
  active: Type.Boolean(),
  tx: Type.Optional(Type.Object({ id: Type.Optional(Type.String()) })),
});
const Begun = Type.Object({ tx: Type.Object({ id: Type.String() }) });
const Operations = Type.Array(
  Type.Object({ status: Type.String(), error: Type.Optional(Type.String()), retry: Type.Optional(Type.String()) }),
);
const Transfers = Type.Array(Type.Object({ protocolId: Type.String() }));

/** A party's node. */
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
  return untilConnected(async () => {
    const begunMs = performance.now();
    await Promise.all(config.pools.map((pool) => ensurePool(pool, nodes)));
    const names = config.pools.map(({ name }) => name);
    return { pools: names, durationMs: Math.round(performance.now() - begunMs) };
  });
}

async function ensurePool(pool: PoolConfig, nodes: readonly Node[]): Promise<void> {
  const owner = nodeOf(pool.owner, nodes);
  const { name, type, connector, symbol } = pool;
  const path = `tokens/pools/${encodeURIComponent(name)}`;
  const found = await owner.get(Pool, path);
  if (found !== undefined && found.type !== type) {
    throw new Error(`There is a pool ${name} already, and it is ${found.type}.`);
  }
  if (found === undefined) {
    const body = { name, type, connector, ...(symbol !== undefined && { symbol }) };
    await owner.post('tokens/pools', { ...body, idempotencyKey: `stack.yaml: pool ${name}` });
  }
  await Promise.all(
    nodes.map((node) =>
      until(async () => {
        const there = await node.get(Pool, path);
        if (there?.active === true) return true;
        if (node === owner) await requireNotFailed(owner, there?.tx?.id, `The pool ${name}`);
        return undefined;
      }),
    ),
  );
  await Promise.all(mintsOf(pool, nodes).map((mint) => ensureMint(owner, mint, nodes)));
}

interface Mint {
  readonly body: Readonly<Record<string, unknown>>;
  readonly what: string;
}

/** A contract per pool mints one non-fungible token at a time; the shared one mints many (docs/api.md §19.2, §19.5). */
function mintsOf({ name, type, connector, balances }: PoolConfig, nodes: readonly Node[]): Mint[] {
  return balances.flatMap(({ party, amount }) => {
    const isSingle = type === 'nonfungible' && connector !== 'erc1155';
    const parts = isSingle ? Array.from({ length: Number(amount) }, () => '1') : [amount];
    const to = nodeOf(party, nodes).organization;
    return parts.map((part, index) => {
      const idempotencyKey = `stack.yaml: ${name} for ${party} ${index + 1}`;
      return { body: { pool: name, amount: part, to, idempotencyKey }, what: `What ${party} is given of ${name}` };
    });
  });
}

async function ensureMint(owner: Node, { body, what }: Mint, nodes: readonly Node[]): Promise<void> {
  const { transaction } = await owner.post('tokens/mint', body);
  const first = await until(async () => {
    const moved = await owner.get(Transfers, `tokens/transfers?tx.id=${transaction}&limit=1`);
    if (moved?.[0] === undefined) await requireNotFailed(owner, transaction, what);
    return moved?.[0];
  });
  const path = `tokens/transfers?protocolid=${encodeURIComponent(first.protocolId)}&limit=1`;
  await Promise.all(nodes.map((node) => until(async () => (await node.get(Transfers, path))?.[0])));
}

/** @throws Error if an operation has failed for good */
async function requireNotFailed(owner: Node, transaction: string | undefined, what: string): Promise<void> {
  if (transaction === undefined) return;
  const operations = await owner.get(Operations, `transactions/${transaction}/operations`);
  const failed = operations?.find(({ status, retry }) => status === 'Failed' && retry === undefined);
  if (failed !== undefined) throw new Error(`${what} could not be made: ${failed.error ?? 'no reason was given'}`);
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

/** The transaction of a used idempotency key: the last id in the sentence of that refusal. */
function usedBefore(text: string): string | undefined {
  if (!/FF1043[01]/.test(text)) return undefined;
  return text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)?.at(-1);
}
