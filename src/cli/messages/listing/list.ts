import { type ListFlags, printList } from '../../requests/list.js';
import { resolveGroupHash } from '../../requests/ids.js';
import { identityWord, keysOfWord, readOwners } from '../../requests/owners.js';
import { openTarget, type CommandContext } from '../../requests/target.js';
import { type MessageFilterFlags, messageParameters } from './filters.js';
import { messageCollection } from './table.js';

/** The start of a hash, without a filter operator in front. */
const startOfHash = /^[0-9a-f]{1,63}$/i;
/** A name or DID without a filter operator in front. */
const plainAuthor = /^(?:did:[\w.:/-]+|[\w.-]+)$/;

/**
 * `stack messages list`. An unknown author or group is an error, not an empty list.
 *
 * @throws CliError USAGE, NOT_FOUND for an unknown author or group; ClientError, UnreachableError
 */
export async function listMessages(flags: MessageFilterFlags & ListFlags, context: CommandContext): Promise<void> {
  const author = await knownAuthor(flags, context);
  const group = await knownGroup(flags, context);
  const parameters = messageParameters({ ...flags, author, group }, Date.now());
  await printList(flags, messageCollection(flags['with-data']), parameters, context);
}

async function knownAuthor(
  flags: MessageFilterFlags & ListFlags,
  context: CommandContext,
): Promise<string | undefined> {
  const { author } = flags;
  if (author === undefined || !plainAuthor.test(author)) return author;
  const target = await openTarget(flags, context);
  keysOfWord(author, await readOwners(target.party.client), target);
  return identityWord(target, author);
}

async function knownGroup(flags: MessageFilterFlags & ListFlags, context: CommandContext): Promise<string | undefined> {
  const { group } = flags;
  if (group === undefined || !startOfHash.test(group)) return group;
  const { party } = await openTarget(flags, context);
  return resolveGroupHash(party.client, group);
}
