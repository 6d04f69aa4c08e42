import { keyOwnerOf } from '../../../client/errors.js';
import type { OpenSocket } from '../../../client/events/socket.js';
import { type FinalMessage, type Watch, watchMessages } from '../../../client/wait.js';
import { textOf } from '../../../wire/json/json.js';
import type { Answer, Client } from '../../../client/client.js';
import type { Message } from '../../../wire/messages/message.js';
import { CliError } from '../../errors/exit.js';
import type { Groups } from '../listing/groups.js';
import { withMember } from '../../requests/json-text.js';
import type { PartyNode, Target } from '../../requests/target.js';
import { limitSignal } from '../../duration.js';
import { waitingReasons } from '../listing/waiting-reasons.js';

/** The parties at which a send waits for the final record: none, the sender, or all recipients. */
export type WaitScope = 'none' | 'local' | 'all';

export interface SenderOptions {
  readonly target: Target;
  readonly groups: Groups;
  readonly scope: WaitScope;
  /** 0 = no limit. */
  readonly timeoutMs: number;
  readonly openSocket: OpenSocket;
  /** Explains a timeout. Default: by the services that the nodes wait for. */
  readonly reasonsOf?: ReasonsOf | undefined;
}

/** Why parties have not decided a message, as text and as causes for JSON. */
export interface Reasons {
  readonly text: string;
  readonly causes: readonly unknown[];
}

export type ReasonsOf = (id: string, missing: readonly PartyNode[]) => Promise<Reasons>;

/** The outcome of a message at one party. */
export interface PartyOutcome {
  readonly name: string;
  readonly state: string;
  readonly confirmed: string | undefined;
  readonly rejected?: string | undefined;
  /** Time from the send until this party was first seen to have decided. */
  readonly confirmedMs: number;
}

/** An accepted message with the outcomes that were waited for. */
export interface Sent {
  readonly id: string;
  readonly message: Message;
  /** The newest record of the sending node, as served. */
  readonly text: string;
  /** Whether this is an earlier message with the same idempotency key. */
  readonly isDuplicate: boolean;
  readonly acceptedMs: number;
  /** In the order of the stack; empty without a wait. */
  readonly parties: readonly PartyOutcome[];
}

/** The request that makes a node send one message. */
export type Post = (client: Client) => Promise<Answer<Message>>;

export interface Sender {
  /**
   * Posts one message to the sending party's node and waits as requested. `requireSame` is called with an earlier
   * message of the same idempotency key.
   *
   * @throws CliError TIMEOUT or REJECTED with the id in `details.id`; ClientError, UnreachableError if it was not
   * accepted
   */
  send(post: Post, requireSame?: (earlier: Message) => Promise<void>): Promise<Sent>;
  /** The parties that have not decided all accepted messages yet. */
  missing(): readonly string[];
  close(): void;
}

/** Creates a sender, and opens the streams of all awaited parties so that no decision is missed. */
export function createSender({ target, groups, scope, timeoutMs, openSocket, reasonsOf }: SenderOptions): Sender {
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
      const decisions = await decide(chosen, accepted.message.header.id, { timeoutMs, count, reasonsOf });
      const own = decisions.find(({ party }) => party === target.party);
      const sent: Sent = {
        id: accepted.message.header.id,
        isDuplicate: accepted.isDuplicate,
        acceptedMs: Math.round(acceptedMs),
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
 * The sender's record as served, with a last member `stack` from the command line (docs/operations.md §11.6). Further
 * members of `stack` are in `more`, as JSON texts.
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

/** Time at which the last awaited party had decided. */
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
    const earlier = keyOwnerOf(error, ['FF10430']);
    if (earlier === undefined) throw error;
    const { value, text } = await party.client.getMessage({ path: { msgid: earlier } });
    return { message: value, text, isDuplicate: true };
  }
}

interface PartyWatch {
  readonly party: PartyNode;
  readonly watch: Watch;
}

interface Waiting extends Pick<SenderOptions, 'timeoutMs' | 'reasonsOf'> {
  readonly count: (party: PartyNode, change: number) => void;
}

async function decide(
  watches: readonly PartyWatch[],
  id: string,
  { timeoutMs, count, reasonsOf = waitingOf }: Waiting,
): Promise<{ party: PartyNode; decided: FinalMessage }[]> {
  const signal = limitSignal(timeoutMs);
  const settled = await Promise.allSettled(
    watches.map(async ({ party, watch }) => {
      count(party, 1);
      return watch.decided(id, signal).finally(() => {
        count(party, -1);
      });
    }),
  );
  const decisions: { party: PartyNode; decided: FinalMessage }[] = [];
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
  const { text, causes } = await reasonsOf(id, missing);
  throw new CliError('TIMEOUT', `Not confirmed at ${names.join(', ')} within ${timeoutMs / 1_000} s.`, {
    hint: [`The message ${id} is accepted and may still be confirmed.`, text].join(' ').trimEnd(),
    details: {
      id,
      missing: names,
      decided: decisions.map(({ party }) => party.name),
      ...(causes.length > 0 && { causes }),
    },
  });
}

const waitingOf: ReasonsOf = async (_, missing) => ({ text: await waitingReasons(missing), causes: [] });

function outcomeOf(party: PartyNode, { answer, seenMs }: FinalMessage, sentMs: number): PartyOutcome {
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
