import { Interface, type Result } from 'ethers';
import { maxTokensPerMint, maxTokenUriBytes, plainTokenUri, tokenPoolsAbi } from '../../../domain/tokens/contracts.js';
import { decodeRevert } from '../abi.js';
import type { ContractRules, RuleAnswer } from './accounts.js';
import { move, noAddress, type TokenCall, TokenRefusal, type TokenState } from './token-move.js';
import { createUndoable } from './undoable.js';

const contract = new Interface(tokenPoolsAbi);
const nonFungibleBit = 1n << 255n;
const indexMask = (1n << 128n) - 1n;

/**
 * Creates the state and rules of `TokenPools.sol`: the same logs and errors for the same calls. No contract accepts
 * tokens.
 */
export function createMemoryTokens(isContract: (address: string) => boolean): ContractRules {
  const undoable = createUndoable();
  const state: TokenState = {
    counters: undoable.map(),
    pools: undoable.map(),
    uris: undoable.map(),
    balances: undoable.map(),
    approvals: undoable.map(),
  };
  return {
    call(sender, data): RuleAnswer {
      const parsed = parse(data);
      const method = parsed === undefined ? undefined : methods[parsed.name];
      if (parsed === undefined || method === undefined) return { reason: 'execution reverted', data: '0x' };
      const logs: { topics: string[]; data: string }[] = [];
      const emit: TokenCall['emit'] = (event, values) => void logs.push(contract.encodeEventLog(event, [...values]));
      undoable.begin();
      try {
        const results = method({ state, sender, emit, isContract }, parsed.args);
        return { logs, output: contract.encodeFunctionResult(parsed.name, [...results]) };
      } catch (error) {
        undoable.undo();
        if (error instanceof TokenRefusal) return refusalOf(error);
        throw error;
      }
    },
    undo: () => undoable.undo(),
  };
}

function refusalOf({ error, values }: TokenRefusal): RuleAnswer {
  const data = error === 'Panic' ? panicData(values) : contract.encodeErrorResult(error, [...values]);
  return { reason: decodeRevert(data) ?? error, data };
}

/** The revert data of the compiler's own checks. */
function panicData(values: readonly unknown[]): string {
  return panics.encodeErrorResult('Panic', [...values]);
}

const panics = new Interface(['error Panic(uint256 code)']);

function parse(data: string): { readonly name: string; readonly args: Result } | undefined {
  try {
    return contract.parseTransaction({ data }) ?? undefined;
  } catch {
    // Invalid arguments: the contract reverts without data.
    return undefined;
  }
}

type Method = (call: TokenCall, args: Result) => readonly unknown[];

const methods: Readonly<Record<string, Method>> = {
  create({ state, sender, emit }, args) {
    const count = (state.counters.get('pools') ?? 0n) + 1n;
    state.counters.set('pools', count);
    const isFungible = args[0] === true;
    const startId = (count << 128n) | (isFungible ? 0n : nonFungibleBit);
    state.pools.set(startId, { creator: sender, tokens: 0n });
    emit('PoolCreated', [sender, startId, isFungible ? startId : startId | indexMask, isFungible, args[1]]);
    return [startId];
  },

  mintFungible(call, args) {
    const [poolId, recipients, amounts] = [whole(args[0]), list(args[1]).map(address), list(args[2]).map(whole)];
    ownPool(call, poolId);
    if ((poolId & nonFungibleBit) !== 0n) throw new TokenRefusal('PoolIsNonFungible', poolId);
    requireCount(recipients.length);
    if (recipients.length !== amounts.length) {
      throw new TokenRefusal('LengthsDiffer', recipients.length, amounts.length);
    }
    for (const [index, to] of recipients.entries()) {
      if (to === noAddress) throw new TokenRefusal('ERC1155InvalidReceiver', to);
      move(call, { from: noAddress, to, tokens: [{ id: poolId, amount: amounts[index] ?? 0n }], data: args[3] });
    }
    return [];
  },

  mintNonFungible: (call, args) => mintTokens(call, { poolId: args[0], to: args[1], data: args[2], uri: '' }),
  mintNonFungibleWithURI: (call, args) =>
    mintTokens(call, { poolId: args[0], to: args[1], data: args[2], uri: String(args[3]) }),

  safeTransferFrom(call, args) {
    const [from, to] = [address(args[0]), address(args[1])];
    requireApproved(call, from);
    if (to === noAddress) throw new TokenRefusal('ERC1155InvalidReceiver', to);
    if (from === noAddress) throw new TokenRefusal('ERC1155InvalidSender', from);
    move(call, { from, to, tokens: [{ id: whole(args[2]), amount: whole(args[3]) }], data: args[4] });
    return [];
  },

  burn(call, args) {
    const from = address(args[0]);
    requireApproved(call, from);
    if (from === noAddress) throw new TokenRefusal('ERC1155InvalidSender', from);
    move(call, { from, to: noAddress, tokens: [{ id: whole(args[1]), amount: whole(args[2]) }], data: args[3] });
    return [];
  },

  setApprovalForAllWithData({ state, sender, emit }, args) {
    const [operator, isApproved] = [address(args[0]), args[1] === true];
    if (operator === noAddress) throw new TokenRefusal('ERC1155InvalidOperator', operator);
    state.approvals.set(`${sender} ${operator}`, isApproved);
    emit('ApprovalForAll', [sender, operator, isApproved]);
    emit('ApprovalData', [args[2]]);
    return [];
  },

  balanceOf: ({ state }, args) => [state.balances.get(`${whole(args[1])} ${address(args[0])}`) ?? 0n],
  isApprovedForAll: ({ state }, args) => [state.approvals.get(`${address(args[0])} ${address(args[1])}`) === true],
  uri({ state }, args) {
    const id = whole(args[0]);
    const ranges = state.uris.get(id & ~indexMask) ?? [];
    const range = ranges.findLast(({ firstIndex }) => firstIndex <= (id & indexMask));
    return [range === undefined || range.uri === '' ? plainTokenUri : range.uri];
  },
};

