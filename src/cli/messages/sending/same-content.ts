import { createHash } from 'node:crypto';
import type { DataInput } from '../../../wire/data/data.js';
import type { BroadcastRequest, Message, PrivateRequest } from '../../../wire/messages/message.js';
import { CliError } from '../../errors/exit.js';
import type { Target } from '../../requests/target.js';
import { shortAuthor } from '../../terminal/text.js';
import type { Groups } from '../listing/groups.js';

export interface Comparison {
  readonly target: Target;
  readonly groups: Groups;
  readonly program: string;
}

type Request = BroadcastRequest & PrivateRequest;

/**
 * Checks that an earlier message with the same idempotency key has the content of the request.
 *
 * @throws CliError CONFLICT if its kind or content differs
 */
export async function requireSameContent(request: Request, earlier: Message, comparison: Comparison): Promise<void> {
  const difference = await differenceOf(request, earlier, comparison);
  if (difference === undefined) return;
  const { id, type } = earlier.header;
  const key = request.idempotencyKey ?? '';
  throw new CliError(
    'CONFLICT',
    `The idempotency key "${key}" belongs to an earlier ${type} message: ${difference} differ.`,
    {
      hint: `Nothing was sent. Use another key, or see the earlier message: ${comparison.program} messages get ${id}`,
      details: { earlier: id },
    },
  );
}

async function differenceOf(
  request: Request,
  earlier: Message,
  { target, groups }: Comparison,
): Promise<string | undefined> {
  const { header } = earlier;
  if (header.type !== (request.group === undefined ? 'broadcast' : 'private')) return 'the kinds';
  if (!(await hasSameRecipients(request, earlier, groups))) return 'the recipients';
  if ((request.header?.tag ?? '') !== (header.tag ?? '')) return 'the tags';
  const topics = request.header?.topics ?? ['default'];
  if (topics.join('\n') !== header.topics.join('\n')) return 'the topics';
  return (await hasSameData(request.data ?? [], earlier, target)) ? undefined : 'the data';
}

/** Whether a message has these data items, by their hashes. @throws ClientError, UnreachableError */
export async function hasSameData(inputs: readonly DataInput[], earlier: Message, target: Target): Promise<boolean> {
  const hashes = await Promise.all(inputs.map((input) => hashOf(input, target)));
  return hashes.join() === earlier.data.map(({ hash }) => hash).join();
}

/** Whether the recipients are the same. Names that only the node can resolve are not compared. */
async function hasSameRecipients({ group }: Request, earlier: Message, groups: Groups): Promise<boolean> {
  if (group === undefined) return true;
  if (typeof group === 'string') return group === earlier.header.group;
  const author = shortAuthor(earlier.header.author);
  const members = (group.members ?? []).map(({ identity = '' }) => shortAuthor(identity));
  const wanted = members.filter((name) => name !== author);
  if (wanted.some((name) => /[:/]|^0x/.test(name))) return true;
  const had = (await groups.recipientsOf(earlier)).filter((name) => name !== author);
  return wanted.toSorted().join() === had.toSorted().join();
}

async function hashOf(input: DataInput, { party }: Target): Promise<string> {
  if (input.id !== undefined) return (await party.client.getData({ path: { dataid: input.id } })).value.hash;
  return createHash('sha256')
    .update(input.value ?? '')
    .digest('hex');
}
