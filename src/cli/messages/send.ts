import { ClientError } from '../../client/errors.js';
import type { OpenSocket } from '../../client/socket.js';
import { type Decided, type Watch, watchMessages } from '../../client/wait.js';
import { textOf } from '../../wire/json.js';
import type { Answer, Client } from '../../client/client.js';
import type { Message } from '../../wire/message.js';
import { CliError } from '../exit.js';
import type { Groups } from './groups.js';
import { withMember } from '../json-text.js';
import type { PartyNode, Target } from '../target.js';
import { limitSignal } from '../duration.js';
import { waitingReasons } from './waiting-reasons.js';

/**
 * Until when a send waits: not at all, until the sender's record is final, until that of every party is that must see
 * the message.
 */
export type WaitScope = 'none' | 'local' | 'all';

export interface SenderOptions {
  readonly target: Target;
  readonly groups: Groups;
  readonly scope: WaitScope;
  /** 0 = no limit. */
  readonly timeoutMs: number;
  readonly openSocket: OpenSocket;
}

/** What became of a message at one party. */
export interface PartyOutcome {
  readonly name: string;
  readonly state: string;
  readonly confirmed: string | undefined;
  readonly rejected?: string | undefined;
  /** From the send to when this party was first seen to have decided. */
  readonly confirmedMs: number;
}

/** A message that was accepted, and as far as it was waited for, confirmed. */
export interface Sent {
  readonly id: string;
  readonly message: Message;
  /** The newest record of the sending node, as served. */
  readonly text: string;
  /** The message is an earlier one with the same idempotency key. */
  readonly isDuplicate: boolean;
  readonly acceptedMs: number;
  /** In the order of the stack; empty without a wait. */
  readonly parties: readonly PartyOutcome[];
}

/** The request that makes a node send one message. */
export type Post = (client: Client) => Promise<Answer<Message>>;

export interface Sender {
  /**
   * Posts one message to the sending party's node and waits as far as asked. `requireSame` is called with an earlier
   * message that has the idempotency key already.
   *
   * @throws CliError TIMEOUT or REJECTED with the id in `details.id`; ClientError, UnreachableError when it was not
   *   accepted
   */
  send(post: Post, requireSame?: (earlier: Message) => Promise<void>): Promise<Sent>;
  /** The parties that have not decided yet about messages that were accepted. */
  missing(): readonly string[];
  close(): void;
}

/** Opens the streams of all parties that will be waited for, so that no decision is missed (cli.md, 9.2). */
export function createSender({ target, groups, scope, timeoutMs, openSocket }: SenderOptions): Sender {
  const awaited = scope === 'none' ? [] : scope === 'local' ? [target.party] : target.parties;
  const watches = awaited.map((party) => ({ party, watch: watchMessages({ client: party.client, openSocket }) }));
  const undecided = new Map<PartyNode, number>();
  const count = (party: PartyNode, change: number) => undecided.set(party, (undecided.get(party) ?? 0) + change);
  return {
    async send(post, requireSame) {
      const sentMs = performance.now();
      const accepted = await accept(target.party, post);
      const acceptedMs = performance.now() - sentMs;
      if (accepted.isDuplicate) await requireSame?.(accepted.message);
      const concerned = scope === 'all' ? await groups.partiesOf(accepted.message) : awaited;
      const chosen = watches.filter(({ party }) => concerned.includes(party));
      const decisions = await decide(chosen, accepted.message.header.id, limitSignal(timeoutMs), timeoutMs, count);
      const own = decisions.find(({ party }) => party === target.party);
      const sent: Sent = {
        ...{ id: accepted.message.header.id, isDuplicate: accepted.isDuplicate, acceptedMs: Math.round(acceptedMs) },
        message: own?.decided.answer.value ?? accepted.message,
        text: own?.decided.answer.text ?? accepted.text,
        parties: decisions.map(({ party, decided }) => outcomeOf(party, decided, sentMs)),
      };
      requireConfirmed(sent);
      return sent;
    },
    missing: () => target.parties.filter((party) => (undecided.get(party) ?? 0) > 0).map(({ name }) => name),
    close: () => {
      for (const { watch } of watches) watch.close();
    },
  };
}

