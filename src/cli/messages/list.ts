import { type ListWords, printList } from '../list.js';
import { identityWord, keysOfWord, readOwners } from '../owners.js';
import { openTarget, type Surroundings } from '../target.js';
import { type MessageFilterWords, messageParameters } from './filters.js';
import { messageCollection } from './table.js';

/** A name or DID without an operator of the filter syntax in front. */
const plainAuthor = /^(?:did:[\w.:/-]+|[\w.-]+)$/;

/**
 * `stack messages list`. An author that the network does not have is an error: an empty list would say that it sent
 * nothing.
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
  const did = author.replace(/^did:firefly:/, 'did:parley:');
  keysOfWord(did, await readOwners(target.party.client), target);
  return identityWord(target, did);
}
