import { type Fault, faultText } from '../../wire/network/faults.js';
import type { Message } from '../../wire/messages/message.js';
import type { Progress, Wait } from '../../wire/messages/progress.js';
import { adviceFor, missingSentence } from '../../wire/messages/progress-texts.js';
import { isPaused } from '../../stack/engines/chain.js';
import { isDiskFull } from '../messages/listing/waiting-reasons.js';
import { finalHint, type ServiceRow } from '../../stack/status.js';
import type { PartyNode } from '../requests/target.js';
import { shortAuthor } from '../terminal/text.js';
import type { Found, Inspection } from './inspection.js';

/** The root cause of a delay. */
export interface Cause {
  readonly code: CauseCode;
  /** A clause without a full stop. */
  readonly text: string;
  /** A sentence, or a command without the name of the program. */
  readonly remedy?: string | undefined;
  /** The messages or batches that must be decided first, each waiting for the next; the last has the root cause. */
  readonly behind: readonly Behind[];
}

export type CauseCode =
  | 'party_away'
  | 'chain_away'
  | 'store_away'
  | 'mining_paused'
  | 'no_funds'
  | 'disk_full'
  | 'link_cut'
  | 'link_slow'
  | 'reads_dropped'
  | 'file_missing'
  | 'database_older'
  | 'definition_missing'
  | 'operation'
  | 'void'
  | 'behind'
  | 'on_its_way';

/** A message or batch that must be decided first. */
export interface Behind {
  readonly kind: 'message' | 'batch';
  readonly id: string;
  readonly author: string;
  readonly topic?: string | undefined;
}

type Root = Omit<Cause, 'behind'>;

/** Why a party's node is unavailable; undefined if it answers. */
export async function absenceOf(inspection: Inspection, party: PartyNode): Promise<Root | undefined> {
  const row = inspection.trouble(party.name);
  if (row !== undefined && row.state !== 'unhealthy') {
    const remedy = row.state === 'paused' ? `party resume ${party.name}` : startOf(row, `party start ${party.name}`);
    return { code: 'party_away', text: `${party.name} is ${stateOf(row)}`, remedy };
  }
  if ((await inspection.status(party)) !== 'away') return undefined;
  const text = row?.message == null ? '' : `: ${asClause(row.message)}`;
  return { code: 'party_away', text: `${party.name} does not answer${text}`, remedy: 'status' };
}

/** The state of a service, with the reason if there is one. */
function stateOf({ state, message }: ServiceRow): string {
  const hasReason = state === 'unhealthy' || state === 'failed';
  return hasReason && message !== null ? `${state}: ${asClause(message)}` : state;
}

/** Turns a sentence into a clause. */
function asClause(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^The /, 'the ');
}

/** The cause for content that only one node can send. */
function fromThere({ text }: Root): string {
  return `${text}, and only its node can send this`;
}

/** The command that starts a service, or one that shows the progress if it is starting or stopping. */
function startOf({ state, isFinal, message }: ServiceRow, start: string): string {
  // A start would fail for the same reason.
  if (isFinal) return finalHint(message);
  return state === 'stopped' || state === 'failed' ? start : 'status --watch';
}

/** Causes that end without intervention. */
const passing: readonly CauseCode[] = ['on_its_way', 'behind'];

/** Whether a cause lasts until a person removes it. */
export function isBlocking(cause: Pick<Cause, 'code'> | undefined): boolean {
  return cause !== undefined && !passing.includes(cause.code);
}

/** Why the chain accepts no transactions; undefined if it does. */
export function chainTrouble(inspection: Inspection): Root | undefined {
  const row = inspection.trouble('chain');
  if (row !== undefined)
    return { code: 'chain_away', text: `the chain is ${stateOf(row)}`, remedy: startOf(row, 'start') };
  if (inspection.mining === undefined || !isPaused(inspection.mining)) return undefined;
  return { code: 'mining_paused', text: 'mining is paused, so the chain takes no calls', remedy: 'chain resume' };
}

const fundsPattern = /insufficient funds|enough funds/i;

