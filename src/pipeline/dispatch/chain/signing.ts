import { assert } from '../../../domain/invariant.js';
import { type Blockchain, type ChainCall, ChainError } from '../../../ports/blockchain.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { NewRow, OperationRow } from '../../../ports/tables/tables.js';
import { every, present } from '../../../ports/tables/where.js';
import { type StoredCall, storedCallOf } from '../../state/chain/stored-call.js';

export interface SigningParts {
  readonly key: string;
  readonly database: Database;
  readonly blockchain: Blockchain;
}

export interface Nonces {
  /** Signed and stored calls, by nonce, that are not known to be mined. */
  readonly open: Map<number, StoredCall>;
  /** Resolves once the open calls of earlier runs are loaded. */
  loaded(): Promise<void>;
  /** Marks all nonces below as taken. */
  isTaken(below: number): void;
}

export interface Signing extends Nonces {
  /** Signs with the next nonce and stores the call before it is sent; replaces the call `before`. */
  sign(operation: OperationRow, call: ChainCall, before?: StoredCall): Promise<StoredCall>;
  /** Signs for an operation that `write` stores in the same unit; returns false if `write` does. */
  readonly signAhead: (operation: NewRow<'operations'>, call: ChainCall, write: WriteAhead) => Promise<boolean>;
}

/** Stores an operation. Returns false, with nothing written, if it is no longer wanted. */
export type WriteAhead = (unit: Unit) => Promise<boolean>;

/** Rolls back a unit that has nothing to sign. */
class TooLate extends Error {}

/** More signed calls than a key has open at once. */
const maxOpen = 1_000;
const maxTogether = 100;

interface Request {
  readonly operation: Pick<OperationRow, 'id' | 'tx'>;
  readonly call: ChainCall;
  readonly before: StoredCall | undefined;
  /** Set for an operation that is not stored yet. */
  readonly write?: WriteAhead;
  readonly resolve: (stored: StoredCall) => void;
  readonly reject: (error: unknown) => void;
}

type Signed = Request & { readonly stored: StoredCall & { readonly transactionHash: string } };

