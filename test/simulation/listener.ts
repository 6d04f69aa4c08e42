import type { ContractLog } from '../../src/ports/blockchain.js';
import { type Heard, type HeardKind, heardIn, kindOfEvent } from './meters.js';

/** An event that a listener requests; without an address, from any contract. */
export interface Ask {
  readonly kind: HeardKind;
  readonly address: string | undefined;
}

/** A request to create a listener. */
export interface ListenerWish {
  readonly name: string | undefined;
  readonly topic: string;
  readonly firstEvent: 'oldest' | 'newest' | number;
  readonly asks: readonly Ask[];
}

/** A listener that a node has stored. */
export interface StoredListener extends ListenerWish {
  readonly id: string;
  readonly name: string;
}

/** A listener over all lives of its node. */
export interface Listener extends StoredListener {
  /** The first block that counts; undefined while its node has not chosen one. */
  first: number | undefined;
  /** The newest block of the chain when it was stored. */
  readonly headBefore: number;
  readonly cursorBefore: number | undefined;
  state: 'joining' | 'following';
  /** The blocks of the logs that it has received. */
  readonly blocks: number[];
  /** If it is deleted, the last block that its node had read. */
  until?: number;
  goneMs?: number;
}

/** The columns of a listener that are checked. */
export interface ListenerFields {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  readonly options: string;
  readonly filters: string;
  readonly state: 'joining' | 'following';
  readonly firstBlock: number | null;
}

interface StoredFilter {
  readonly event: {
    readonly name: string;
    readonly params: readonly { readonly schema: { readonly details: { readonly indexed?: boolean } } }[];
  };
  readonly location?: { readonly address: string };
}

export function readListener(row: ListenerFields, cursor: number | undefined, headBefore: number): Listener {
  const { id, name, topic, state, firstBlock } = row;
  const { firstEvent } = JSON.parse(row.options) as { readonly firstEvent: string };
  const filters = JSON.parse(row.filters) as readonly StoredFilter[];
  return {
    id,
    name,
    topic,
    firstEvent: firstEvent === 'oldest' || firstEvent === 'newest' ? firstEvent : Number(firstEvent),
    asks: filters.map(({ event, location }) => ({
      kind: kindOfEvent(
        event.name,
        event.params.some(({ schema }) => schema.details.indexed === true),
      ),
      address: location?.address,
    })),
    first: firstBlock ?? undefined,
    headBefore,
    cursorBefore: cursor,
    state,
    blocks: [],
  };
}

function eventsOf({ asks }: Pick<ListenerWish, 'asks'>): readonly string[] {
  return asks.map(({ kind, address }) => `${kind}@${address ?? 'any'}`);
}

export function keyOf({ name, topic, firstEvent, asks }: ListenerWish): string {
  return [name ?? '', topic, firstEvent, ...eventsOf({ asks })].join(' ');
}

/** Whether listeners are equal: they are if their events have the same signatures and contracts. */
export function isAlike(one: ListenerWish, other: ListenerWish): boolean {
  const signatures = ({ asks }: ListenerWish): string =>
    eventsOf({ asks })
      .map((event) => event.replace('plain ', ''))
      .sort()
      .join();
  return one.topic === other.topic && signatures(one) === signatures(other);
}

/** Reads a log as each of the requested events that it matches. */
export function heardBy(asks: readonly Ask[], log: ContractLog): readonly Heard[] {
  return asks.flatMap(({ kind, address }) => {
    const heard = address === undefined || address === log.address ? heardIn(kind, log) : undefined;
    return heard === undefined ? [] : [heard];
  });
}
