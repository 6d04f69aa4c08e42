import { type AbiEntry, splitType } from '../../domain/contracts/abi.js';
import type { TokenUse } from '../../domain/tokens/methods.js';
import type { TokenType } from '../../wire/token.js';

/** The meaning of an argument of a token contract's method. */
export type Role = 'from' | 'to' | 'operator' | 'amount' | 'token' | 'approved' | 'data' | 'uri';

/** The roles of a method's arguments, in order, or the reason why a pool cannot call it. */
export type Roles =
  | { readonly roles: readonly Role[]; readonly problem?: undefined }
  | { readonly roles?: undefined; readonly problem: string };

type Kind = 'address' | 'number' | 'bool' | 'bytes' | 'string';

/**
 * Determines the roles of a method's arguments: by their types, and for two addresses by their names or, if these are
 * inconclusive, by the order of the standards.
 */
export function rolesOf({ inputs }: Pick<AbiEntry, 'inputs'>, use: TokenUse, type: TokenType): Roles {
  const kinds = inputs.map(({ type: solidity }) => kindOf(solidity));
  const strange = inputs.find((_, index) => kinds[index] === undefined);
  if (strange !== undefined) return { problem: `a pool has nothing for its argument ${strange.name}, ${strange.type}` };
  const addresses = addressRoles(inputs, use);
  // The number of a mint may also be a quantity, so its name must say that it is a token.
  const isNamed = inputs.some(({ name }, index) => kinds[index] === 'number' && tokenName.test(name));
  const token: readonly Role[] = use === 'mint' && !isNamed ? [] : ['token'];
  const places: Readonly<Record<Kind, readonly Role[]>> = {
    address: addresses,
    number: type === 'fungible' ? ['amount'] : token,
    bool: use === 'approval' ? ['approved'] : [],
    bytes: ['data'],
    string: use === 'mint' && type === 'nonfungible' ? ['uri'] : [],
  };
  const taken: Record<Kind, number> = { address: 0, number: 0, bool: 0, bytes: 0, string: 0 };
  const roles: Role[] = [];
  for (const [index, kind] of kinds.entries()) {
    if (kind === undefined) continue;
    const role = places[kind][taken[kind]++];
    const { name, type: solidity } = inputs[index] ?? { name: '', type: '' };
    if (role === undefined) return { problem: `a pool has nothing for its argument ${name}, ${solidity}` };
    roles.push(role);
  }
  const missing = needed(use, type).find((choice) => !choice.some((role) => roles.includes(role)));
  return missing === undefined ? { roles } : { problem: `it has no argument for ${missing.join(' or ')}` };
}

/** The required roles, one of each choice: without it the call would do something else. */
function needed(use: TokenUse, type: TokenType): readonly (readonly Role[])[] {
  const what: readonly Role[] = type === 'fungible' ? ['amount'] : ['token'];
  switch (use) {
    case 'mint':
      return type === 'fungible' ? [['amount']] : [];
    case 'transfer':
      return [['to'], what];
    case 'burn':
      return [what];
    case 'approval':
      return [['operator'], [...what, 'approved']];
  }
}

function kindOf(solidity: string): Kind | undefined {
  const { base, suffix } = splitType(solidity);
  if (suffix !== '') return undefined;
  if (base.startsWith('uint')) return 'number';
  return (['address', 'bool', 'bytes', 'string'] as const).find((kind) => kind === base);
}

const tokenName = /^_*(?:token|(?:token_?)?(?:id|index|number))_*$/i;
const giver = /^_*(?:from|sender|owner|holder|account)_*$/i;
const taker = /^_*(?:to|recipient|receiver)_*$/i;

function addressRoles(inputs: AbiEntry['inputs'], use: TokenUse): readonly Role[] {
  if (use === 'mint') return ['to'];
  if (use === 'burn') return ['from'];
  if (use === 'approval') return ['operator'];
  const [first, second] = inputs.filter(({ type }) => type === 'address').map(({ name }) => name);
  if (second === undefined) return ['to'];
  return taker.test(first ?? '') && giver.test(second) ? ['to', 'from'] : ['from', 'to'];
}
