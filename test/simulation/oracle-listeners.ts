import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { BlockchainEventRow } from '../../src/ports/tables/contract-tables.js';
import type { Simulator } from './life.js';
import {
  isAlike,
  keyOf,
  type Listener,
  type ListenerFields,
  type ListenerWish,
  readListener,
  type StoredListener,
} from './listener.js';
import type { Write } from './ports.js';
import { InvariantViolation } from './shadow.js';
import type { Disk } from './storage.js';
import { checkListener, countSituations, readTold } from './told.js';

/** Judges the listeners of all nodes, using only their commits and the chain (docs/api.md §20). */
export interface ListenerOracle {
  asked(party: string, wish: ListenerWish): void;
  /** A node has answered that a listener is stored. */
  accepted(party: string, id: string): void;
  /** A node has refused a request made at this time because of another listener. */
  refused(party: string, wish: ListenerWish, askedMs: number): void;
  /** The node has died. */
  died(party: string): void;
  onCommit(party: string, writes: readonly Write[]): void;
  stored(party: string): readonly StoredListener[];
  /** Checks I15 for a node at rest. */
  check(party: string, disk: Disk): Promise<void>;
}

interface Ears {
  readonly wishes: Set<string>;
  readonly listeners: Map<string, Listener>;
  cursor: number | undefined;
}

export interface ListenerOracleParts {
  readonly simulator: Simulator;
  readonly ledger: Pick<MemoryLedger, 'head' | 'contractLogs'>;
}

