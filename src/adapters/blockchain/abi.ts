import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { erc20PoolAbi, erc721PoolAbi, tokenFactoryAbi, tokenPoolsAbi } from '../../domain/tokens/contracts.js';
import type {
  ChainCall,
  ContractCall,
  CreationLog,
  KeyLog,
  MemberLog,
  NodeLog,
  PinCall,
  PinLog,
} from '../../ports/blockchain.js';

/** An event of `Network.sol`. The chain knows members by their signing keys; their names are in `MemberAdded`. */
export type NetworkEvent =
  | Omit<CreationLog, Place>
  | Omit<MemberLog, Place>
  | Omit<PinLog, Place>
  | (Omit<KeyLog, Place | 'organization'> & { readonly member: string })
  | (Omit<NodeLog, Place | 'organization'> & { readonly member: string });

type Place = 'position' | 'transactionHash' | 'time';

const network = new Interface([
  'function pinBatch(bytes32 uuids, bytes32 batchHash, string payloadRef, bytes32[] contexts)',
  'function addKey(string name, address key)',
  'function addOrganization(string name, address key)',
  'function setNode(string endpoint, bytes32 publicKeyHash)',
  'function memberWithKey(address key)',
  'error NotOperator(address sender)',
  'error NotMember(address sender)',
  'error NotRegistered(address sender)',
  'error KeyTaken(address key)',
  'error KeyIsZero()',
  'error NameTaken(string name)',
  'error NameInvalid(string name)',
  'error PublicKeyTaken(bytes32 publicKeyHash)',
  'error NoContexts()',
  'error TooManyContexts(uint256 count, uint256 max)',
  'error TooLong(uint256 sizeBytes, uint256 maxBytes)',
]);

let errors: Interface | undefined;

/** The errors of all of Parley's contracts, parsed at the first failure: most nodes see none. */
function readErrors(): Interface {
  const ofTokens = [tokenPoolsAbi, tokenFactoryAbi, erc20PoolAbi, erc721PoolAbi];
  errors ??= new Interface([
    ...network.fragments.filter(({ type }) => type === 'error'),
    ...ofTokens.flatMap((abi) => abi.filter((line) => line.startsWith('error '))),
  ]);
  return errors;
}

const wordDigits = 64;

/** Encodes a call of `Network.sol`. */
export function encodeCall(call: Exclude<ChainCall, ContractCall>): string {
  switch (call.type) {
    case 'pin_batch':
      return encodePin(call);
    case 'add_key':
      return network.encodeFunctionData(call.isOrganization === true ? 'addOrganization' : 'addKey', [
        call.name,
        call.key,
      ]);
    case 'set_node':
      return network.encodeFunctionData('setNode', [call.endpoint, `0x${call.publicKeyHash}`]);
  }
}

/**
 * Encodes the call of a pin (docs/protocol.md §7.4): `uuids` is the transaction's id followed by the batch's. Encoded
 * here, as its log is decoded here, because a full batch has 200 contexts or more, and ethers converts each several
 * times.
 */
function encodePin({ transactionId, batchId, batchHash, payloadRef, contexts }: PinCall): string {
  const text = Buffer.from(payloadRef).toString('hex');
  const padded = text.padEnd(Math.ceil(text.length / wordDigits) * wordDigits, '0');
  const textWords = `${wordOf(text.length / 2)}${padded}`;
  const heads = 4 * (wordDigits / 2);
  const offsets = [wordOf(heads), wordOf(heads + textWords.length / 2)];
  const fixed = [uuidsOf(transactionId, batchId).slice(2), batchHash, ...offsets];
  return [pinSelector(), ...fixed, textWords, wordOf(contexts.length), ...contexts].join('');
}

function pinSelector(): string {
  const pin = network.getFunction('pinBatch');
  assert(pin !== null, 'it is among the functions above');
  return pin.selector;
}

/** A count as 32 bytes. */
function wordOf(count: number): string {
  return count.toString(16).padStart(wordDigits, '0');
}

/** 32 bytes: a transaction's id followed by a batch's. */
export function uuidsOf(transactionId: string, batchId: string): string {
  return `0x${transactionId}${batchId}`.replaceAll('-', '');
}

export function encodeMemberQuery(key: string): string {
  return network.encodeFunctionData('memberWithKey', [key]);
}

/** Decodes the organisation's name from the result of `encodeMemberQuery`; empty if the key is not a member's. */
export function decodeMemberName(answer: string): string {
  const digits = digitsOf(answer);
  // The result is one struct, at the offset in the first word.
  return textAt(digits.slice(countAt(digits, 0) * 2), 0);
}

/**
 * Describes why the contract reverted, from the revert data: `NotRegistered(0x…)`, the text of a `require`, or
 * undefined if the data has no reason, or an empty one.
 */
export function decodeRevert(data: string): string | undefined {
  try {
    const error = readErrors().parseError(data);
    if (error === null) return undefined;
    if (error.name === 'Error') return String(error.args[0]) || undefined;
    return `${error.name}(${error.args.map((argument) => String(argument).toLowerCase()).join(', ')})`;
  } catch {
    // Any contract and any server may return anything here; unreadable data has no reason.
    return undefined;
  }
}