interface TokenMint {
  readonly poolId: unknown;
  readonly to: unknown;
  readonly data: unknown;
  readonly uri: string;
}

/** Mints one token per recipient; consecutive ones with the same recipient share an event. */
function mintTokens(call: TokenCall, mint: TokenMint): readonly unknown[] {
  const [poolId, recipients] = [whole(mint.poolId), list(mint.to).map(address)];
  const pool = ownPool(call, poolId);
  if ((poolId & nonFungibleBit) === 0n) throw new TokenRefusal('PoolIsFungible', poolId);
  requireCount(recipients.length);
  const sizeBytes = Buffer.byteLength(mint.uri);
  if (sizeBytes > maxTokenUriBytes) throw new TokenRefusal('UriTooLong', sizeBytes, maxTokenUriBytes);
  const firstIndex = pool.tokens + 1n;
  call.state.pools.set(poolId, { ...pool, tokens: pool.tokens + BigInt(recipients.length) });
  const ranges = call.state.uris.get(poolId) ?? [];
  if (mint.uri !== (ranges.at(-1)?.uri ?? '')) {
    call.state.uris.set(poolId, [...ranges, { firstIndex, uri: mint.uri }]);
  }
  const uri = mint.uri === '' ? plainTokenUri : mint.uri;
  for (let start = 0; start < recipients.length;) {
    const to = recipients[start] ?? noAddress;
    const others = recipients.findIndex((each, index) => index > start && each !== to);
    const end = others < 0 ? recipients.length : others;
    if (to === noAddress) throw new TokenRefusal('ERC1155InvalidReceiver', to);
    const first = poolId | (firstIndex + BigInt(start));
    const tokens = Array.from({ length: end - start }, (_, index) => ({ id: first + BigInt(index), amount: 1n }));
    move(call, { from: noAddress, to, tokens, data: mint.data, uri });
    start = end;
  }
  return [];
}

function ownPool({ state, sender }: TokenCall, poolId: bigint): { readonly creator: string; readonly tokens: bigint } {
  const pool = state.pools.get(poolId);
  if (pool === undefined) throw new TokenRefusal('PoolUnknown', poolId);
  if (pool.creator !== sender) throw new TokenRefusal('NotCreator', sender, poolId);
  return pool;
}

function requireCount(count: number): void {
  if (count === 0) throw new TokenRefusal('NothingToMint');
  if (count > maxTokensPerMint) throw new TokenRefusal('TooManyTokens', count, maxTokensPerMint);
}

function requireApproved({ state, sender }: TokenCall, from: string): void {
  if (from === sender || state.approvals.get(`${from} ${sender}`) === true) return;
  throw new TokenRefusal('ERC1155MissingApprovalForAll', sender, from);
}

/** ethers returns integers as bigint, whatever their size. */
function whole(value: unknown): bigint {
  return BigInt(String(value));
}

function address(value: unknown): string {
  return String(value).toLowerCase();
}

/** ethers returns an array for an array of the ABI. */
function list(value: unknown): readonly unknown[] {
  return Array.from(value as ArrayLike<unknown>);
}
