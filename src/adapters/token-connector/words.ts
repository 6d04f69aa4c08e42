import type { ChainPosition, ContractLog } from '../../ports/blockchain.js';
import { BeyondLimits, MismatchedData, readValues } from '../../domain/contracts/abi-values.js';

/** The zero address. The functions of this file decode foreign logs without ever throwing. */

const zeroAddress = `0x${'0'.repeat(40)}`;
/** Longer than any data that a node attaches. */
const maxDataBytes = 4_096;
const strictText = new TextDecoder('utf-8', { fatal: true });

/** Decodes data of these types; undefined if it does not match. Texts are requested as `bytes`. */
export function decodeWords(types: readonly string[], data: string): readonly unknown[] | undefined {
  try {
    return readValues(
      types.map((type) => ({ name: '', type })),
      data,
    );
  } catch (error) {
    // Remote input never causes an exception.
    if (error instanceof MismatchedData || error instanceof BeyondLimits) return undefined;
    throw error;
  }
}

/** Encodes a text as the `bytes` of a call. */
export function bytesOf(text: string): string {
  return `0x${Buffer.from(text).toString('hex')}`;
}

export function addressOf(topic = ''): string {
  return `0x${topic.slice(-40).toLowerCase()}`;
}

/** Decodes an account; null for the zero address. */
export function accountOf(topic: string | undefined): string | null {
  const address = addressOf(topic);
  return address === zeroAddress ? null : address;
}

/** Decodes text; U+0000 is replaced, too, since not every database stores it. */
export function textOfBytes(hex: string): string {
  return Buffer.from(hex.slice(2), 'hex').toString().replaceAll('\0', '\uFFFD');
}

/** The text of an operation's data; undefined if there is none, or the bytes are not text. */
export function dataOf(hex: unknown): string | undefined {
  const bytes = Buffer.from(String(hex).slice(2), 'hex');
  if (bytes.length === 0 || bytes.length > maxDataBytes) return undefined;
  try {
    return strictText.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a lookup of the log directly after another: of the same transaction and contract, with this event. */
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
