import type { Message } from '../../wire/messages/message.js';
import type { Progress, Wait } from '../../wire/messages/progress.js';
import { adviceFor, missingSentence } from '../../wire/messages/progress-texts.js';
import { isFinal } from '../../client/wait.js';
import type { PartyNode } from '../requests/target.js';
import { absenceOf, type Behind, type Cause, chainTrouble, pinCause, transportCause } from './cause.js';
import type { Inspection } from './inspection.js';

/** Maximum number of earlier messages that are followed. */
const maxBehind = 20;

/**
 * The root cause why a message is not decided at a party, found by following each wait. Undefined if the party has
 * decided it.
 */
export async function causeAt(
  inspection: Inspection,
  party: PartyNode,
  message: Message,
  behind: readonly Behind[] = [],
): Promise<Cause | undefined> {
  const { id, group, author } = message.header;
  const rooted = (root: Omit<Cause, 'behind'>): Cause => ({ ...root, behind });
  const away = await absenceOf(inspection, party);
  if (away !== undefined) return rooted(away);
  const held = await inspection.message(party, id);
  if (typeof held !== 'string' && isFinal(held)) return undefined;
  const pin = await pinCause(inspection, message);
  if (pin !== undefined) return rooted(pin);
  const isPrivate = group !== undefined;
  const progress = await inspection.progress(party, id);
  if (typeof progress === 'string') {
    const batch = message.batch === undefined ? undefined : await batchCause(inspection, party, message.batch, author);
    if (batch !== undefined) return rooted(batch);
    const sent = (sender: PartyNode) => inspection.progress(sender, id);
    const transport = { party, author, isPrivate, what: 'it', waits: [], sent };
    return rooted(await transportCause(inspection, transport));
  }
  return causeOfWaits(inspection, party, message, progress, behind);
}

async function causeOfWaits(
  inspection: Inspection,
  party: PartyNode,
  message: Message,
  progress: Progress,
  behind: readonly Behind[],
): Promise<Cause> {
  const { author, group, topics } = message.header;
  const isPrivate = group !== undefined;
  const waits = progress.waits.filter(({ on }) => on !== 'operation');
  const batch = waits.find(({ on }) => on === 'batch');
  if (batch?.batch !== undefined) return earlierBatch(inspection, party, batch, { isPrivate, behind });
  const isDataHere = progress.steps.find(({ step }) => step === 'data')?.time !== undefined;
  if (!isDataHere) {
    const transport = { party, author, isPrivate, what: 'its file', waits: progress.waits };
    return { ...(await transportCause(inspection, transport)), behind };
  }
  const topic = waits.find(({ context }) => context?.topic !== undefined)?.context?.topic ?? topics[0];
  const before = await firstBefore(inspection, party, message, topic);
  if (before !== undefined && behind.length < maxBehind && behind.every((each) => each.id !== before.header.id)) {
    const step = { kind: 'message', id: before.header.id, author: before.header.author, topic } as const;
    const cause = await causeAt(inspection, party, before, [...behind, step]);
    if (cause !== undefined) return cause;
  }
  // A message with a datatype waits for the definitions that were pinned before it, in a context of their own.
  const elsewhere = waits.find(({ on, message: first, batch: other }) => on === 'context' && !first && other);
  if (elsewhere !== undefined) {
    return earlierBatch(inspection, party, { ...elsewhere, context: {} }, { isPrivate: false, behind });
  }
  const definition = waits.find(({ on }) => on === 'definition');
  if (definition !== undefined) return { ...definitionCause(inspection, party, definition), behind };
  const other = waits[0] ?? progress.waits[0];
  if (other !== undefined) return { code: 'operation', text: other.detail, behind };
  const chain = chainTrouble(inspection);
  return { ...(chain ?? { code: 'on_its_way', text: missingSentence(progress) }), behind };

  function definitionCause({ faults }: Inspection, { name }: PartyNode, wait: Wait): Omit<Cause, 'behind'> {
    const drop = faults.find(({ kind, from }) => kind === 'drop' && from.party === name);
    if (drop === undefined) return { code: 'definition_missing', text: wait.detail, remedy: adviceFor(wait) };
    const text = `${wait.detail} What ${name} reads from the shared store fails.`;
    return { code: 'reads_dropped', text, remedy: `fault clear ${drop.id}` };
  }
}

/** The first undecided message of a topic at a party, if it is not the message itself. */
async function firstBefore(
  inspection: Inspection,
  party: PartyNode,
  { header }: Message,
  topic: string | undefined,
): Promise<Message | undefined> {
  if (topic === undefined) return undefined;
  const all = await inspection.undecided(party, topic);
  const [first] = all.filter(({ header: { group } }) => group === header.group);
  return first === undefined || first.header.id === header.id ? undefined : first;
}

async function earlierBatch(
  inspection: Inspection,
  party: PartyNode,
  { batch = '', author = '', context }: Wait,
  { isPrivate, behind }: { readonly isPrivate: boolean; readonly behind: readonly Behind[] },
): Promise<Cause> {
  const topic = context?.topic;
  const sender = inspection.partyOf(author);
  const inside = sender === undefined ? [] : await inspection.messagesOf(sender, batch);
  const first = inside.find(({ header }) => topic === undefined || header.topics.includes(topic));
  const step: Behind =
    first === undefined
      ? { kind: 'batch', id: batch, author, topic }
      : { kind: 'message', id: first.header.id, author, topic };
  const known = await batchCause(inspection, party, batch, author);
  const sent = (at: PartyNode) => inspection.batchProgress(at, batch);
  const transport = { party, author, isPrivate, what: 'its payload', waits: [], sent };
  return { ...(known ?? (await transportCause(inspection, transport))), behind: [...behind, step] };
}

/** Why a batch is void or incomplete at a party; undefined if it is neither, or the party does not have it. */
async function batchCause(
  inspection: Inspection,
  party: PartyNode,
  id: string,
  author: string,
): Promise<Omit<Cause, 'behind'> | undefined> {
  const [batch, progress] = await Promise.all([inspection.batch(party, id), inspection.batchProgress(party, id)]);
  if (typeof batch === 'string' || typeof progress === 'string') return undefined;
  if (batch.void !== undefined) return { code: 'void', text: `its batch ${id} is void: ${batch.void}` };
  if (progress.state !== 'wanted') return undefined;
  const { waits } = progress;
  const isPrivate = batch.type === 'private';
  const sent = (at: PartyNode) => inspection.batchProgress(at, id);
  return transportCause(inspection, { party, author, isPrivate, what: 'its payload', waits, sent });
}

/** The root cause why a batch is not decided at a party; undefined if it is. Its messages need not be known. */
export async function batchCauseAt(inspection: Inspection, party: PartyNode, id: string): Promise<Cause | undefined> {
  const away = await absenceOf(inspection, party);
  if (away !== undefined) return { ...away, behind: [] };
  const [batch, progress] = await Promise.all([inspection.batch(party, id), inspection.batchProgress(party, id)]);
  if (typeof batch === 'string' || typeof progress === 'string') {
    return { code: 'on_its_way', text: `${party.name} has not received it`, behind: [] };
  }
  const cause = await batchCause(inspection, party, id, batch.author);
  if (cause !== undefined) return { ...cause, behind: [] };
  if (progress.missing === undefined) return undefined;
  const wait = progress.waits[0]?.detail ?? missingSentence(progress);
  return { ...(chainTrouble(inspection) ?? { code: 'on_its_way', text: wait }), behind: [] };
}
