import type { ChainPosition, ContractLog } from '../../ports/blockchain.js';
import { BeyondLimits, NotThatData, readValues } from '../../domain/abi-values.js';

/** What logs consist of, read without ever throwing for what somebody else's contract has written. */

const zeroAddress = `0x${'0'.repeat(40)}`;
/** Longer than any data that a node attaches. */
const maxDataBytes = 4_096;
const strictText = new TextDecoder('utf-8', { fatal: true });

/** The values of data of these types; undefined where it is not of them. Texts are asked for as `bytes`. */
export function decodeWords(types: readonly string[], data: string): readonly unknown[] | undefined {
  try {
    return readValues(
      types.map((type) => ({ name: '', type })),
      data,
    );
  } catch (error) {
    // Remote input is never an exception (architecture, 10).
    if (error instanceof NotThatData || error instanceof BeyondLimits) return undefined;
    throw error;
  }
}

/** A text as the `bytes` of a call. */
export function bytesOf(text: string): string {
  return `0x${Buffer.from(text).toString('hex')}`;
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
