import { assert } from '../../domain/invariant.js';
import {
  type Blockchain,
  type ChainCall,
  ChainError,
  type ContractCall,
  type Receipt,
} from '../../ports/blockchain.js';
import { type Database, everyNamespace, type Unit } from '../../ports/database.js';
import type { Metrics } from '../../ports/metrics.js';
import type { OperationRow } from '../../ports/tables.js';
import { absent, among, equal } from '../../wire/query.js';
import { bytesOf, fillerOutput, type StoredCall, storedCallOf } from './stored-call.js';

export interface KeyCallParts {
  readonly key: string;
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly metrics: Metrics;
}

/** The calls of one key: who gets which nonce, and what is on its way. */
export interface KeyCalls {
  /** Signs the first call of an operation and stores it, before anybody sends it. */
  sign(operation: OperationRow, call: ChainCall): Promise<StoredCall>;
  /** Signs with a fresh nonce what is known to be impossible with the one that it had. */
  signAnew(operation: OperationRow, stored: StoredCall, call: ChainCall): Promise<StoredCall>;
  /** Stores an empty call with the nonce of one that the chain will never take. */
  fill(operation: OperationRow, stored: StoredCall, reason: string): Promise<StoredCall>;
  /**
   * The receipt of what is to use the nonce. Sends with it all that is stored below it: a chain takes the calls of a key
   * one by one. Rejects with ChainError.
   */
  receiptOf(stored: StoredCall): Promise<Receipt>;
  /** The receipt of these bytes and no others; undefined if the chain will never take them. */
  submitAlone(raw: string): Promise<Receipt | undefined>;
  /** Whether a nonce is used on chain; `perhaps`: not deep enough to be sure. */
  isUsed(nonce: number): Promise<'yes' | 'no' | 'perhaps'>;
}

/** More signed calls of a key than its lanes ever have open at once. */
const maxOpen = 1_000;
const maxTogether = 50;

interface Request {
  readonly operation: OperationRow;
  readonly call: ChainCall;
  /** What stands in the row until now. */
  readonly before: StoredCall | undefined;
  readonly resolve: (stored: StoredCall) => void;
  readonly reject: (error: unknown) => void;
}

type Signed = Request & { readonly stored: StoredCall & { readonly transactionHash: string } };