/**
 * Decodes a log of the contract; undefined for unknown events. Members choose the contents, so every content is
 * accepted: 16 bytes are a UUID whatever its version, invalid UTF-8 gets replacement characters.
 */
export function decodeEvent(topics: readonly string[], data: string): NetworkEvent | undefined {
  try {
    return decoders[topics[0] ?? '']?.(topics, data);
  } catch {
    // Remote input never causes an exception. Parley's own contract cannot emit such a log.
    return undefined;
  }
}

/** Hashes of the events' signatures, written out: computing them took a twentieth of a node's start. */
const topicOf = {
  /** BatchPin(address,bytes32,bytes32,string,bytes32[]) */
  BatchPin: '0x902ff14c18fe60d8f783cc09f1afda05a2c9886de2ef4f89cebfbd1829679f34',
  /** NetworkCreated(address,string) */
  NetworkCreated: '0x3e35d2f899ff3fedf0b70d2228b91d21efafb9c5afde92427449985e5bb2d74c',
  /** MemberAdded(address,string,string,string,bytes32) */
  MemberAdded: '0xa82209e0e7a65605db95d831addb6147a488d00e51e425f3449c79158856e8c6',
  /** KeyAdded(address,address,string) */
  KeyAdded: '0x67eb0eacbcd3e69799caf074925d213b203e3e60676c53e5465acd1244af5cdf',
  /** OrganizationAdded(address,address,string) */
  OrganizationAdded: '0xbd2f179e211b80aca8a6de4cd5b6bb5d72c01bb2109b018d0e8a56c5bda797be',
  /** NodeChanged(address,string,bytes32) */
  NodeChanged: '0x10e83c457f44edc433b1a93197343b79a4bd94c73be32293326fa7a348afbfad',
} as const;

type Decoder = (topics: readonly string[], data: string) => NetworkEvent;

const decoders: Readonly<Record<string, Decoder>> = {
  [topicOf.BatchPin]: (topics, data) => ({
    type: 'batch_pin',
    signer: addressOf(topics[1]),
    ...pinOf(data),
  }),

  [topicOf.NetworkCreated]: (_, data) => ({
    type: 'network_created',
    limits: textAt(digitsOf(data), 0),
  }),

  [topicOf.MemberAdded]: (topics, data) => {
    const digits = digitsOf(data);
    return {
      type: 'member_added',
      organization: textAt(digits, 0),
      key: addressOf(topics[1]),
      node: textAt(digits, 1),
      endpoint: textAt(digits, 2),
      publicKeyHash: wordAt(digits, 3),
    };
  },

  [topicOf.KeyAdded]: keyAddedOf,
  [topicOf.OrganizationAdded]: (topics, data) => ({
    ...keyAddedOf(topics, data),
    isOrganization: true,
  }),

  [topicOf.NodeChanged]: (topics, data) => {
    const digits = digitsOf(data);
    const member = addressOf(topics[1]);
    return { type: 'node_changed', member, endpoint: textAt(digits, 0), publicKeyHash: wordAt(digits, 1) };
  },
};

function keyAddedOf(topics: readonly string[], data: string) {
  const [member, key] = [addressOf(topics[1]), addressOf(topics[2])];
  return { type: 'key_added', member, key, name: textAt(digitsOf(data), 0) } as const;
}

/** The first topics of the events of `Network.sol`. */
export const networkTopics: readonly string[] = Object.keys(decoders);

// Words are extracted here: ethers needs two milliseconds for a full pin, and throws on invalid UTF-8.

function pinOf(data: string): Omit<PinCall, 'type'> {
  const digits = digitsOf(data);
  const uuids = wordAt(digits, 0);
  const start = countAt(digits, 3) * 2;
  const contexts = takeDigits(digits, start + wordDigits, countAt(digits, start / wordDigits) * wordDigits);
  return {
    transactionId: uuidOf(uuids.slice(0, wordDigits / 2)),
    batchId: uuidOf(uuids.slice(wordDigits / 2)),
    batchHash: wordAt(digits, 1),
    payloadRef: textAt(digits, 2),
    contexts: contexts.match(/.{64}/g) ?? [],
  };
}

function digitsOf(data: string): string {
  return data.slice(2).toLowerCase();
}

function wordAt(digits: string, index: number): string {
  return takeDigits(digits, index * wordDigits, wordDigits);
}

function countAt(digits: string, index: number): number {
  return Number(`0x${wordAt(digits, index)}`);
}

/** The text at the offset in the word `index`. U+0000 is replaced, too, since not every database stores it. */
function textAt(digits: string, index: number): string {
  const start = countAt(digits, index) * 2;
  const bytes = takeDigits(digits, start + wordDigits, countAt(digits, start / wordDigits) * 2);
  return Buffer.from(bytes, 'hex').toString().replaceAll('\0', '\uFFFD');
}

function takeDigits(digits: string, start: number, length: number): string {
  const taken = digits.slice(start, start + length);
  if (taken.length !== length) throw new RangeError('The log is shorter than it says.');
  return taken;
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function addressOf(topic = ''): string {
  if (topic.length !== 2 + wordDigits) throw new RangeError('The log has no such topic.');
  return `0x${topic.slice(-40).toLowerCase()}`;
}
