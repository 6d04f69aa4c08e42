import { type Owners, ownerText } from '../owners.js';

/** What a contract says by an error of this name, of its arguments in words; undefined where it says it itself. */
const sentences = new Map<string, (...words: readonly string[]) => string>([
  ['ERC1155InsufficientBalance', tooLittle],
  ['ERC20InsufficientBalance', tooLittle],
  ['ERC1155MissingApprovalForAll', (operator, owner) => `${operator} may not move what is ${owner}’s`],
  [
    'ERC20InsufficientAllowance',
    (operator, allowance, needed) => `${operator} may move ${allowance} of somebody else’s, and this takes ${needed}`,
  ],
  ['ERC721InsufficientApproval', (operator, token) => `${operator} may not move the token #${token}`],
  ['ERC721IncorrectOwner', (sender, token, owner) => `the token #${token} is ${owner}’s, not ${sender}’s`],
  ['ERC721NonexistentToken', (token) => `there is no token #${token}`],
  ['NotCreator', (sender) => `${sender} has not created this pool, and only its creator mints`],
]);

/**
 * Why an operation has failed, with names in place of the addresses that somebody has registered. What contracts of
 * ours refuse most often is said in words too.
 */
export function refusalWords(error: string, owners: Owners): string {
  const named = error.replaceAll(/0x[0-9a-f]{40}\b/gi, (word) => ownerText(word.toLowerCase(), owners, false));
  const [, name = '', listed = ''] = /(\w+)\((.*)\)$/.exec(named) ?? [];
  const words = sentences.get(name)?.(...listed.split(', '));
  return words === undefined ? named : `${words} (${name})`;
}

function tooLittle(owner = '', balance = '', needed = ''): string {
  return `${owner} has ${balance} of it, and this takes ${needed}`;
}
