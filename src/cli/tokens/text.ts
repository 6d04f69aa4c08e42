import { textOf } from '../../wire/json/json.js';
import type { TokenPool, TokenTransfer } from '../../wire/token.js';
import { withMember } from '../requests/json-text.js';
import type { Output } from '../terminal/output.js';
import { ownerText, type Owners, shortAddress } from '../requests/owners.js';
import type { Target } from '../requests/target.js';
import type { TokenResult } from './await.js';
import { safe, shortId, spanOf } from '../terminal/text.js';

export interface TokenDone {
  readonly accepted: TokenTransfer;
  /** The newest record of the own node, as served. */
  readonly text: string;
  readonly acceptedMs: number;
  readonly isDuplicate: boolean;
  /** Undefined without a wait. */
  readonly result: TokenResult | undefined;
  readonly pool: TokenPool;
  /** Hash of the transaction on the chain, if it is known. */
  readonly chainHash: string | undefined;
  /** The recipients of the attached message; empty = all. */
  readonly recipients: readonly string[];
}

/** The record as served, with a last member `stack` from the command line (docs/operations.md §11.6). */
export function tokenJson({ text, acceptedMs, isDuplicate, result, chainHash }: TokenDone): string {
  const confirmedMs = result === undefined ? {} : { confirmedMs: slowestMs(result) };
  const outcomes = result?.parties.map(({ name, ...outcome }) => [name, outcome] as const) ?? [];
  const stack = {
    schemaVersion: 1,
    timing: { acceptedMs, ...confirmedMs },
    ...(chainHash === undefined ? {} : { transactionHash: chainHash }),
    ...(outcomes.length === 0 ? {} : { parties: Object.fromEntries(outcomes) }),
    ...(isDuplicate ? { duplicate: true } : {}),
  };
  return withMember(text, 'stack', textOf(stack));
}

const participles = {
  mint: ['minting', 'minted'],
  transfer: ['transferring', 'transferred'],
  burn: ['burning', 'burned'],
};

/** One line for a person, and on a terminal one per party if all were waited for. */
export function tokenText(done: TokenDone, target: Target, owners: Owners, { out }: Output): string {
  const { accepted, result } = done;
  const isTerminal = out.isTerminal;
  const [going = '', gone = ''] = participles[accepted.type];
  const verb = result === undefined ? going : gone;
  const what = `${verb} ${whatText(done)}${fromText(done, owners, isTerminal)}${toText(accepted, owners, isTerminal)}`;
  const parts = [what, ...placeTexts(done, isTerminal), ...messageTexts(done, isTerminal)];
  if (done.isDuplicate) parts.push('sent before');
  if (result === undefined) return [...parts, `accepted by ${target.party.name}`].join(' · ');
  const mark = isTerminal ? `${out.paint('green', '✓')} ` : '';
  if (isTerminal && result.parties.length < 2) return `${mark}${parts.join(' · ')}`;
  const where = `recorded at ${whereText(result, target)}`;
  if (!isTerminal) return [...parts, `${where} in ${spanOf(slowestMs(result))}`].join(' · ');
  const width = Math.max(...result.parties.map(({ name }) => name.length));
  const lines = result.parties.map(({ name, confirmedMs }) => `    ${name.padEnd(width)}  ${spanOf(confirmedMs)}`);
  return [`${mark}${parts.join(' · ')}`, ...lines].join('\n');
}

/** `100 coins`, `deeds #7`, `3 deeds (#1 to #3)`. A mint may have made several tokens, each with a transfer. */
function whatText({ accepted: { type, amount, tokenIndex }, pool, result }: TokenDone): string {
  const name = safe(pool.name);
  if (pool.type === 'fungible') return `${amount} ${name}`;
  const made = type === 'mint' ? (result?.transfers ?? []) : [];
  const indexes = made.flatMap(({ value }) => value.tokenIndex ?? []);
  const [first = tokenIndex, last = first] = [indexes[0], indexes.at(-1)];
  if (first === undefined) return `${amount} ${name}`;
  return first === last ? `${name} #${first}` : `${indexes.length} ${name} (#${first} to #${last})`;
}

/** The previous owner, if it is not the signer. */
function fromText({ accepted: { from, key } }: TokenDone, owners: Owners, isTerminal: boolean): string {
  return from === undefined || from === key ? '' : ` of ${ownerText(from, owners, isTerminal)}`;
}

function toText({ to }: TokenTransfer, owners: Owners, isTerminal: boolean): string {
  return to === undefined ? '' : ` → ${ownerText(to, owners, isTerminal)}`;
}

function placeTexts({ accepted, chainHash }: TokenDone, isTerminal: boolean): string[] {
  const transfer = isTerminal ? [] : [`transfer ${accepted.localId}`];
  return chainHash === undefined ? transfer : [...transfer, `tx ${isTerminal ? shortAddress(chainHash) : chainHash}`];
}

function messageTexts({ accepted, recipients }: TokenDone, isTerminal: boolean): string[] {
  const { message: id } = accepted;
  if (id === undefined) return [];
  const whom = recipients.length === 0 ? 'to all' : `private: ${safe(recipients.join(', '))}`;
  return [`message ${isTerminal ? shortId(id) : id} (${whom})`];
}

function whereText({ parties }: TokenResult, target: Target): string {
  const isEverywhere = parties.length > 1 && parties.length === target.parties.length;
  return isEverywhere ? `all ${parties.length} parties` : parties.map(({ name }) => name).join(', ');
}

function slowestMs({ parties }: TokenResult): number {
  return Math.max(0, ...parties.map(({ confirmedMs }) => confirmedMs));
}
