import { signatureOf } from '../../domain/contracts/abi.js';
import { type PoolMethods, type TokenUse, tokenUses } from '../../domain/tokens/methods.js';
import type { OfferedMethod } from '../../ports/token-connector.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf } from '../../wire/json/json.js';
import type { TokenType } from '../../wire/token.js';
import { rolesOf } from './method-roles.js';

/** The usual method names for each use, if the request names none. */
const usualNames: Readonly<Record<TokenUse, readonly string[]>> = {
  mint: ['mintWithData', 'mintWithURI', 'mint', 'mintTo', 'safeMint', 'issue'],
  transfer: ['transferWithData', 'safeTransferFrom', 'transfer', 'transferFrom'],
  burn: ['burnWithData', 'burn', 'burnFrom', 'redeem'],
  approval: ['approveWithData', 'setApprovalForAllWithData', 'approve', 'setApprovalForAll'],
};
/** Maximum number of methods per use. */
const maxMethods = 16;

/**
 * Chooses the methods that a pool calls from an interface: those of `config.methods`, otherwise those with a usual
 * name.
 */
export function chooseMethods(given: unknown, type: TokenType, offered: readonly OfferedMethod[]): PoolMethods {
  const asked = readAsked(given);
  const chosen = tokenUses.flatMap((use) => {
    const names = asked.get(use);
    const methods =
      names === undefined ? usual(use, type, offered) : names.flatMap((name) => named(name, use, type, offered));
    return methods.length === 0 ? [] : [[use, methods.slice(0, maxMethods).map(({ entry }) => entry)] as const];
  });
  if (chosen.length > 0) return Object.fromEntries(chosen);
  const expected = 'one with methods that mint, transfer, burn or approve; say which they are in config.methods';
  const actual = `one with ${pathsOf(offered)}`;
  throw new ServiceError('field_type', { field: 'interface', expected, actual });
}

/** Parses `config.methods`: `{"mint":"issue","burn":["retire","retireFrom"]}`. */
function readAsked(given: unknown): ReadonlyMap<TokenUse, readonly string[]> {
  const asked = new Map<TokenUse, readonly string[]>();
  if (given === undefined || given === null) return asked;
  const isObject = typeof given === 'object' && !Array.isArray(given);
  for (const [member, value] of isObject ? Object.entries(given) : [['', given] as const]) {
    const use = tokenUses.find((each) => each === member);
    const names: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (use === undefined || names.length === 0 || !names.every((name) => typeof name === 'string')) {
      const expected = `an object with ${tokenUses.join(', ')}, each a method or a list of them`;
      throw new ServiceError('field_type', { field: 'config.methods', expected, actual: textOf(given) });
    }
    asked.set(use, names);
  }
  return asked;
}

function named(
  name: string,
  use: TokenUse,
  type: TokenType,
  offered: readonly OfferedMethod[],
): readonly OfferedMethod[] {
  const field = `config.methods.${use}`;
  const byPath = offered.filter(({ pathname }) => pathname === name);
  const [found] = byPath;
  if (found === undefined) {
    const expected = `a method of the interface, which has ${pathsOf(offered)}`;
    throw new ServiceError('field_type', { field, expected, actual: `"${name}"` });
  }
  const { problem } = rolesOf(found.entry, use, type);
  if (problem === undefined) return byPath;
  const actual = `${signatureOf(found.entry)}: ${problem}`;
  throw new ServiceError('field_type', { field, expected: `a method that a ${type} pool can call`, actual });
}

function usual(use: TokenUse, type: TokenType, offered: readonly OfferedMethod[]): readonly OfferedMethod[] {
  return usualNames[use].flatMap((name) =>
    offered.filter(({ entry }) => entry.name === name && rolesOf(entry, use, type).roles !== undefined),
  );
}

function pathsOf(offered: readonly OfferedMethod[]): string {
  return offered.length === 0 ? 'no methods' : offered.map(({ pathname }) => pathname).join(', ');
}
