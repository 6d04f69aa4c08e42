import { type ListWords, printList } from '../../requests/list.js';
import { identityWord, keysOfWord, readOwners } from '../../requests/owners.js';
import { openTarget, type Surroundings } from '../../requests/target.js';
import { type MessageFilterWords, messageParameters } from './filters.js';
import { messageCollection } from './table.js';

/** A name or DID without a filter operator in front. */
const plainAuthor = /^(?:did:[\w.:/-]+|[\w.-]+)$/;

/**
 * `stack messages list`. An unknown author is an error, since an empty list would mean that it sent nothing.
 *
 * @throws CliError USAGE, NOT_FOUND for an unknown author; ClientError, UnreachableError
 */
export async function listMessages(words: MessageFilterWords & ListWords, surroundings: Surroundings): Promise<void> {
  const author = await knownAuthor(words, surroundings);
  const parameters = messageParameters({ ...words, author }, Date.now());
  await printList(words, messageCollection(words['with-data']), parameters, surroundings);
}

async function knownAuthor(
  words: MessageFilterWords & ListWords,
  surroundings: Surroundings,
): Promise<string | undefined> {
  const { author } = words;
  if (author === undefined || !plainAuthor.test(author)) return author;
  const target = await openTarget(words, surroundings);
  keysOfWord(author, await readOwners(target.party.client), target);
  return identityWord(target, author);
}
