import { id } from 'ethers';
import { locationOf } from '../../src/domain/contracts/location.js';
import { ffiParameter } from '../../src/domain/contracts/schema.js';
import type { FfiEvent } from '../../src/wire/contracts/contract.js';
import type { Operation } from '../../src/wire/chain/transaction.js';
import { textOf, valueOf } from '../../src/wire/json/json.js';
import type { TokenParty } from './token-network.js';

/** The contract emits any event that a caller asks for: any first topic, and one word of data. */
const abi = [
  {
    type: 'function',
    name: 'say',
    inputs: [
      { name: 'topic', type: 'bytes32' },
      { name: 'word', type: 'uint256' },
    ],
    outputs: [],
  },
  ...['Said', 'Sung'].map((name) => ({ type: 'event', name, inputs: [{ name: 'word', type: 'uint256' }] })),
];

/** Emits `LOG1` with the first word after the selector as its topic and the rest as its data. */
const code = `0x6014600c60003960146000f3${'6004360360046000376000516024360360'}${'20a100'}`;

export const echoAbi = textOf(abi);
export const said: FfiEvent = { name: 'Said', params: [ffiParameter({ name: 'word', type: 'uint256' })] };
export const sung: FfiEvent = { name: 'Sung', params: [ffiParameter({ name: 'word', type: 'uint256' })] };
/** Declared, but never emitted. */
export const written: FfiEvent = { name: 'Written', params: [ffiParameter({ name: 'text', type: 'string' })] };

const signatures: Readonly<Record<string, string>> = {
  Said: 'Said(uint256)',
  Sung: 'Sung(uint256)',
  Written: 'Written(string)',
};

const say = {
  name: 'say',
  params: [ffiParameter({ name: 'topic', type: 'bytes32' }), ffiParameter({ name: 'word', type: 'uint256' })],
  returns: [],
};

/** Deploys the contract; returns its address. */
export async function deployEcho({ client }: TokenParty): Promise<string> {
  const { value } = await client.deployContract({
    body: { definition: echoAbi, contract: code },
    query: { confirm: true },
  });
  const output = valueOf(value.output ?? textOf({})) as { contractLocation: { address: string } };
  return output.contractLocation.address;
}

/** Makes the contract emit an event, and waits until it is mined. */
export async function letSay(
  { client }: TokenParty,
  address: string,
  word: number,
  event: FfiEvent = said,
): Promise<Operation> {
  const topic = id(signatures[event.name] ?? '');
  const { value } = await client.invokeContract({
    body: { location: locationOf(address), method: say, input: textOf({ topic, word: String(word) }) },
    query: { confirm: true },
  });
  return value;
}
