import { AbiCoder, id as hashOf, MaxUint256, ZeroAddress } from 'ethers';
import { type AbiEntry, signatureOf } from '../../domain/contracts/abi.js';
import type { PoolMethods, TokenUse } from '../../domain/tokens/methods.js';
import type { ApprovalRequest, TransferRequest } from '../../ports/token-connector.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { TokenType } from '../../wire/token.js';
import { readConfig, readDigits } from './config.js';
import { type Role, rolesOf } from './method-roles.js';
import { bytesOf, dataOf, decodeWords } from './words.js';

/** A call of an interface's method, whether it carries the operation's data, and whether it says which token. */
export interface MappedCall {
  readonly data: string;
  readonly carriesData: boolean;
  readonly namesToken: boolean;
}

/** A request's values by role; undefined: the request has none, so a method that requires it cannot be called. */
type Values = Readonly<Record<Role, unknown>>;

interface Candidate {
  readonly entry: AbiEntry;
  readonly roles: readonly Role[];
}

const selectorCharacters = '0x12345678'.length;

/**
 * Encodes a mint, transfer or burn by a pool's own methods. Of several that can express the request, the one that
 * carries its data is chosen, else the one that omits implied values.
 *
 * @throws ServiceError field_type if none can express the request
 */
export function encodeMapped(methods: readonly AbiEntry[], type: TokenType, request: TransferRequest): MappedCall {
  const { kind, key, from, to, amount, tokenIndex, uri, data } = request;
  if (kind === 'mint' && type === 'nonfungible' && amount !== '1') {
    refuse('amount', '1: such a contract mints one token at a time', amount);
  }
  const values = {
    from,
    to,
    amount,
    token: tokenIndex,
    uri: uri ?? '',
    data,
    operator: undefined,
    approved: undefined,
  };
  const says = ({ roles }: Candidate): Unsaid | undefined => {
    if (kind !== 'mint' && from !== key && !roles.includes('from')) {
      return { field: 'from', expected: `${key}, whose tokens alone the contract moves`, actual: from };
    }
    if (kind === 'mint' && to !== key && !roles.includes('to')) {
      return { field: 'to', expected: `${key}, for whom alone the contract mints`, actual: to };
    }
    if (kind === 'mint' && tokenIndex === undefined && roles.includes('token')) {
      const expected = 'the index of the new token, which the contract does not choose';
      return { field: 'tokenIndex', expected, actual: 'absent' };
    }
    if (uri !== undefined && !roles.includes('uri')) {
      return { field: 'uri', expected: 'absent: the contract takes none', actual: uri };
    }
    return undefined;
  };
  // An owner who transfers its own tokens needs no allowance; the method that names the owner may require one.
  const goesWithoutSaying: readonly Role[] = from === key ? ['from', 'uri'] : ['uri'];
  const found = candidates(methods, kind, type);
  // A mint has an index only where the contract takes one.
  const naming = tokenIndex === undefined ? [] : found.filter(({ roles }) => roles.includes('token'));
  return choose(naming.length > 0 ? naming : found, says, goesWithoutSaying, () => values);
}

/** Encodes an approval in the same way: of an allowance, of one token, or of all. @throws ServiceError field_type */
export function encodeMappedApproval(
  methods: readonly AbiEntry[],
  type: TokenType,
  { operator, approved, config, data }: ApprovalRequest,
): MappedCall {
  const members = readConfig(config, 'approval');
  const allowance = type === 'fungible' ? readDigits(members, 'allowance', MaxUint256) : undefined;
  const token = type === 'nonfungible' ? readDigits(members, 'tokenIndex', MaxUint256) : undefined;
  const says = ({ roles }: Candidate): Unsaid | undefined => {
    if (token !== undefined && !roles.includes('token')) {
      return { field: 'config.tokenIndex', expected: 'absent: the contract approves for all tokens', actual: token };
    }
    if (token === undefined && roles.includes('token')) {
      return { field: 'config.tokenIndex', expected: 'given: the contract approves for one token', actual: 'absent' };
    }
    if (allowance !== undefined && !roles.includes('amount')) {
      return { field: 'config.allowance', expected: 'absent: the contract approves without limit', actual: allowance };
    }
    return undefined;
  };
  const amount = approved ? (allowance ?? String(MaxUint256)) : '0';
  const values = { from: undefined, to: undefined, uri: undefined, data, approved, token, amount, operator };
  return choose(candidates(methods, 'approval', type), says, [], ({ roles }) => {
    // If there is no other way, the approval of a token is revoked by approving the zero address.
    const isNobody = !approved && roles.includes('token') && !roles.includes('approved');
    return { ...values, operator: isNobody ? ZeroAddress : operator };
  });
}