/** Signs waiting calls in units, one after the other: a nonce is assigned only when all lower ones are on disk. */
export function createSigning(parts: SigningParts): Signing {
  const { key, database, blockchain } = parts;
  const nonces = createNonces(parts);
  const { open } = nonces;
  const requests: Request[] = [];
  let signing: Promise<void> | undefined;

  function request(asked: Omit<Request, 'resolve' | 'reject'>): Promise<StoredCall> {
    return new Promise((resolve, reject) => {
      requests.push({ ...asked, resolve, reject });
      signing ??= signAll();
    });
  }

  async function signAhead(...[operation, call, write]: Parameters<Signing['signAhead']>): Promise<boolean> {
    try {
      await request({ operation, call, before: undefined, write });
      return true;
    } catch (error) {
      if (error instanceof TooLate) return false;
      throw error;
    }
  }

  async function signAll(): Promise<void> {
    while (requests.length > 0) {
      // An operation that may be rolled back is signed alone, so that no other takes a later nonce.
      const together = requests.splice(0, requests.some(({ write }) => write !== undefined) ? 1 : maxTogether);
      try {
        await signTogether(together);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    signing = undefined;
  }

  async function signTogether(together: readonly Request[]): Promise<void> {
    let nonce = await nonces.peek();
    const signed: Signed[] = [];
    for (const each of together) {
      const bytes = await signOrReject(each, nonce);
      if (bytes === undefined) continue;
      signed.push({ ...each, stored: { operation: each.operation.id, nonce, ...bytes } });
      nonce += 1;
    }
    await database.transaction((unit) => storeAll(unit, signed));
    nonces.isTaken(nonce);
    for (const { stored, before } of signed) {
      if (before !== undefined && open.get(before.nonce) === before) open.delete(before.nonce);
      open.set(stored.nonce, stored);
    }
    for (const { stored, resolve } of signed) resolve(stored);
  }

  /** A call that cannot be signed is rejected without affecting the others. */
  async function signOrReject({ call, reject }: Request, nonce: number) {
    try {
      return await blockchain.sign(key, nonce, call);
    } catch (error) {
      reject(error);
      return undefined;
    }
  }

  return { ...nonces, sign: (operation, call, before) => request({ operation, call, before }), signAhead };
}

function createNonces({ key, database, blockchain }: SigningParts): Nonces & { peek(): Promise<number> } {
  const open = new Map<number, StoredCall>();
  let loading: Promise<void> | undefined;
  let next: number | undefined;

  /** Loads the open calls of earlier runs, lowest nonce first (docs/architecture.md §9.2). */
  async function load(): Promise<void> {
    const rows = await database.rows(
      'operations',
      { namespace: every, signer: key, status: ['Initialized', 'Pending'], nonce: present },
      { limit: maxOpen, by: 'nonce' },
    );
    for (const row of rows) {
      const stored = storedCallOf(row);
      if (stored !== undefined && !open.has(stored.nonce)) open.set(stored.nonce, stored);
    }
  }

  async function loaded(): Promise<void> {
    loading ??= load();
    try {
      await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }

  /**
   * Returns the next nonce: after the chain's count of mined calls and after the open calls stored here. Ended calls
   * are mined and therefore in the chain's count, so no row can cause a gap.
   *
   * @throws ChainError unreachable if ended calls are not in the count: their nonces must not be used twice
   */
  async function peek(): Promise<number> {
    await loaded();
    next ??= Math.max(Math.max(-1, ...open.keys()) + 1, await countAll());
    return next;
  }

  async function countAll(): Promise<number> {
    const count = await blockchain.count(key);
    const mined = { namespace: every, signer: key, status: 'Succeeded', nonce: present } as const;
    const last = await database.rows('operations', mined, { limit: maxTogether, newestFirst: true });
    const nonce = Math.max(-1, ...last.map((row) => row.nonce ?? -1));
    if (nonce < count) return count;
    const what = `The chain has mined ${count} calls of ${key}, and a call with nonce ${nonce} was mined before`;
    throw new ChainError('unreachable', `${what}: if this lasts, the chain was reorganised; rebuild this node.`);
  }

  return {
    open,
    loaded,
    peek,
    isTaken(below) {
      if (next !== undefined) next = Math.max(next, below);
    },
  };
}

/** Two reads and two writes, however many calls are signed together. */
async function storeAll(unit: Unit, signed: readonly Signed[]): Promise<void> {
  if (signed.length === 0) return;
  for (const { write } of signed) if (write !== undefined && !(await write(unit))) throw new TooLate();
  const sequences = await findUnsigned(unit, signed);
  const hashes = await hashesAfter(unit, signed);
  await unit.updateEach(
    'operations',
    'sequence',
    signed.map(({ operation: { id }, stored: { nonce, raw, transactionHash } }) => {
      return { sequence: sequences.get(id) ?? 0, nonce, raw, transactionHash };
    }),
  );
  if (hashes.size === 0) return;
  await unit.updateEach(
    'transactions',
    'id',
    [...hashes].map(([id, blockchainIds]) => ({ id, blockchainIds })),
  );
}

/** Returns the sequences of the operations, which must be open and have no call other than the one replaced. */
async function findUnsigned(unit: Unit, signed: readonly Signed[]): Promise<ReadonlyMap<string, number>> {
  const ids = signed.map(({ operation }) => operation.id);
  const rows = await unit.rows(
    'operations',
    { namespace: every, id: ids, status: ['Initialized', 'Pending'] },
    { limit: signed.length },
  );
  const rawOf = new Map(rows.map(({ id, raw }) => [id, raw]));
  const isOnce = signed.every(({ operation, before }) => rawOf.get(operation.id) === (before?.raw ?? null));
  assert(isOnce && rows.length === signed.length, 'a call is signed once');
  return new Map(rows.map(({ id, sequence }) => [id, sequence]));
}

/** Returns the transactions' lists of call hashes with the new ones, by transaction id. */
async function hashesAfter(unit: Unit, signed: readonly Signed[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = [...new Set(signed.map(({ operation }) => operation.tx))];
  const hashes = new Map<string, readonly string[]>();
  const transactions = await unit.rows('transactions', { namespace: every, id: ids }, { limit: ids.length });
  for (const { id, blockchainIds } of transactions) hashes.set(id, blockchainIds);
  for (const { operation, before, stored } of signed) {
    const known = hashes.get(operation.tx);
    const kept = known?.filter((hash) => hash !== before?.transactionHash && hash !== stored.transactionHash);
    if (kept !== undefined) hashes.set(operation.tx, [...kept, stored.transactionHash]);
  }
  return hashes;
}
