import { type Fault, faultText } from '../../wire/network/faults.js';
import type { Message } from '../../wire/messages/message.js';
import type { Progress, Wait } from '../../wire/messages/progress.js';
import { adviceFor, missingSentence } from '../../wire/messages/progress-texts.js';
import { isPaused } from '../../stack/engines/chain.js';
import { isDiskFull } from '../messages/listing/waiting-reasons.js';
import { finalHint, type ServiceRow } from '../../stack/status.js';
import type { PartyNode } from '../requests/target.js';
import { shortAuthor } from '../terminal/text.js';
import type { Inspection } from './inspection.js';

/** Why something does not go on, in the end. */
export interface Cause {
  readonly code: CauseCode;
  /** A part of a sentence that says what is the matter. */
  readonly text: string;
  /** The remedy, without the name of the program where it is a command of ours. */
  readonly remedy?: string | undefined;
  /** Messages or batches that come first, from the one that is asked about to the root. */
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
  | 'definition_missing'
  | 'operation'
  | 'void'
  | 'behind'
  | 'on_its_way';

/** Something that has to be decided first. */
export interface Behind {
  readonly kind: 'message' | 'batch';
  readonly id: string;
  readonly author: string;
  readonly topic?: string | undefined;
}

type Root = Omit<Cause, 'behind'>;

/** Why a party's node does not take part; undefined when it answers. */
export async function absenceOf(inspection: Inspection, party: PartyNode): Promise<Root | undefined> {
  const row = inspection.trouble(party.name);
  if (row !== undefined && row.state !== 'unhealthy') {
    const remedy = row.state === 'paused' ? `party resume ${party.name}` : startOf(row, `party start ${party.name}`);
    return { code: 'party_away', text: `${party.name} is ${stateOf(row)}`, remedy };
  }
  if ((await inspection.status(party)) !== 'away') return undefined;
  const text = row?.message == null ? '' : `: ${asPart(row.message)}`;
  return { code: 'party_away', text: `${party.name} does not answer${text}`, remedy: 'status' };
}

/** How a service is, with the reason where its health or its end has one. */
function stateOf({ state, message }: ServiceRow): string {
  const hasReason = state === 'unhealthy' || state === 'failed';
  return hasReason && message !== null ? `${state}: ${asPart(message)}` : state;
}

/** A sentence as a part of another one. */
function asPart(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^The /, 'the ');
}

/** The command that starts a service which is down; for one that comes or goes, how to watch that. */
function startOf({ state, isFinal, message }: ServiceRow, start: string): string {
  // A start would end for the same reason.
  if (isFinal) return finalHint(message);
  return state === 'stopped' || state === 'failed' ? start : 'status --watch';
}

/** Causes of messages that are on their way, where nothing is amiss: they may be decided at any moment. */
const healthy: readonly CauseCode[] = ['on_its_way', 'behind'];

/** Whether a cause holds something up until somebody does something about it. */
export function isBlocking(cause: Pick<Cause, 'code'> | undefined): boolean {
  return cause !== undefined && !healthy.includes(cause.code);
}

/** The reason that keeps the chain from taking anything; undefined when it works. */
export function chainTrouble(inspection: Inspection): Root | undefined {
  const row = inspection.trouble('chain');
  if (row !== undefined)
    return { code: 'chain_away', text: `the chain is ${stateOf(row)}`, remedy: startOf(row, 'start') };
  if (inspection.mining === undefined || !isPaused(inspection.mining)) return undefined;
  return { code: 'mining_paused', text: 'mining is paused, so nothing is pinned', remedy: 'chain resume' };
}

const fundsPattern = /insufficient funds|enough funds/i;

/** Why a message is not on the chain yet; undefined when it is, or goes there by no chain at all. */
export async function pinCause(inspection: Inspection, message: Message): Promise<Root | undefined> {
  const { author: did, key } = message.header;
  const author = inspection.partyOf(did);
  if (author === undefined) return undefined;
  const away = await absenceOf(inspection, author);
  const progress = await inspection.progress(author, message.header.id);
  if (typeof progress === 'string') return away && { ...away, text: `${away.text}, and it comes from there` };
  if (message.header.txtype === 'none' || isDone(progress, 'pinned')) return undefined;
  if (away !== undefined) return away;
  const chain = chainTrouble(inspection);
  if (chain !== undefined) return chain;
  const status = await inspection.status(author);
  const waiting = typeof status === 'string' ? [] : status.parley.waiting;
  const onChain = waiting.find(({ service }) => service === 'chain');
  if (fundsPattern.test(onChain?.error ?? '') || (await inspection.balance(key)) === 0n) {
    const text = `the key ${key} of ${author.name} has no money for the pin`;
    return { code: 'no_funds', text, remedy: 'chain accounts' };
  }
  const store = isDone(progress, 'stored') ? undefined : storeTrouble(inspection);
  if (store !== undefined && message.header.group === undefined) return store;
  const held = progress.waits.find(({ on }) => on === 'operation');
  const detail = onChain?.error ?? waiting.find(({ service }) => service === 'store')?.error ?? held?.detail;
  if (detail !== undefined && isDiskFull(detail)) {
    const text = `at ${author.name}: the disk is full: ${detail}`;
    return { code: 'disk_full', text, remedy: 'Free some space: what was accepted is sent as soon as there is room.' };
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

/** A broadcast comes through the store, what is private from its author. */
export interface Transport {
  readonly party: PartyNode;
  readonly author: string;
  readonly isPrivate: boolean;
  /** The thing that is missing, at the beginning of a sentence about it. */
  readonly what: string;
  /** The waits of the node itself. */
  readonly waits: readonly Wait[];
}

/** Why bytes do not come to a party. */
export async function transportCause(inspection: Inspection, transport: Transport): Promise<Root> {
  const { party, author: did, isPrivate, what, waits } = transport;
  const author = inspection.partyOf(did);
  const fault = inspection.faults.find((each) => isInTheWay(each, party, isPrivate ? author : undefined));
  if (fault !== undefined) {
    const code = fault.kind === 'cut' ? 'link_cut' : fault.kind === 'delay' ? 'link_slow' : 'reads_dropped';
    return { code, text: faultText(fault), remedy: `fault clear ${fault.id}` };
  }
  const away = isPrivate && author !== undefined ? await absenceOf(inspection, author) : undefined;
  if (away !== undefined) return { ...away, text: `${away.text}, and it comes from there` };
  const store = isPrivate ? undefined : storeTrouble(inspection);
  if (store !== undefined) return store;
  const status = await inspection.status(party);
  if (typeof status !== 'string') {
    const { head, processed } = status.parley.chain;
    if (head !== null && processed < head) {
      return { code: 'behind', text: `${party.name} has read the chain to block ${processed} of ${head}` };
    }
  }
  const own = waits.find(({ on, detail }) => on === 'operation' && /: ./.test(detail));
  const from = isPrivate ? shortAuthor(did) : 'the shared store';
  const reason = own === undefined ? '' : ` (${own.detail})`;
  return {
    code: 'file_missing',
    text: `${what} has not come from ${from}${reason}`,
    remedy: adviceFor({ on: 'blob', author: did }),
  };
}

function isInTheWay({ kind, from, to, oneWay }: Fault, party: PartyNode, author: PartyNode | undefined): boolean {
  if (kind === 'drop') return author === undefined && from.party === party.name;
  if (author === undefined) return false;
  const isThere = from.party === author.name && to?.party === party.name;
  return isThere || (!oneWay && from.party === party.name && to?.party === author.name);
}
