import { batchPinTopic, decodePin, type RawLog } from '../../bench/check/chain-log.js';
import { keccak256 } from '../../domain/chain/keys.js';
import { plural } from '../terminal/text.js';

/** Returns the name of a known address of the stack, such as `alice` or `network`; undefined for others. */
export type NameOf = (address: string) => string | undefined;

/** Describes a chain event; undefined for one that only adds data to the previous one. */
type Describe = (log: RawLog, name: (word: string) => string) => string | undefined;

const zero = '0x0000000000000000000000000000000000000000';

/** The events of Parley's contracts and of the token standards, by the hash of their signatures. */
const events: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  [batchPinTopic, (log, name) => `pin by ${name(topic(log, 1))}, ${plural(decodePin(log).contexts.length, 'context')}`],
  [topicOf('NetworkCreated(address,string)'), () => 'network created'],
  [topicOf('MemberAdded(address,string,string,string,bytes32)'), (log, name) => `member ${name(topic(log, 1))}`],
  [topicOf('KeyAdded(address,address,string)'), (log, name) => `key of ${name(topic(log, 1))}`],
  [topicOf('OrganizationAdded(address,address,string)'), (log, name) => `organisation of ${name(topic(log, 1))}`],
  [topicOf('NodeChanged(address,string,bytes32)'), (log, name) => `node of ${name(topic(log, 1))} changed`],
  [topicOf('PoolCreated(address,uint256,uint256,bool,bytes)'), (log, name) => `pool by ${name(topic(log, 1))}`],
  [topicOf('PoolCreated(address,address,bool,string,string,bytes)'), (log, name) => `pool by ${name(topic(log, 1))}`],
  [topicOf('TransferSingle(address,address,address,uint256,uint256)'), describeSingle],
  [topicOf('TransferBatch(address,address,address,uint256[],uint256[])'), describeBatch],
  [topicOf('Transfer(address,address,uint256)'), describeTransfer],
  [topicOf('ApprovalForAll(address,address,bool)'), describeApproval],
  [topicOf('Approval(address,address,uint256)'), describeApproval],
  [topicOf('TransferData(address,bytes,string)'), () => undefined],
  [topicOf('ApprovalData(bytes)'), () => undefined],
]);

/** Describes an event of a contract; undefined for one that only adds data to the previous one. */
export function describeEvent(log: RawLog, nameOf: NameOf): string | undefined {
  const name = (word: string) => nameOf(word) ?? `${word.slice(0, 10)}…`;
  const describe = events.get(log.topics[0] ?? '');
  return describe === undefined
    ? `event ${(log.topics[0] ?? '0x').slice(0, 10)}… of ${name(log.address)}`
    : describe(log, name);
}

function topicOf(signature: string): string {
  return `0x${Buffer.from(keccak256(Buffer.from(signature))).toString('hex')}`;
}

function topic({ topics }: RawLog, index: number): string {
  return `0x${(topics[index] ?? '').slice(-40)}`.toLowerCase();
}

const wordDigits = 64;

function numberAt({ data }: RawLog, index: number): bigint {
  const digits = data.slice(2 + index * wordDigits, 2 + (index + 1) * wordDigits);
  return digits.length === wordDigits ? BigInt(`0x${digits}`) : 0n;
}

/** Token ids of `TokenPools.sol` have their index in the lower half; bit 255 marks non-fungible tokens. */
const indexMask = (1n << 128n) - 1n;
const uniqueBit = 1n << 255n;

function describeSingle(log: RawLog, name: (word: string) => string): string {
  const [id, value] = [numberAt(log, 0), numberAt(log, 1)];
  return movement((id & uniqueBit) === 0n ? String(value) : `#${id & indexMask}`, topic(log, 2), topic(log, 3), name);
}

function describeBatch(log: RawLog, name: (word: string) => string): string {
  const count = numberAt(log, Number(numberAt(log, 0)) / 32);
  return movement(plural(Number(count), 'token'), topic(log, 2), topic(log, 3), name);
}

/** ERC-20 has the amount in its data, ERC-721 the token in a fourth topic. */
function describeTransfer(log: RawLog, name: (word: string) => string): string {
  const token = log.topics[3];
  const what = token === undefined ? String(numberAt(log, 0)) : `#${BigInt(token)}`;
  return movement(what, topic(log, 1), topic(log, 2), name);
}

function describeApproval(log: RawLog, name: (word: string) => string): string {
  return `approval by ${name(topic(log, 1))} for ${name(topic(log, 2))}`;
}

function movement(what: string, from: string, to: string, name: (word: string) => string): string {
  if (from === zero) return `mint ${what} → ${name(to)}`;
  return to === zero ? `burn ${what} of ${name(from)}` : `transfer ${what} ${name(from)} → ${name(to)}`;
}