/**
 * The sender's record as served, with what the command line knows in one last member `stack` (cli.md, 9.3); `more` are
 * further members of it, each as JSON.
 */
export function sentJson(sent: Sent, more: Readonly<Record<string, string>> = {}): string {
  const own = sent.parties[0];
  const timing = { acceptedMs: sent.acceptedMs, ...(own === undefined ? {} : { confirmedMs: slowestMs(sent) }) };
  const parties = Object.fromEntries(
    sent.parties.map(({ name, state, confirmed, confirmedMs }) => [name, { state, confirmed, confirmedMs }]),
  );
  const known = { schemaVersion: 1, timing, ...(own === undefined ? {} : { parties }) };
  let stack: string = textOf(sent.isDuplicate ? { ...known, duplicate: true } : known);
  for (const [name, member] of Object.entries(more)) stack = withMember(stack, name, member);
  return withMember(sent.text, 'stack', stack);
}

/** When the last party that was waited for had decided. */
export function slowestMs(sent: Sent): number {
  return Math.max(0, ...sent.parties.map(({ confirmedMs }) => confirmedMs));
}

interface Accepted {
  readonly message: Message;
  readonly text: string;
  readonly isDuplicate: boolean;
}

async function accept(party: PartyNode, post: Post): Promise<Accepted> {
  try {
    const { value, text } = await post(party.client);
    return { message: value, text, isDuplicate: false };
  } catch (error) {
    const earlier = error instanceof ClientError && error.code === 'FF10430' ? lastUuid(error.text) : undefined;
    if (earlier === undefined) throw error;
    const { value, text } = await party.client.getMessage({ path: { msgid: earlier } });
    return { message: value, text, isDuplicate: true };
  }
}

/** The error names the first message after the key, and the key may be a UUID itself. */
function lastUuid(text: string): string | undefined {
  return text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)?.at(-1);
}

interface PartyWatch {
  readonly party: PartyNode;
  readonly watch: Watch;
}

async function decide(
  watches: readonly PartyWatch[],
  id: string,
  signal: AbortSignal,
  timeoutMs: number,
  count: (party: PartyNode, change: number) => void,
): Promise<{ party: PartyNode; decided: Decided }[]> {
  const settled = await Promise.allSettled(
    watches.map(async ({ party, watch }) => {
      count(party, 1);
      return watch.decided(id, signal).finally(() => {
        count(party, -1);
      });
    }),
  );
  const decisions: { party: PartyNode; decided: Decided }[] = [];
  const missing: PartyNode[] = [];
  settled.forEach((outcome, i) => {
    const party = watches[i]?.party;
    if (party === undefined) return;
    if (outcome.status === 'fulfilled') decisions.push({ party, decided: outcome.value });
    else if (signal.aborted && outcome.reason === signal.reason) missing.push(party);
    else throw outcome.reason;
  });
  if (missing.length === 0) return decisions;
  const names = missing.map(({ name }) => name);
  const reasons = await waitingReasons(missing);
  throw new CliError('TIMEOUT', `Not confirmed at ${names.join(', ')} within ${timeoutMs / 1_000} s.`, {
    hint: [`It is accepted as ${id} and may still confirm.`, reasons].join(' ').trimEnd(),
    details: { id, missing: names, decided: decisions.map(({ party }) => party.name) },
  });
}

function outcomeOf(party: PartyNode, { answer, seenMs }: Decided, sentMs: number): PartyOutcome {
  const { state, confirmed, rejected } = answer.value;
  return { name: party.name, state, confirmed, rejected, confirmedMs: Math.max(0, Math.round(seenMs - sentMs)) };
}

function requireConfirmed(sent: Sent): void {
  const refused = sent.parties.find(({ state }) => state !== 'confirmed');
  if (refused === undefined) return;
  const reason = sent.message.rejectReason ?? 'no reason was given';
  throw new CliError('REJECTED', `The message ended ${refused.state} at ${refused.name}: ${reason}`, {
    details: { id: sent.id, parties: sent.parties, body: sent.text },
  });
}
