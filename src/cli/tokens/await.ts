import { isFinal } from '../../client/wait.js';
import { ClientError } from '../../client/errors.js';
import { type Entry, readPage } from '../../client/page.js';
import { observe, type Observer } from '../../client/until.js';
import type { Message } from '../../wire/messages/message.js';
import type { TokenTransfer } from '../../wire/token.js';
import { CliError } from '../errors/exit.js';
import type { Groups } from '../messages/listing/groups.js';
import type { WaitScope } from '../messages/sending/send.js';
import type { PartyNode, Target } from '../requests/target.js';

/** The outcome at one party. */
export interface TokenOutcome {
  readonly name: string;
  readonly state: 'confirmed';
  /** Time at which the node recorded the operation. */
  readonly confirmed: string | undefined;
  /** Time from the request until it was first seen there. */
  readonly confirmedMs: number;
}

/** The outcome of an operation at the awaited parties. */
export interface TokenResult {
  /** All transfers of the operation at the own node, as served: one per token for non-fungible tokens. */
  readonly transfers: readonly Entry<TokenTransfer>[];
  /** The attached message, once it is final here. */
  readonly message: Message | undefined;
  readonly parties: readonly TokenOutcome[];
}

export interface TokenWatch {
  /**
   * Waits until the transfer, and the attached message, are recorded at the requested parties.
   *
   * @throws CliError REJECTED if the operation failed or the message was rejected, TIMEOUT
   */
  wait(accepted: TokenTransfer, signal: AbortSignal, sinceMs: number): Promise<TokenResult>;
  /** The awaited parties that have not recorded the operation yet. */
  missing(): readonly string[];
  /** The first transfer of an earlier transaction. @throws CliError REJECTED if it failed */
  earlier(transaction: string, signal: AbortSignal): Promise<Entry<TokenTransfer>>;
  close(): void;
}

interface Watched {
  readonly party: PartyNode;
  readonly observer: Observer;
}

const types = '^(token_transfer_(confirmed|op_failed)|message_(confirmed|rejected))$';

/** Opens the streams of all awaited parties. Call it before the operation is posted. */
export function watchTransfers(target: Target, groups: Groups, scope: Exclude<WaitScope, 'none'>): TokenWatch {
  const awaited = scope === 'local' ? [target.party] : target.parties;
  const watched = awaited.map((party): Watched => {
    return { party, observer: observe({ client: party.client, openSocket: target.openSocket, types }) };
  });
  const own = watched.find(({ party }) => party === target.party);
  if (own === undefined) throw new Error('The own node is always awaited.');
  let missing = new Set<string>();
  return {
    missing: () => [...missing],
    earlier: (transaction, signal) =>
      own.observer.until(async (limit) => {
        const [first] = await movedBy(own.party, transaction, limit);
        if (first === undefined) await requireOpen(own.party, transaction, limit);
        return first;
      }, signal),
    async wait(accepted, signal, sinceMs) {
      const at = (step: Promise<unknown>, names: () => readonly string[]) => orTimeout(step, signal, accepted, names);
      missing = new Set(watched.map(({ party }) => party.name));
      const recorded = own.observer.until((limit) => recordedAt(own.party, accepted, limit), signal);
      await at(recorded, () => [own.party.name]);
      const first = await recorded;
      const members = await confirmingParties(accepted, own.party, groups);
      const arrivals = watched.map(async (each): Promise<TokenOutcome> => {
        const { value: there } = await each.observer.until(
          (limit) => sameTransfer(each.party, first.value, limit),
          signal,
        );
        if (members.includes(each.party)) {
          await each.observer.until((limit) => messageAt(each.party, accepted, limit), signal);
        }
        missing.delete(each.party.name);
        const confirmedMs = Math.max(0, Math.round(performance.now() - sinceMs));
        return { name: each.party.name, state: 'confirmed', confirmed: there.created, confirmedMs };
      });
      const settled = Promise.all(arrivals);
      await at(settled, () => [...missing]);
      const message = members.length === 0 ? undefined : await messageAt(own.party, accepted, signal);
      return { transfers: await transfersOf(own.party, first, signal), message, parties: await settled };
    },
    close: () => {
      for (const { observer } of watched) observer.close();
    },
  };
}

