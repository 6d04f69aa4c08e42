import { type Owners, ownerText } from '../requests/owners.js';

/**
 * Texts for errors of contracts by name, built from their arguments.
 */
const sentences = new Map<string, (...words: readonly string[]) => string>([
  ['ERC1155InsufficientBalance', tooLittle],
  ['ERC20InsufficientBalance', tooLittle],
  ['ERC1155MissingApprovalForAll', (operator, owner) => `${operator} may not move tokens of ${owner}`],
  [
    'ERC20InsufficientAllowance',
    (operator, allowance, needed) => `${operator} may move only ${allowance} of another owner, not ${needed}`,
  ],
  ['ERC721InsufficientApproval', (operator, token) => `${operator} may not move the token #${token}`],
  ['ERC721IncorrectOwner', (sender, token, owner) => `the token #${token} belongs to ${owner}, not to ${sender}`],
  ['ERC721NonexistentToken', (token) => `there is no token #${token}`],
  ['Panic', (code = '') => panics.get(code) ?? `the contract has a defect, code ${code}`],
  ['NotCreator', (sender) => `${sender} is not the creator of the pool, and only the creator may mint`],
]);

/** The codes of Solidity's panics that a wrong argument can cause. */
const panics = new Map([
  ['17', 'a number would be below zero or above 2^256-1'],
  ['18', 'a number would be divided by zero'],
  ['50', 'an index is out of bounds'],
]);

/** The name and arguments of a contract's error, at the end of a message. */
const contractError = /\b([A-Za-z_]\w*)\((.*)\)$/;

/**
 * The remedy for an operation that a contract has refused and would refuse again; undefined for other failures.
 * `program` is the typed name.
 */
export function refusalRemedy(error: string, program: string): string | undefined {
  const [, name = ''] = contractError.exec(error) ?? [];
  if (name === '' && !/reverted/.test(error)) return undefined;
  const remedy = remedies.get(name)?.(program) ?? 'The contract would refuse the same operation again.';
  return `Nothing has changed on the chain. ${remedy}`;
}

const seeBalances = (program: string) => `To see all balances: ${program} balances`;
const askOwner = () => 'Only the owner and approved operators may move it.';

const remedies = new Map<string, (program: string) => string>([
  ['ERC1155InsufficientBalance', seeBalances],
  ['ERC20InsufficientBalance', seeBalances],
  ['ERC1155MissingApprovalForAll', askOwner],
  ['ERC20InsufficientAllowance', askOwner],
  ['ERC721InsufficientApproval', askOwner],
  ['ERC721IncorrectOwner', askOwner],
  ['NotCreator', (program) => `Mint at the party that created the pool (see ${program} pool get NAME): -p PARTY`],
]);

/**
 * Describes why an operation has failed, with registered names instead of addresses, and in plain words for the most
 * frequent errors of Parley's contracts.
 */
export function refusalText(error: string, owners: Owners): string {
  const named = error.replaceAll(/0x[0-9a-f]{40}\b/gi, (word) => ownerText(word.toLowerCase(), owners, false));
  const [, name = '', listed = ''] = contractError.exec(named) ?? [];
  const words = sentences.get(name)?.(...listed.split(', '));
  return words === undefined ? named : `${words} (${name})`;
}

function tooLittle(owner = '', balance = '', needed = ''): string {
  return `${owner} has only ${balance}, not ${needed}`;
}
