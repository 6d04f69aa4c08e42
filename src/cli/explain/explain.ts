import type { targetFlags } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import { isFinal } from '../../client/wait.js';
import type { Message } from '../../wire/messages/message.js';
import { textOf } from '../../wire/json/json.js';
import { CliError } from '../errors/exit.js';
import { resolveMessageId } from '../requests/ids.js';
import { createGroups } from '../messages/listing/groups.js';
import { result } from '../terminal/output.js';
import { openTarget, type PartyNode, type CommandContext, type Target } from '../requests/target.js';
import { shortAuthor } from '../terminal/text.js';
import { nameStack } from '../errors/named-stack.js';
import { isBlocking } from './cause.js';
import { batchCauseAt, causeAt } from './follow.js';
import { type Inspection, openInspection } from './inspection.js';
import { explainStack } from './stack.js';
import { memberOf, type PartyView } from './view.js';
import { causeLines, partyLines } from './lines.js';

export type ExplainFlags = FlagsOf<typeof targetFlags> & {
  /** Undefined: the whole stack is explained. */
  readonly id?: string | undefined;
};

/** The state of a message or batch, and the cause of its delay. */
interface Explanation {
  readonly kind: 'message' | 'batch';
  readonly id: string;
  /** `pending`: not decided everywhere yet, and not blocked. */
  readonly state: 'final' | 'rejected' | 'cancelled' | 'blocked' | 'pending';
  /** The heading, for a person. */
  readonly title: string;
  /** Why it was rejected or cancelled. */
  readonly reason?: string | undefined;
  readonly parties: readonly PartyView[];
}

/**
 * `stack explain`: prints the state of a message or batch at every party, and the root cause of a delay.
 *
 * @throws CliError REJECTED, UNHEALTHY if it is blocked, TIMEOUT if it is pending, NOT_FOUND, NOT_RUNNING, USAGE;
 * ClientError
 */
export async function explain(flags: ExplainFlags, context: CommandContext): Promise<void> {
  const target = await openTarget(flags, context);
  const inspection = await openInspection(target, context);
  if (flags.id === undefined) return explainStack(inspection, context, flags.stack);
  const explanation = await explainRecord(flags.id, inspection, target);
  const { output, program } = context;
  const { kind, id, state, title, reason, parties } = explanation;
  if (output.isJson) {
    const members = { kind, id, state, ...(reason !== undefined && { reason }), parties: parties.map(memberOf) };
    await output.json(textOf(result(members)));
  } else if (output.isQuiet) await output.line(state);
  else {
    const isRefused = state === 'rejected' || state === 'cancelled';
    const end = isRefused ? [`${state}: ${reason ?? 'no reason was given'}`] : causeLines(parties, program);
    const lines = [title, ...partyLines(parties), ...end];
    await output.line(lines.map((line) => nameStack(line, program, flags.stack)).join('\n'));
  }
  if (state !== 'final') throw new CliError(codes[state], `The ${kind} ${id} is ${state}.`, { isPrinted: true });
}

/** A pending message has the same code as a wait that timed out: it may still be confirmed. */
const codes = { rejected: 'REJECTED', cancelled: 'REJECTED', blocked: 'UNHEALTHY', pending: 'TIMEOUT' } as const;

/** The state of a message or batch that was neither rejected nor cancelled. */
function stateOf(parties: readonly PartyView[]): 'final' | 'blocked' | 'pending' {
  if (parties.some(({ cause }) => isBlocking(cause))) return 'blocked';
  return parties.some(({ cause }) => cause !== undefined) ? 'pending' : 'final';
}

