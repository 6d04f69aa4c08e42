import { id as hashOf } from 'ethers';
import { protocolIdOf } from '../../../domain/protocol-id.js';
import type { ContractLog } from '../../../ports/blockchain.js';
import type { ApprovalEvent, TokenEvent, TransferEvent } from '../../../ports/token-connector.js';
import type { JsonText } from '../../../wire/scalar.js';
import { textOf } from '../../../wire/json/json.js';
import type { TokenType } from '../../../wire/token.js';
import { dataOfInput } from './calls.js';
import { approvalDataTopic, createOperationData, type OperationData, transferDataTopic } from '../operation-data.js';
import { accountOf, addressOf, dataOf, decodeWords } from '../words.js';

const transfer = 'Transfer(address,address,uint256)';
const approval = 'Approval(address,address,uint256)';
const approvalForAll = 'ApprovalForAll(address,address,bool)';

const readers: Readonly<Record<string, (log: ContractLog, data: OperationData) => TokenEvent | undefined>> = {
  [hashOf(transfer)]: readTransfer,
  [hashOf(approval)]: readApproval,
  [hashOf(approvalForAll)]: readApprovalForAll,
};

/** First topics of all events that are read for a contract. */
export const eventTopics: readonly string[] = [...Object.keys(readers), transferDataTopic, approvalDataTopic];

/** The key of a pool of this connector. */
export function keyOf(address: string, type: TokenType): string {
  return `${address}/${type}`;
}

/** The events of ERC-20 and ERC-721 contracts in these logs. */
export function readEvents(logs: readonly ContractLog[]): readonly TokenEvent[] {
  const data = createOperationData(logs);
  return logs.flatMap((log) => readers[log.topics[0] ?? '']?.(log, data) ?? []);
}

/** The events of both standards have the same signature; ERC-721 has the number as a topic, ERC-20 in the data. */
function numberOf({ topics, data }: ContractLog): { readonly type: TokenType; readonly value: bigint } | undefined {
  if (topics.length === 4) return { type: 'nonfungible', value: BigInt(topics[3] ?? '') };
  const words = topics.length === 3 ? decodeWords(['uint256'], data) : undefined;
  return words && { type: 'fungible', value: BigInt(String(words[0])) };
}

function baseOf(log: ContractLog, type: TokenType, signature: string, output: JsonText) {
  const { address, position } = log;
  return { pool: keyOf(address, type), address, protocolId: protocolIdOf(position), log, signature, output };
}

/** The data from the input, for a contract that accepts data without emitting it, if the input was requested. */
function dataFromInput({ input }: ContractLog, type: TokenType): Pick<TokenEvent, 'data' | 'isFromInput'> {
  if (input === undefined) return { data: undefined };
  const data = dataOfInput(type === 'fungible' ? 'ERC20WithData' : 'ERC721WithData', input);
  return data === undefined ? { data: undefined } : { data: dataOf(data), isFromInput: true };
}

function dataOfApproval(data: OperationData, log: ContractLog, type: TokenType): ReturnType<typeof dataFromInput> {
  const told = data.ofApproval(log);
  return told === undefined ? dataFromInput(log, type) : { data: told };
}

function readTransfer(log: ContractLog, data: OperationData): TransferEvent | undefined {
  const number = numberOf(log);
  if (number === undefined) return undefined;
  const { type, value } = number;
  const [from, to] = [accountOf(log.topics[1]), accountOf(log.topics[2])];
  const told = data.ofTransfer(log);
  const isFungible = type === 'fungible';
  const last = isFungible ? { value: String(value) } : { tokenId: String(value) };
  const output = textOf({ from: addressOf(log.topics[1]), to: addressOf(log.topics[2]), ...last });
  return {
    type: 'transfer',
    kind: from === null ? 'mint' : to === null ? 'burn' : 'transfer',
    ...baseOf(log, type, transfer, output),
    ...(told === undefined ? dataFromInput(log, type) : { data: told.data }),
    signer: told?.operator ?? from ?? addressOf(log.topics[2]),
    ...(told === undefined && { sender: log.sender }),
    from,
    to,
    amount: isFungible ? String(value) : '1',
    tokenIndex: isFungible ? null : String(value),
    uri: isFungible || !told?.uri ? null : told.uri,
  };
}

function readApproval(log: ContractLog, data: OperationData): ApprovalEvent | undefined {
  const number = numberOf(log);
  if (number === undefined) return undefined;
  const { type, value } = number;
  const [owner, operator] = [addressOf(log.topics[1]), addressOf(log.topics[2])];
  const isFungible = type === 'fungible';
  const said = isFungible
    ? { owner, spender: operator, value: String(value) }
    : { owner, approved: operator, tokenId: String(value) };
  return {
    type: 'approval',
    ...baseOf(log, type, approval, textOf(said)),
    ...dataOfApproval(data, log, type),
    signer: owner,
    operator,
    approved: isFungible ? value > 0n : accountOf(log.topics[2]) !== null,
    // A token has at most one approved account, so the next one replaces it, whichever it is.
    subject: isFungible ? `${owner}:${operator}` : String(value),
    info: textOf({ address: log.address, ...said }),
  };
}

function readApprovalForAll(log: ContractLog, data: OperationData): ApprovalEvent | undefined {
  const words = log.topics.length === 3 ? decodeWords(['bool'], log.data) : undefined;
  if (words === undefined) return undefined;
  const [owner, operator, approved] = [addressOf(log.topics[1]), addressOf(log.topics[2]), words[0] === true];
  const said = { owner, operator, approved };
  return {
    type: 'approval',
    ...baseOf(log, 'nonfungible', approvalForAll, textOf(said)),
    ...dataOfApproval(data, log, 'nonfungible'),
    signer: owner,
    operator,
    approved,
    subject: `${owner}:${operator}`,
    info: textOf({ address: log.address, ...said }),
  };
}