/** The calls of a key in one life. What earlier lives have stored and not ended is taken up with the first. */
export function createKeyCalls({ key, database, blockchain, metrics }: KeyCallParts): KeyCalls {
  /** Signed, stored, and not known to be mined: by nonce. */
  const open = new Map<number, StoredCall>();
  const underWay = new Map<string, Promise<Receipt>>();
  const requests: Request[] = [];
  let signing: Promise<void> | undefined;
  let loading: Promise<void> | undefined;
  let next: number | undefined;

  /** What earlier lives have left: to be sent again, the lowest nonce first (assurance B20). */
  async function load(): Promise<void> {
    const isOpen = among('status', ['Initialized', 'Pending']);
    const where = [equal('signer', key), isOpen, { field: 'nonce', is: 'notNull' } as const];
    const sort = [{ field: 'nonce' }];
    const rows = await database.find('operations', { namespace: everyNamespace, where, sort, limit: maxOpen });
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
   * What the chain has mined, and behind that what is signed here and has not ended. What has ended is mined, so its
   * nonces are in the chain's count: no row can make a gap.
   */
  async function peek(): Promise<number> {
    await loaded();
    next ??= Math.max(Math.max(-1, ...open.keys()) + 1, await blockchain.count(key));
    return next;
  }

  function request(operation: OperationRow, call: ChainCall, before?: StoredCall): Promise<StoredCall> {
    return new Promise((resolve, reject) => {
      requests.push({ operation, call, before, resolve, reject });
      signing ??= signAll();
    });
  }

  /** One unit after the other, each with all that waits: a nonce is given when the ones below it are on disk. */
  async function signAll(): Promise<void> {
    while (requests.length > 0) {
      const together = requests.splice(0, maxTogether);
      try {
        await signTogether(together);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    signing = undefined;
  }

  async function signTogether(together: readonly Request[]): Promise<void> {
    let nonce = await peek();
    const signed: Signed[] = [];
    for (const each of together) {
      const bytes = await signOrReject(each, nonce);
      if (bytes === undefined) continue;
      signed.push({ ...each, stored: { operation: each.operation.id, nonce, ...bytes } });
      nonce += 1;
    }
    await database.transaction((unit) => storeAll(unit, signed));
    next = nonce;
    for (const { stored, before } of signed) {
      if (before !== undefined && open.get(before.nonce) === before) open.delete(before.nonce);
      open.set(stored.nonce, stored);
    }
    for (const { stored, resolve } of signed) resolve(stored);
  }

  /** A call that cannot be signed costs the others nothing. */
  async function signOrReject({ call, reject }: Request, nonce: number) {
    try {
      return await blockchain.sign(key, nonce, call);
    } catch (error) {
      reject(error);
      return undefined;
    }
  }

  /** Sends bytes, unless they are under way already. */
  function submit(nonce: number, raw: string): Promise<Receipt> {
    const known = underWay.get(raw);
    if (known !== undefined) return known;
    const sent = blockchain.submit(raw).then((receipt) => {
      if (open.delete(nonce)) metrics.count('ff_blockchain_transactions_total');
      return receipt;
    });
    underWay.set(raw, sent);
    const end = (): void => void underWay.delete(raw);
    // Whoever waits for it has the error, too; for what is sent on behalf of others nobody may.
    sent.then(end, end);
    return sent;
  }

  return {
    sign: (operation, call) => request(operation, call),
    signAnew: (operation, stored, call) => request(operation, call, stored),

    async fill(operation, stored, reason) {
      const { raw } = await blockchain.sign(key, stored.nonce, emptyCall(key));
      const filled = { ...stored, filler: { raw, reason } };
      await database.transaction(async (unit) => {
        const where = [equal('id', operation.id), equal('raw', stored.raw)];
        const changes = { output: fillerOutput(filled.filler) };
        const changed = await unit.update('operations', { namespace: operation.namespace, where }, changes);
        assert(changed === 1, 'a nonce is used up for the call that has it');
      });
      open.set(stored.nonce, filled);
      return filled;
    },

    async receiptOf(stored) {
      await loaded();
      const below = [...open.values()].filter(({ nonce }) => nonce < stored.nonce);
      for (const each of below.sort((a, b) => a.nonce - b.nonce)) void submit(each.nonce, bytesOf(each));
      return submit(stored.nonce, bytesOf(stored));
    },

    async submitAlone(raw) {
      try {
        return await blockchain.submit(raw);
      } catch (error) {
        if (error instanceof ChainError && error.reason === 'refused') return undefined;
        throw error;
      }
    },

    async isUsed(nonce) {
      if ((await blockchain.count(key)) <= nonce) return 'no';
      const confirmed = await blockchain.count(key, 'confirmed');
      if (confirmed <= nonce) return 'perhaps';
      open.delete(nonce);
      // Whoever has used it may have used more: what is signed from now on comes behind.
      if (next !== undefined) next = Math.max(next, confirmed);
      return 'yes';
    },
  };
}

/** Changes nothing but the nonce of its key. */
function emptyCall(key: string): ContractCall {
  return { type: 'contract', to: key, data: '0x', gas: 21_000, value: '0' };
}

async function storeAll(unit: Unit, signed: readonly Signed[]): Promise<void> {
  for (const { operation, before, stored } of signed) {
    const { nonce, raw, transactionHash } = stored;
    const isOpen = among('status', ['Initialized', 'Pending']);
    const isAsBefore = before === undefined ? absent('raw') : equal('raw', before.raw);
    const where = [equal('id', operation.id), isOpen, isAsBefore];
    const changes = { nonce, raw, transactionHash };
    const changed = await unit.update('operations', { namespace: operation.namespace, where }, changes);
    assert(changed === 1, 'a call is signed once');
    await noteHashes(unit, operation, { gone: before?.transactionHash ?? null, added: transactionHash });
  }
}

/** The transaction of an operation names the calls that were made for it. */
async function noteHashes(
  unit: Unit,
  { namespace, tx }: OperationRow,
  { gone, added }: { readonly gone: string | null; readonly added: string },
): Promise<void> {
  const own = { namespace, where: [equal('id', tx)] };
  const [transaction] = await unit.find('transactions', { ...own, sort: [{ field: 'sequence' }], limit: 1 });
  if (transaction === undefined) return;
  const kept = transaction.blockchainIds.filter((hash) => hash !== gone && hash !== added);
  await unit.update('transactions', own, { blockchainIds: [...kept, added] });
}
