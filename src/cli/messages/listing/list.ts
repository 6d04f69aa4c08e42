import { type ListFlags, printList } from '../../requests/list.js';
import { identityWord, keysOfWord, readOwners } from '../../requests/owners.js';
import { openTarget, type CommandContext } from '../../requests/target.js';
import { type MessageFilterFlags, messageParameters } from './filters.js';
import { messageCollection } from './table.js';

/** A name or DID without a filter operator in front. */
const plainAuthor = /^(?:did:[\w.:/-]+|[\w.-]+)$/;

/**
 * `stack messages list`. An unknown author is an error, since an empty list would mean that it sent nothing.
 *
 * @throws CliError USAGE, NOT_FOUND for an unknown author; ClientError, UnreachableError
 */
export async function listMessages(flags: MessageFilterFlags & ListFlags, context: CommandContext): Promise<void> {
  const author = await knownAuthor(flags, context);
  const parameters = messageParameters({ ...flags, author }, Date.now());
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
