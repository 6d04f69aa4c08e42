import assert from 'node:assert/strict';
import { AbiCoder, type Interface } from 'ethers';
import type { ChainPosition, ContractLog } from '../../ports/blockchain.js';
import { areWords, encodeWords, readWords } from './abi-words.js';

/** What logs consist of, read without ever throwing for what somebody else's contract has written. */

const zeroAddress = `0x${'0'.repeat(40)}`;
/** Longer than any data that a node attaches. */
const maxDataBytes = 4_096;
const strictText = new TextDecoder('utf-8', { fatal: true });

/** The values of data of these types; undefined where it is not of them. Texts are asked for as `bytes`. */
export function decodeWords(types: readonly string[], data: string): readonly unknown[] | undefined {
  try {
    if (areWords(types)) return readWords(types, data);
    return AbiCoder.defaultAbiCoder().decode(types, data).toArray(true);
  } catch {
    // Remote input is never an exception (architecture, 10).
    return undefined;
  }
}

/** Encodes calls of the methods of a contract, by name. Throws Error for values that are not of their types. */
export function createCallEncoder(contract: Interface): (name: string, values: readonly unknown[]) => string {
  const methods = new Map<string, { readonly selector: string; readonly types: readonly string[] }>();

  function methodOf(name: string) {
    const method = contract.getFunction(name);
    assert(method !== null, 'a contract has the methods that are called');
    return { selector: method.selector, types: method.inputs.map(({ type }) => type) };
  }

  return (name, values) => {
    const method = methods.get(name) ?? methodOf(name);
    methods.set(name, method);
    return method.selector + encodeWords(method.types, values);
  };
}

export function addressOf(topic = ''): string {
  return `0x${topic.slice(-40).toLowerCase()}`;
}

/** Null for the zero address, which stands for nobody. */
export function accountOf(topic: string | undefined): string | null {
  const address = addressOf(topic);
  return address === zeroAddress ? null : address;
}

/** U+0000 is replaced, too: not every database stores it. */
export function textOfBytes(hex: string): string {
  return Buffer.from(hex.slice(2), 'hex').toString().replaceAll('\0', '\uFFFD');
}

/** The text that an operation carried; undefined where it carried none, or bytes that are no text. */
export function dataOf(hex: unknown): string | undefined {
  const bytes = Buffer.from(String(hex).slice(2), 'hex');
  if (bytes.length === 0 || bytes.length > maxDataBytes) return undefined;
  try {
    return strictText.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Answers with the log directly behind another: of the same transaction and contract, with this event. */
export function createNeighbours(
  logs: readonly ContractLog[],
): (log: ContractLog, topic: string) => ContractLog | undefined {
  const placeOf = ({ block, transactionIndex, logIndex }: ChainPosition, ahead: number): string =>
    `${block}/${transactionIndex}/${logIndex + ahead}`;
  const byPlace = new Map(logs.map((log) => [placeOf(log.position, 0), log]));
  return (log, topic) => {
    const next = byPlace.get(placeOf(log.position, 1));
    return next?.address === log.address && next.topics[0] === topic ? next : undefined;
  };
}
