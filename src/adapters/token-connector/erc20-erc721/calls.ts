import { MaxUint256, ZeroAddress } from 'ethers';
import { erc20PoolAbi, erc721PoolAbi, maxTokenUriBytes } from '../../../domain/tokens/contracts.js';
import type { ApprovalRequest, TransferRequest } from '../../../ports/token-connector.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { readConfig, readDigits, requireAbsent } from '../config.js';
import { lazyInterface } from '../lazy-interface.js';
import type { Schema } from './locator.js';
import { bytesOf } from '../words.js';

/**
 * The standards do not define minting and burning. These are the methods of the most common contracts, which
 * OpenZeppelin's wizard generates.
 */
const erc20 = lazyInterface([
  ...erc20PoolAbi,
  'function mint(address to, uint256 amount)',
  'function burn(uint256 value)',
  'function burnFrom(address account, uint256 value)',
]);
const erc721 = lazyInterface([
  ...erc721PoolAbi,
  'function safeMint(address to)',
  'function safeMint(address to, string uri)',
  'function burn(uint256 tokenId)',
]);

const isOfErc20 = (schema: Schema): boolean => schema === 'ERC20WithData' || schema === 'ERC20NoData';

type Call = readonly [method: string, values: readonly unknown[]];
interface Methods {
  mint(request: TransferRequest): Call;
  transfer(request: TransferRequest): Call;
  burn(request: TransferRequest): Call;
  approve(request: ApprovalRequest): Call;
}

const methods: Readonly<Record<Schema, Methods>> = {
  ERC20WithData: {
    mint: ({ to, amount, data }) => ['mintWithData', [to, amount, bytesOf(data)]],
    transfer: ({ from, to, amount, data }) => ['transferWithData', [from, to, amount, bytesOf(data)]],
    burn: ({ from, amount, data }) => ['burnWithData', [from, amount, bytesOf(data)]],
    approve: (request) => ['approveWithData', [request.operator, allowanceOf(request), bytesOf(request.data)]],
  },

  ERC20NoData: {
    mint: ({ to, amount }) => ['mint', [to, amount]],
    transfer: ({ key, from, to, amount }) =>
      key === from ? ['transfer', [to, amount]] : ['transferFrom', [from, to, amount]],
    burn: ({ key, from, amount }) => (key === from ? ['burn', [amount]] : ['burnFrom', [from, amount]]),
    approve: (request) => ['approve', [request.operator, allowanceOf(request)]],
  },

  ERC721WithData: {
    mint: ({ to, uri, data }) =>
      uri === undefined ? ['mintWithData', [to, bytesOf(data)]] : ['mintWithURI', [to, bytesOf(data), uri]],
    transfer: ({ from, to, data, ...request }) => ['transferWithData', [from, to, indexOf(request), bytesOf(data)]],
    burn: ({ from, data, ...request }) => ['burnWithData', [from, indexOf(request), bytesOf(data)]],
    approve(request) {
      const token = tokenOf(request);
      const bytes = bytesOf(request.data);
      return token === undefined
        ? ['setApprovalForAllWithData', [request.operator, request.approved, bytes]]
        : ['approveWithData', [approvedOf(request), token, bytes]];
    },
  },

  ERC721NoData: {
    mint: ({ to, uri }) => (uri === undefined ? ['safeMint(address)', [to]] : ['safeMint(address,string)', [to, uri]]),
    transfer: ({ from, to, ...request }) => ['safeTransferFrom(address,address,uint256)', [from, to, indexOf(request)]],
    burn: (request) => ['burn', [indexOf(request)]],
    approve(request) {
      const token = tokenOf(request);
      return token === undefined
        ? ['setApprovalForAll', [request.operator, request.approved]]
        : ['approve', [approvedOf(request), token]];
    },
  },
};

/** Encodes a mint, transfer or burn. @throws ServiceError for what this kind of contract does not support */
export function encodeTransfer(schema: Schema, request: TransferRequest): string {
  if (request.kind === 'mint') requireMintable(schema, request);
  return encode(schema, methods[schema][request.kind](request));
}

/** Encodes an approval. @throws ServiceError for an unusable `config` */
export function encodeApproval(schema: Schema, request: ApprovalRequest): string {
  const config = readConfig(request.config, 'approval');
  if (isOfErc20(schema)) requireAbsent(config, 'tokenIndex', 'the tokens of an ERC-20 contract have none');
  else requireAbsent(config, 'allowance', 'an ERC-721 contract approves one token, or all');
  return encode(schema, methods[schema].approve(request));
}

/** The data that a call of this schema carried, from its input; undefined for any other input. */
export function dataOfInput(schema: Schema, input: string): unknown {
  try {
    return (isOfErc20(schema) ? erc20 : erc721)().parseTransaction({ data: input })?.args['data'];
  } catch {
    // Foreign input never causes an exception, and a method without data has no such argument.
    return undefined;
  }
}

function encode(schema: Schema, [method, values]: Call): string {
  return (isOfErc20(schema) ? erc20 : erc721)().encodeFunctionData(method, values);
}

function requireMintable(schema: Schema, { amount, uri }: TransferRequest): void {
  const refuse = (field: string, expected: string, actual: string): never => {
    throw new ServiceError('field_type', { field, expected, actual });
  };
  if (isOfErc20(schema)) {
    if (uri !== undefined) refuse('uri', 'absent: the pool is fungible', uri);
    return;
  }
  if (amount !== '1') refuse('amount', '1: an ERC-721 contract mints one token at a time', amount);
  const sizeBytes = Buffer.byteLength(uri ?? '');
  if (sizeBytes > maxTokenUriBytes) {
    throw new ServiceError('too_long', { field: 'uri', max: maxTokenUriBytes, unit: 'bytes', actual: sizeBytes });
  }
}

function indexOf({ tokenIndex = '' }: Pick<TransferRequest, 'tokenIndex'>): bigint {
  const index = /^[0-9]{1,78}$/.test(tokenIndex) ? BigInt(tokenIndex) : -1n;
  if (index >= 0n && index <= MaxUint256) return index;
  const expected = `from 0 to ${MaxUint256}, the id of a token`;
  throw new ServiceError('field_type', { field: 'tokenIndex', expected, actual: tokenIndex });
}

/** The allowance (docs/api.md §19.5): unlimited unless given, and zero for a revocation. */
function allowanceOf({ config, approved }: ApprovalRequest): string {
  const allowance = readDigits(readConfig(config, 'approval'), 'allowance', MaxUint256);
  return approved ? (allowance ?? String(MaxUint256)) : '0';
}

/** The approved token; undefined = all. */
function tokenOf({ config }: ApprovalRequest): string | undefined {
  return readDigits(readConfig(config, 'approval'), 'tokenIndex', MaxUint256);
}

function approvedOf({ operator, approved }: ApprovalRequest): string {
  return approved ? operator : ZeroAddress;
}
