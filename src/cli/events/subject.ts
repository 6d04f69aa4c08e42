import { UnreachableError } from '../../client/errors.js';
import type { DeliveredEvent } from '../../wire/events/event.js';
import type { TokenPool, TokenTransfer } from '../../wire/token.js';
import { type Owners, ownerText, readOwners } from '../requests/owners.js';
import { readPools } from '../tokens/pools/pool-table.js';
import { refusalText } from '../tokens/refusal-texts.js';
import type { PartyNode } from '../requests/target.js';
import { shortId } from '../terminal/text.js';

/**
 * Describes the subject of an event without a message: `order@1.0`, `coins`, `mint 100 coins → bob`, or the error of a
 * failed operation. Not escaped.
 *
 * @throws ClientError
 */
export type EventSubject = (event: DeliveredEvent) => Promise<readonly string[]>;

/**
 * Creates the subjects for the events of one party, with the node's names of keys and pools. Names are read once, those
 * of pools again for an unknown pool. While the node is unreachable, keys and ids are shown instead.
 */
export function createEventSubject({ client }: Pick<PartyNode, 'client'>): EventSubject {
  let owners: Owners | undefined;
  let pools: ReadonlyMap<string, TokenPool> = new Map();

  async function ifReachable<Names>(read: () => Promise<Names>): Promise<Names | undefined> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof UnreachableError) return undefined;
      throw error;
    }
  }

  async function ownersNow(): Promise<Owners> {
    owners ??= await ifReachable(() => readOwners(client));
    return owners ?? noOwners;
  }

  async function poolName(id: string): Promise<string> {
    if (!pools.has(id)) pools = (await ifReachable(() => readPools(client))) ?? pools;
    return pools.get(id)?.name ?? shortId(id);
  }

  return async (event) => {
    const { tokenTransfer, tokenApproval, operation } = event;
    if (tokenTransfer !== undefined) {
      return [transferText(tokenTransfer, await poolName(tokenTransfer.pool), await ownersNow())];
    }
    if (tokenApproval !== undefined) {
      const { key, operator, approved, pool } = tokenApproval;
      const known = await ownersNow();
      const [owner, other] = [ownerText(key, known, true), ownerText(operator, known, true)];
      return [`${owner} ${approved ? 'lets' : 'no longer lets'} ${other} move ${await poolName(pool)}`];
    }
    if (operation?.error !== undefined) return [refusalText(operation.error, await ownersNow())];
    return namesOf(event);
  };
}

const noOwners: Owners = { nameOf: () => undefined, keysOf: () => [], names: () => [] };

/** `transfer 5 coins alice → bob`, `mint deeds #1 → bob`, `burn 1 coins of carol`. */
function transferText(transfer: TokenTransfer, pool: string, owners: Owners): string {
  const { type, amount, tokenIndex, from, to } = transfer;
  const what = tokenIndex === undefined ? `${amount} ${pool}` : `${pool} #${tokenIndex}`;
  const source = from === undefined ? '' : `${type === 'burn' ? ' of' : ''} ${ownerText(from, owners, true)}`;
  return `${type} ${what}${source}${to === undefined ? '' : ` → ${ownerText(to, owners, true)}`}`;
}

/** The names of the records that an event refers to, or the type of its transaction. */
function namesOf(event: DeliveredEvent): readonly string[] {
  const { datatype, identity, tokenPool, contractInterface, contractAPI, blockchainEvent, transaction } = event;
  const versioned = [datatype, contractInterface].flatMap((each) => each ?? []);
  return [
    ...versioned.map(({ name, version }) => `${name}@${version}`),
    ...(identity === undefined ? [] : [identity.did]),
    ...[tokenPool, contractAPI, blockchainEvent].flatMap((each) => each?.name ?? []),
    ...(transaction === undefined ? [] : [transaction.type]),
  ];
}
