import { type Owners, ownerText } from '../requests/owners.js';

/**
 * Sentences for a contract's errors by name, built from their arguments; undefined where the error speaks for itself.
 */
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

/** The name and arguments of a contract's error, at the end of a sentence. */
const contractError = /\b([A-Za-z_]\w*)\((.*)\)$/;

/**
 * The remedy for an operation that a contract has refused and would refuse again; undefined for other failures.
 * `program` is the typed name.
 */
export function refusalRemedy(error: string, program: string): string | undefined {
  const [, name = ''] = contractError.exec(error) ?? [];
  if (name === '' && !/reverted/.test(error)) return undefined;
  const remedy = remedies.get(name)?.(program) ?? 'The contract would refuse it again as it is.';
  return `Nothing has changed on the chain. ${remedy}`;
}

const seeBalances = (program: string) => `See who has what: ${program} balances`;
const askOwner = () => 'Only its owner and approved operators may move it.';

const remedies = new Map<string, (program: string) => string>([
  ['ERC1155InsufficientBalance', seeBalances],
  ['ERC20InsufficientBalance', seeBalances],
  ['ERC1155MissingApprovalForAll', askOwner],
  ['ERC20InsufficientAllowance', askOwner],
  ['ERC721InsufficientApproval', askOwner],
  ['ERC721IncorrectOwner', askOwner],
  ['NotCreator', (program) => `Mint at the party that made the pool (${program} pool get names it): -p PARTY`],
]);

/**
 * Describes why an operation has failed, with registered names in place of addresses. The most frequent errors of
 * Parley's contracts get a sentence of their own.
 */
export function refusalText(error: string, owners: Owners): string {
  const named = error.replaceAll(/0x[0-9a-f]{40}\b/gi, (word) => ownerText(word.toLowerCase(), owners, false));
  const [, name = '', listed = ''] = contractError.exec(named) ?? [];
  const words = sentences.get(name)?.(...listed.split(', '));
  return words === undefined ? named : `${words} (${name})`;
}

function tooLittle(owner = '', balance = '', needed = ''): string {
  return `${owner} has ${balance} of it, and this takes ${needed}`;
}