export function createListenerOracle({ simulator, ledger }: ListenerOracleParts): ListenerOracle {
  const { scheduler, sometimes } = simulator;
  const isReplaced = simulator.faults().reorganisations > 0;
  const parties = new Map<string, Ears>();

  function earsOf(party: string): Ears {
    const ears = parties.get(party) ?? { wishes: new Set(), listeners: new Map(), cursor: undefined };
    parties.set(party, ears);
    return ears;
  }

  const live = ({ listeners }: Ears): Listener[] => [...listeners.values()].filter(({ until }) => until === undefined);

  function violated(party: string, sentence: string): void {
    scheduler.fail(new InvariantViolation('I15', `${sentence} at ${party}`));
  }

  function store(party: string, row: ListenerFields): void {
    const ears = earsOf(party);
    const listener = readListener(row, ears.cursor, ledger.head());
    const { id, name, firstEvent, first } = listener;
    if (![keyOf(listener), keyOf({ ...listener, name: undefined })].some((key) => ears.wishes.has(key)))
      violated(party, `listener ${id} is stored, which nobody has asked for,`);
    for (const other of live(ears)) {
      if (other.name === name) violated(party, `the listeners ${other.id} and ${id} have one name`);
      if (isAlike(other, listener))
        violated(party, `the listeners ${other.id} and ${id} have the same topic and events`);
    }
    const next = ears.cursor === undefined ? undefined : ears.cursor + 1;
    const expected = firstEvent === 'newest' ? next : firstEvent === 'oldest' ? 0 : firstEvent;
    if (expected !== undefined && first !== expected)
      violated(party, `listener ${id} begins with block ${first ?? 'none'}, not ${expected},`);
    if (ears.cursor === undefined) sometimes('listener stored before its node had read a block');
    if (expected !== undefined && next !== undefined && expected > next) sometimes('listener ahead of the chain');
    if (isPlaced(listener)) checkStart(party, listener);
    ears.listeners.set(id, listener);
  }

  /**
   * Every call after the answer must be heard. A node that has read nothing cannot notice that blocks were replaced
   * since it asked for the newest one.
   */
  function checkStart(party: string, { id, first = 0, headBefore, cursorBefore, firstEvent }: Listener): void {
    if (firstEvent !== 'newest' || first <= headBefore + 1) return;
    if (cursorBefore === undefined && isReplaced) return;
    violated(party, `listener ${id} of block ${headBefore} begins with block ${first} only`);
  }

  /** A node that has read past the chain's end corrects it once it knows that blocks were replaced. */
  function isPlaced({ cursorBefore = -1, headBefore }: Listener): boolean {
    return cursorBefore <= headBefore;
  }

  function change(party: string, listener: Listener, { state, firstBlock }: Partial<ListenerFields>): void {
    const { cursor } = earsOf(party);
    if (firstBlock !== undefined && firstBlock !== null) listener.first = firstBlock;
    const { cursorBefore } = listener;
    if (isPlaced(listener)) checkStart(party, listener);
    if (state === undefined) return;
    listener.state = state;
    if (state === 'following' && cursor !== undefined && cursorBefore !== undefined && cursor > cursorBefore) {
      sometimes('chain went on before a listener had joined');
    }
  }

  function remove(listener: Listener, cursor: number | undefined): void {
    sometimes(listener.state === 'joining' ? 'listener deleted before it had joined' : 'listener deleted');
    listener.until = cursor ?? -1;
    listener.goneMs = scheduler.nowMs();
  }

  /** A rebuild removes what it received from later blocks, which is not replaced for a deleted listener. */
  function move(ears: Ears, block: number | undefined): void {
    ears.cursor = block;
    for (const listener of ears.listeners.values()) {
      if (listener.until !== undefined) listener.until = Math.min(listener.until, block ?? -1);
      const kept = listener.blocks.filter((each) => each <= (block ?? -1));
      if (kept.length < listener.blocks.length) sometimes('heard logs taken back');
      listener.blocks.splice(0, Infinity, ...kept);
    }
  }

  function hear(party: string, { listener: id, protocolId }: BlockchainEventRow): void {
    const listener = earsOf(party).listeners.get(id ?? '');
    const [block = -1] = protocolId.split('/').map(Number);
    if (listener === undefined) violated(party, `a log at ${protocolId} is told to ${id ?? ''}, who is no listener,`);
    else if (listener.until !== undefined) violated(party, `the deleted listener ${id ?? ''} is told of ${protocolId}`);
    else if (listener.state === 'joining') sometimes('history told to a listener');
    listener?.blocks.push(block);
  }

  function take(party: string, { table, kind, rows, where }: Write): void {
    const ears = earsOf(party);
    const isNew = kind === 'insert' || kind === 'put';
    const named = where !== undefined && 'id' in where ? ears.listeners.get(String(where.id)) : undefined;
    if (table === 'cursors') {
      const [place] = rows as readonly { readonly block: number }[];
      move(ears, kind === 'remove' ? undefined : place?.block);
    }
    if (table === 'blockchainevents' && isNew) {
      for (const row of rows as readonly BlockchainEventRow[]) if (row.listener !== null) hear(party, row);
    }
    if (table !== 'listeners') return;
    // All listeners for an interface are removed when it takes the id under which it was published.
    if (where !== undefined && 'interface' in where) return;
    if (isNew) for (const row of rows) store(party, row as ListenerFields);
    else if (named === undefined) violated(party, 'a listener that nobody knows is changed');
    else if (kind === 'remove') remove(named, ears.cursor);
    else for (const row of rows) change(party, named, row);
  }

  return {
    asked: (party, wish) => void earsOf(party).wishes.add(keyOf(wish)),
    accepted(party, id) {
      sometimes('listener accepted');
      if (!earsOf(party).listeners.has(id)) violated(party, `listener ${id} is accepted and not stored`);
    },
    refused(party, wish, askedMs) {
      sometimes('listener refused');
      const there = [...earsOf(party).listeners.values()].filter(({ goneMs = Infinity }) => goneMs >= askedMs);
      if (there.some((other) => other.name === wish.name || isAlike(other, wish))) return;
      violated(party, `a listener ${wish.name ?? ''} is refused, and there is none like it`);
    },
    died(party) {
      if (live(earsOf(party)).some(({ state }) => state === 'joining')) sometimes('death before a listener had joined');
    },
    onCommit: (party, writes) => {
      for (const write of writes) take(party, write);
    },
    stored: (party) => live(earsOf(party)),
    async check(party, disk) {
      const logs = ledger.contractLogs();
      const told = await readTold(party, disk);
      const { listeners } = earsOf(party);
      for (const [id] of told) {
        if (!listeners.has(id)) throw new InvariantViolation('I15', `${party} tells listener ${id}, which is unknown`);
      }
      for (const listener of listeners.values()) {
        if (listener.until === undefined) checkStart(party, listener);
        checkListener(party, listener, logs, told.get(listener.id) ?? []);
      }
      countSituations([...listeners.values()], logs, sometimes);
    },
  };
}
