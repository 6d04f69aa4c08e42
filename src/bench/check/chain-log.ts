/** A log as returned by `eth_getLogs`. */
export interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
}

/** A pin on the chain. */
export interface ChainPin {
  readonly block: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
  readonly signer: string;
  readonly transactionId: string;
  readonly batchId: string;
  readonly batchHash: string;
  readonly payloadRef: string;
  readonly contexts: readonly string[];
}

/** Keccak-256 of `BatchPin(address,bytes32,bytes32,string,bytes32[])`. */
export const batchPinTopic = '0x902ff14c18fe60d8f783cc09f1afda05a2c9886de2ef4f89cebfbd1829679f34';

const wordDigits = 64;

/**
 * Decodes a `BatchPin` log: four words, then the string and the array whose offsets are the last two words.
 *
 * @throws Error if it is truncated
 */
export function decodePin(log: RawLog): ChainPin {
  const hex = log.data.slice(2);
  const uuids = wordAt(hex, 0);
  const refAt = numberAt(hex, 2) * 2;
  const contextsAt = numberAt(hex, 3) * 2;
  const refBytes = numberFrom(hex, refAt);
  const refHex = hex.slice(refAt + wordDigits, refAt + wordDigits + refBytes * 2);
  const count = numberFrom(hex, contextsAt);
  const contexts = Array.from({ length: count }, (_, index) => {
    const start = contextsAt + wordDigits * (index + 1);
    return hex.slice(start, start + wordDigits);
  });
  if (contexts.some((context) => context.length !== wordDigits)) throw new Error('a BatchPin log is truncated');
  return {
    block: Number(log.blockNumber),
    transactionIndex: Number(log.transactionIndex),
    logIndex: Number(log.logIndex),
    signer: `0x${(log.topics[1] ?? '').slice(-40)}`.toLowerCase(),
    transactionId: uuidOf(uuids.slice(0, 32)),
    batchId: uuidOf(uuids.slice(32)),
    batchHash: wordAt(hex, 1),
    payloadRef: Buffer.from(refHex, 'hex').toString('utf8'),
    contexts,
  };
}

/** Sorts pins by block, then transaction, then log. */
export function inChainOrder(pins: readonly ChainPin[]): ChainPin[] {
  return [...pins].sort(
    (a, b) => a.block - b.block || a.transactionIndex - b.transactionIndex || a.logIndex - b.logIndex,
  );
}

function wordAt(hex: string, index: number): string {
  return hex.slice(index * wordDigits, (index + 1) * wordDigits);
}

function numberAt(hex: string, index: number): number {
  return numberFrom(hex, index * wordDigits);
}

function numberFrom(hex: string, start: number): number {
  const word = hex.slice(start, start + wordDigits);
  if (word.length !== wordDigits) throw new Error('a BatchPin log is truncated');
  return Number(BigInt(`0x${word}`));
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
