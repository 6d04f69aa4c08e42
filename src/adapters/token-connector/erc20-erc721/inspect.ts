import { ZeroAddress, id as hashOf } from 'ethers';
import type { ContractQuery, QueryAnswer } from '../../../ports/contract-query.js';
import type { PoolRequest } from '../../../ports/token-connector.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { takesData, type TokenContract } from './locator.js';
import { lazyInterface } from '../lazy-interface.js';
import { takesData as takesMappedData } from '../mapped-methods.js';
import { decodeWords } from '../words.js';

type Ask = (query: ContractQuery) => Promise<QueryAnswer>;

const views = lazyInterface([
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
]);

/** ERC-165 interface ids: the exclusive or of the methods' selectors. */
const erc721Id = '0x80ac58cd';
const erc20WithDataId = '0xaefdad0f';
const erc721WithDataId = '0xd4ff681d';
/** The interface id by which Parley's contracts declare that they emit operation data. */
const emitsDataId = hashOf('TransferData(address,bytes,string)').slice(0, 10);

/**
 * Identifies a user's contract by querying it (docs/protocol.md §13.4). Reading begins at `block`, or at the contract's
 * deployment.
 *
 * @throws ServiceError if it is not a contract of the type, or the chain has no such block yet
 */
export async function inspectContract(
  { type, methods = {} }: PoolRequest,
  { address, block }: { readonly address: string; readonly block: number | undefined },
  ask: Ask,
  head: number,
): Promise<TokenContract> {
  if (block !== undefined && block > head) {
    const expected = `a block that the chain has, at most ${head}`;
    throw new ServiceError('field_type', { field: 'config.blockNumber', expected, actual: String(block) });
  }
  const view = async (name: string, values: readonly unknown[] = []): Promise<unknown> => {
    const answer = await ask({ to: address, data: views().encodeFunctionData(name, values) });
    const types =
      views()
        .getFunction(name)
        ?.outputs.map((output) => output.type) ?? [];
    return answer.status === 'success' ? decodeWords(types, answer.data)?.[0] : undefined;
  };
  const supports = async (id: string): Promise<boolean> => (await view('supportsInterface', [id])) === true;
  const isErc721 = await supports(erc721Id);
  const isErc20 = !isErc721 && (await isErc20Like(view));
  if (!(type === 'fungible' ? isErc20 : isErc721)) {
    const kind = type === 'fungible' ? 'an ERC-20' : 'an ERC-721';
    const expected = `the address of ${kind} contract`;
    throw new ServiceError('field_type', { field: 'config.address', expected, actual: address });
  }
  const hasData = await supports(type === 'fungible' ? erc20WithDataId : erc721WithDataId);
  const schema =
    type === 'fungible' ? (hasData ? 'ERC20WithData' : 'ERC20NoData') : hasData ? 'ERC721WithData' : 'ERC721NoData';
  const hasInput = takesData({ schema }) || takesMappedData(methods);
  const isSilent = hasInput && !(await supports(emitsDataId));
  const decimals = type === 'fungible' ? await view('decimals') : 0n;
  return {
    address,
    type,
    schema,
    block: block ?? (await deploymentBlock(address, ask, head)),
    // The standard makes this method optional.
    decimals: typeof decimals === 'bigint' ? Number(decimals) : 18,
    isSilent,
  };
}

async function isErc20Like(view: (name: string, values?: readonly unknown[]) => Promise<unknown>): Promise<boolean> {
  return (await view('totalSupply')) !== undefined && (await view('balanceOf', [ZeroAddress])) !== undefined;
}

/** Finds the block of the contract's deployment by bisection. Without code a call returns empty data. */
async function deploymentBlock(address: string, ask: Ask, head: number): Promise<number> {
  const data = views().encodeFunctionData('totalSupply');
  let [low, high] = [0, head];
  while (low < high) {
    const block = Math.floor((low + high) / 2);
    const answer = await ask({ to: address, data, block });
    // A node without old states refuses; reading then begins earlier than necessary, and misses nothing.
    if (answer.status === 'reverted' || answer.data !== '0x') high = block;
    else low = block + 1;
  }
  return low;
}
