import { Interface, type LogDescription, toUtf8String } from 'ethers';
import { tokenPoolsAddress } from '../../src/adapters/blockchain/memory/chain.js';
import { tokenPoolsAbi } from '../../src/domain/tokens/contracts.js';
import type { ContractLog } from '../../src/ports/blockchain.js';
import type { Simulator } from './life.js';
import type { Judged } from './oracle-datatypes.js';

/** The defined pools, derived only from the chain and the order of definitions (docs/protocol.md §9.3, §13). */
export interface TokenOracle {
  /** Judges the definition of a pool; undefined for any other message. */
  judge(message: Judged): boolean | undefined;
  /** Whether the operation that a message belongs to, if any, precedes it (docs/protocol.md §8.6). */
  hasOperation(message: Judged): boolean;
  /** The pools that are defined now. */
  pools(): readonly Definition[];
}

export interface Definition {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly locator: string;
  readonly key: string;
}

/** The data of a call. */
interface Named {
  readonly message?: string;
  readonly messageHash?: string;
}

const contract = new Interface(tokenPoolsAbi);
/** The event with the data of an operation, by the type of the operation. */
const dataEvents: ReadonlyMap<string, string> = new Map([
  ['token_transfer', 'TransferData'],
  ['token_approval', 'ApprovalData'],
]);
const indexMask = (1n << 128n) - 1n;

/** `logs` returns all current logs of the chain, including later ones than those judged. */
export function createTokenOracle(sometimes: Simulator['sometimes'], logs: () => readonly ContractLog[]): TokenOracle {
  const pools: (Definition & { readonly startId: bigint; readonly block: number })[] = [];

  function before(block: number): readonly (LogDescription & { readonly block: number })[] {
    return logs().flatMap(({ address, position, topics, data }) => {
      const isEarlier = address === tokenPoolsAddress && position.block < block;
      const event = isEarlier ? contract.parseLog({ topics, data }) : null;
      return event === null ? [] : [Object.assign(event, { block: position.block })];
    });
  }

  function define({ id, namespace, name, locator, key }: Definition, block: number): boolean {
    const place = new URLSearchParams(locator);
    const startId = BigInt(place.get('startId') ?? -1);
    const isCreated = before(block).some(
      (event) =>
        event.name === 'PoolCreated' &&
        event.block === Number(place.get('block')) &&
        event.args['startId'] === startId &&
        String(event.args['creator']).toLowerCase() === key,
    );
    if (!isCreated) sometimes('pool is elsewhere than its definition says');
    const others = pools.filter((each) => each.namespace === namespace);
    const isNew = others.every((each) => each.id !== id && each.name !== name && each.startId !== startId);
    if (!isCreated || !isNew) return false;
    pools.push({ id, namespace, name, locator, key, startId, block: Number(place.get('block')) });
    return true;
  }

  return {
    judge({ tag, items: [item], block }) {
      return tag === 'svc_define_pool' ? define(item?.value as Definition, block) : undefined;
    },
    pools: () => pools,
    hasOperation({ id, hash, namespace, parent, block }) {
      const dataOf = dataEvents.get(parent?.type ?? '');
      if (dataOf === undefined) return true;
      const events = before(block);
      const known = pools.filter((each) => each.namespace === namespace);
      const isThere = events.some((event, index) => {
        if (event.name !== dataOf) return false;
        const { message, messageHash } = JSON.parse(toUtf8String(String(event.args['data']))) as Named;
        if (message !== id || messageHash !== hash) return false;
        // An approval holds in all pools of the contract, and has its message in those that were there before.
        if (dataOf === 'ApprovalData') return known.some((pool) => pool.block <= event.block);
        // The data directly follows the transfer's event.
        const moved = BigInt(firstToken(events[index - 1]));
        return known.some(({ startId }) => startId === (moved & ~indexMask));
      });
      if (!isThere) sometimes('message without its operation');
      return isThere;
    },
  };
}

function firstToken(event: LogDescription | undefined): bigint {
  const [, , , ids] = event?.args ?? [];
  return BigInt(Array.isArray(ids) ? ids[0] : ids);
}