async function orTimeout(
  step: Promise<unknown>,
  signal: AbortSignal,
  { localId }: TokenTransfer,
  missing: () => readonly string[],
) {
  try {
    await step;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    const names = missing();
    throw new CliError('TIMEOUT', `Not recorded at ${names.join(', ')} in time.`, {
      hint: `The operation ${localId} is accepted and may still be recorded.`,
      details: { id: localId, missing: names },
    });
  }
}

/** The record of the own transfer; undefined until the chain has it. @throws CliError REJECTED */
async function recordedAt(
  party: PartyNode,
  { localId, tx }: TokenTransfer,
  signal: AbortSignal,
): Promise<Entry<TokenTransfer> | undefined> {
  try {
    return await party.client.getTokenTransfer({ path: { localId }, signal });
  } catch (error) {
    if (!(error instanceof ClientError) || error.status !== 404) throw error;
  }
  if (tx?.id !== undefined) await requireOpen(party, tx.id, signal);
  return undefined;
}

/** @throws CliError REJECTED if the newest operation of the transaction has failed */
export async function requireOpen({ client }: PartyNode, transaction: string, signal: AbortSignal): Promise<void> {
  const path = { transactionid: transaction };
  const { value: operations } = await client.listTransactionOperations({ path, signal });
  const failed = operations.find(({ status, retry }) => status === 'Failed' && retry === undefined);
  if (failed === undefined) return;
  throw new CliError('REJECTED', `The operation failed: ${failed.error ?? 'no reason was given'}`, {
    details: { tx: transaction, operation: failed.id, error: failed.error ?? null },
  });
}

/**
 * The same transfer at another party, found by its position on the chain, which is the same for all nodes. Undefined
 * until the party has it.
 */
export async function sameTransfer(
  { client }: PartyNode,
  { pool, protocolId = '' }: TokenTransfer,
  signal?: AbortSignal,
): Promise<Entry<TokenTransfer> | undefined> {
  const filters = [
    ['pool', pool],
    ['protocolid', protocolId],
  ] as const;
  return (await readPage(client, 'listTokenTransfers', filters, signal)).entries[0];
}

/** The parties that must confirm the attached message; empty without one. */
async function confirmingParties({ message: id }: TokenTransfer, own: PartyNode, groups: Groups) {
  if (id === undefined) return [];
  return groups.partiesOf((await own.client.getMessage({ path: { msgid: id } })).value);
}

async function messageAt({ client, name }: PartyNode, { message: id = '' }: TokenTransfer, signal: AbortSignal) {
  const message = await findMessage(client, id, signal);
  if (message === undefined || !isFinal(message)) return undefined;
  if (message.state === 'confirmed') return message;
  const reason = message.rejectReason ?? 'no reason was given';
  throw new CliError('REJECTED', `The message ended ${message.state} at ${name}: ${reason}`, { details: { id } });
}

async function findMessage(client: PartyNode['client'], id: string, signal: AbortSignal): Promise<Message | undefined> {
  try {
    return (await client.getMessage({ path: { msgid: id }, signal })).value;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

/** All transfers of an operation, which nodes record together. */
async function transfersOf(party: PartyNode, first: Entry<TokenTransfer>, signal: AbortSignal) {
  const id = first.value.tx?.id;
  return id === undefined || first.value.tokenIndex === undefined ? [first] : movedBy(party, id, signal);
}

/** Maximum number of tokens that an operation moves (docs/api.md §19.2). */
const maxMoved = '250';

async function movedBy({ client }: PartyNode, transaction: string, signal: AbortSignal) {
  const filters = [
    ['tx.id', transaction],
    ['sort', 'protocolid'],
    ['limit', maxMoved],
  ] as const;
  return (await readPage(client, 'listTokenTransfers', filters, signal)).entries;
}