/** Whether operations by one of these methods can carry data. */
export function takesData(methods: PoolMethods): boolean {
  return Object.values(methods).some((entries) => entries.some(({ inputs }) => inputs.some(isData)));
}

/** The data that a call of one of these methods carried, from its input; undefined for any other input. */
export function dataOfMapped(methods: PoolMethods, input: string): string | undefined {
  const entries = Object.values(methods).flat();
  const entry = entries.find((each) => selectorOf(each) === input.slice(0, selectorCharacters));
  const place = entry?.inputs.findIndex(isData) ?? -1;
  if (entry === undefined || place < 0) return undefined;
  const types = entry.inputs.map(({ type }) => (type === 'string' ? 'bytes' : type));
  const values = decodeWords(types, `0x${input.slice(selectorCharacters)}`);
  return values === undefined ? undefined : dataOf(values[place]);
}

function isData({ type }: AbiEntry['inputs'][number]): boolean {
  return type === 'bytes';
}

function candidates(methods: readonly AbiEntry[], use: TokenUse, type: TokenType): readonly Candidate[] {
  return methods.flatMap((entry) => {
    const { roles } = rolesOf(entry, use, type);
    return roles === undefined ? [] : [{ entry, roles }];
  });
}

interface Unsaid {
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
}

function choose(
  found: readonly Candidate[],
  says: (candidate: Candidate) => Unsaid | undefined,
  goesWithoutSaying: readonly Role[],
  valuesFor: (candidate: Candidate) => Values,
): MappedCall {
  const cost = ({ roles }: Candidate): number =>
    (roles.includes('data') ? 0 : found.length * 10) + roles.filter((role) => goesWithoutSaying.includes(role)).length;
  const possible = found.filter((candidate) => says(candidate) === undefined).sort((a, b) => cost(a) - cost(b));
  const [best] = possible;
  if (best === undefined) {
    const [unsaid] = found.flatMap((candidate) => says(candidate) ?? []);
    if (unsaid !== undefined) refuse(unsaid.field, unsaid.expected, unsaid.actual);
    return refuse('pool', 'one whose interface has a method for this', 'this one');
  }
  const [carriesData, namesToken] = [best.roles.includes('data'), best.roles.includes('token')];
  return { data: encode(best, valuesFor(best)), carriesData, namesToken };
}

function encode({ entry, roles }: Candidate, values: Values): string {
  const types = entry.inputs.map(({ type }) => type);
  const given = roles.map((role) => (role === 'data' ? bytesOf(String(values.data)) : values[role]));
  try {
    return `${selectorOf(entry)}${AbiCoder.defaultAbiCoder().encode(types, given).slice(2)}`;
  } catch {
    // The number does not fit into the integer type.
    const expected = `what ${signatureOf(entry)} takes`;
    const actual = given.map(String).join(', ');
    throw new ServiceError('field_type', { field: 'amount', expected, actual });
  }
}

function selectorOf(entry: AbiEntry): string {
  return hashOf(signatureOf(entry)).slice(0, selectorCharacters);
}

function refuse(field: string, expected: string, actual: string): never {
  throw new ServiceError('field_type', { field, expected, actual });
}