/** Why a message is not pinned yet; undefined if it is pinned, or unpinned and sent. */
export async function pinCause(inspection: Inspection, message: Message): Promise<Root | undefined> {
  const { author: did, key } = message.header;
  const author = inspection.partyOf(did);
  if (author === undefined) return undefined;
  const away = await absenceOf(inspection, author);
  const progress = await inspection.progress(author, message.header.id);
  if (typeof progress === 'string') return away && { ...away, text: fromThere(away) };
  if (message.header.txtype === 'none' || isDone(progress, 'pinned')) return undefined;
  if (away !== undefined) return away;
  const chain = chainTrouble(inspection);
  if (chain !== undefined) return chain;
  const status = await inspection.status(author);
  const waiting = typeof status === 'string' ? [] : status.parley.waiting;
  const onChain = waiting.find(({ service }) => service === 'chain');
  if (fundsPattern.test(onChain?.error ?? '') || (await inspection.balance(key)) === 0n) {
    const text = `the key ${key} of ${author.name} has no funds for the pin`;
    return { code: 'no_funds', text, remedy: 'chain accounts' };
  }
  const store = isDone(progress, 'stored') ? undefined : storeTrouble(inspection);
  if (store !== undefined && message.header.group === undefined) return store;
  const held = progress.waits.find(({ on }) => on === 'operation');
  const detail = onChain?.error ?? waiting.find(({ service }) => service === 'store')?.error ?? held?.detail;
  if (detail !== undefined && isDiskFull(detail)) {
    const text = `at ${author.name}: the disk is full: ${detail}`;
    return { code: 'disk_full', text, remedy: 'Free some space: accepted messages are sent as soon as there is room.' };
  }
  if (detail !== undefined) return { code: 'operation', text: `at ${author.name}: ${detail}`, remedy: 'status' };
  return { code: 'on_its_way', text: `at ${author.name}: ${missingSentence(progress)}` };
}

function isDone({ steps }: Progress, name: Progress['steps'][number]['step']): boolean {
  return steps.find(({ step }) => step === name)?.time !== undefined;
}

function storeTrouble(inspection: Inspection): Root | undefined {
  const row = inspection.trouble('store');
  return row && { code: 'store_away', text: `the shared store is ${stateOf(row)}`, remedy: startOf(row, 'start') };
}

/** Content that a party needs: of a broadcast through the store, otherwise from the node of the author. */
export interface Transport {
  readonly party: PartyNode;
  readonly author: string;
  readonly isPrivate: boolean;
  /** The missing content, as the subject of a sentence. */
  readonly what: string;
  /** The waits that the party's node reports. */
  readonly waits: readonly Wait[];
  /** Reads the progress at the author of the message or batch whose payload is missing. */
  readonly sent?: (author: PartyNode) => Promise<Found<Progress>>;
}

/** Why content has not arrived at a party. */
export async function transportCause(inspection: Inspection, transport: Transport): Promise<Root> {
  const { party, author: did, isPrivate, what, waits, sent } = transport;
  const author = inspection.partyOf(did);
  const fault = inspection.faults.find((each) => affects(each, party, isPrivate ? author : undefined));
  if (fault !== undefined) {
    const code = fault.kind === 'cut' ? 'link_cut' : fault.kind === 'delay' ? 'link_slow' : 'reads_dropped';
    return { code, text: faultText(fault), remedy: `fault clear ${fault.id}` };
  }
  const away = isPrivate && author !== undefined ? await absenceOf(inspection, author) : undefined;
  if (away !== undefined) return { ...away, text: fromThere(away) };
  const store = isPrivate ? undefined : storeTrouble(inspection);
  if (store !== undefined) return store;
  const status = await inspection.status(party);
  if (typeof status !== 'string') {
    // The blocks after that are not read before others have followed them.
    const { head, confirmed = head, processed } = status.parley.chain;
    if (confirmed !== null && processed < confirmed) {
      return { code: 'behind', text: `${party.name} has read the chain to block ${processed} of ${confirmed}` };
    }
  }
  if (isPrivate && author !== undefined && (await hasAcknowledged(inspection, party, await sent?.(author)))) {
    return {
      code: 'database_older',
      text: `${what} was delivered to ${party.name}, whose database no longer has it and may be an older copy`,
      remedy: 'It is not delivered again: restore all parts of the stack from the same copy, or reset the stack.',
    };
  }
  const own = waits.find(({ on, detail }) => on === 'operation' && /: ./.test(detail));
  const from = isPrivate ? shortAuthor(did) : 'the shared store';
  const reason = own === undefined ? '' : ` (${own.detail})`;
  return {
    code: 'file_missing',
    text: `${what} has not arrived from ${from}${reason}`,
    remedy: adviceFor({ on: 'blob', author: did }),
  };
}

/** Whether the node of a party has acknowledged an envelope, which it does once that is on its disk. */
async function hasAcknowledged(
  inspection: Inspection,
  party: PartyNode,
  sent: Found<Progress> | undefined,
): Promise<boolean> {
  const status = await inspection.status(party);
  if (typeof status === 'string' || typeof sent !== 'object') return false;
  const info = sent.steps.find(({ step }) => step === 'delivered')?.info ?? '';
  return info.split(', ').includes(`${status.node.id ?? ''}: Succeeded`);
}

function affects({ kind, from, to, oneWay }: Fault, party: PartyNode, author: PartyNode | undefined): boolean {
  if (kind === 'drop') return author === undefined && from.party === party.name;
  if (author === undefined) return false;
  const isThere = from.party === author.name && to?.party === party.name;
  return isThere || (!oneWay && from.party === party.name && to?.party === author.name);
}