async function explainRecord(typed: string, inspection: Inspection, target: Target): Promise<Explanation> {
  const id = await wholeId(typed, inspection);
  const records = await Promise.all(inspection.parties.map((party) => inspection.message(party, id)));
  const held = records.flatMap((record) => (typeof record === 'string' ? [] : [record]));
  const message = held.find(({ batch }) => batch !== undefined) ?? held[0];
  if (message !== undefined) return explainMessage(message, held, inspection, target);
  const batches = await Promise.all(inspection.parties.map((party) => inspection.batch(party, id)));
  const batch = batches.find((each) => typeof each !== 'string');
  if (batch === undefined) throw notFound(typed, inspection, records);
  const parties = await Promise.all(inspection.parties.map((party) => batchView(inspection, party, id)));
  const reason = parties.find(({ cause }) => cause?.code === 'void')?.cause?.text;
  const others = stateOf(parties.filter(({ cause }) => cause?.code !== 'void'));
  const author = typeof batch === 'string' ? '' : ` · batch of ${shortAuthor(batch.author)}`;
  const state = others === 'final' && reason !== undefined ? 'rejected' : others;
  return { kind: 'batch', id, state, title: `${id}${author}`, reason, parties };
}

async function batchView(inspection: Inspection, party: PartyNode, id: string): Promise<PartyView> {
  const cause = await batchCauseAt(inspection, party, id);
  const progress = await inspection.batchProgress(party, id);
  return { party: party.name, state: typeof progress === 'string' ? progress : progress.state, cause };
}

async function explainMessage(
  message: Message,
  held: readonly Message[],
  inspection: Inspection,
  target: Target,
): Promise<Explanation> {
  const { id, type, author, topics } = message.header;
  const concerned = await concernedBy(message, inspection, target);
  const parties = await Promise.all(concerned.map((party) => messageView(inspection, party, message)));
  const refused = held.find(({ state }) => state === 'rejected') ?? held.find(({ state }) => state === 'cancelled');
  const state = refused === undefined ? stateOf(parties) : refused.state === 'rejected' ? 'rejected' : 'cancelled';
  const title = `${id} · ${type} of ${shortAuthor(author)} · topic ${topics.join(', ')}`;
  return { kind: 'message', id, state, title, reason: refused && reasonOf(refused), parties };
}

function reasonOf({ state, rejectReason }: Message): string | undefined {
  return rejectReason ?? (state === 'cancelled' ? 'no other party had seen it' : undefined);
}

/** The parties that must decide a message: for a private one the members of its group, as one of them knows it. */
async function concernedBy(message: Message, inspection: Inspection, target: Target): Promise<readonly PartyNode[]> {
  for (const party of inspection.parties) {
    const record = await inspection.message(party, message.header.id);
    if (typeof record !== 'string') return createGroups({ ...target, party }).partiesOf(message);
  }
  return inspection.parties;
}

async function messageView(inspection: Inspection, party: PartyNode, message: Message): Promise<PartyView> {
  const [record, cause] = await Promise.all([
    inspection.message(party, message.header.id),
    causeAt(inspection, party, message),
  ]);
  if (typeof record === 'string') return { party: party.name, state: record, cause };
  const decided = record.confirmed ?? record.rejected;
  return { party: party.name, state: record.state, decided, cause: isFinal(record) ? undefined : cause };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Completes the id of a message at a node that answers. A full id is returned unchanged; it may be that of a batch. */
async function wholeId(typed: string, inspection: Inspection): Promise<string> {
  if (uuid.test(typed.toLowerCase())) return typed.toLowerCase();
  let absent: CliError | undefined;
  for (const party of inspection.parties) {
    if ((await inspection.status(party)) === 'away') continue;
    try {
      return await resolveMessageId(party.client, typed);
    } catch (error) {
      if (!(error instanceof CliError) || error.code !== 'NOT_FOUND') throw error;
      absent = error;
    }
  }
  throw absent ?? new CliError('NOT_RUNNING', 'No node of the stack answers.');
}

function notFound(typed: string, inspection: Inspection, records: readonly unknown[]): CliError {
  const away = inspection.parties.filter((_, index) => records[index] === 'away').map(({ name }) => name);
  const text =
    away.length === 0
      ? `No party has a message or batch ${typed}.`
      : `No message or batch ${typed} at the parties that answer. Not reached: ${away.join(', ')}.`;
  return new CliError('NOT_FOUND', text);
}
