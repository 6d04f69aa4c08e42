import { id as hashOf } from 'ethers';
import { protocolIdOf } from '../../../domain/protocol-id.js';
import type { ContractLog } from '../../../ports/blockchain.js';
import type { ApprovalEvent, TokenEvent, TransferEvent } from '../../../ports/token-connector.js';
import { textOf } from '../../../wire/json/json.js';
import { digitsOf, hexOf, indexOfId, startOfId, typeOfId } from './ids.js';
import { approvalDataTopic, createOperationData, type OperationData, transferDataTopic } from '../operation-data.js';
import { accountOf, addressOf, decodeWords } from '../words.js';

const single = 'TransferSingle(address,address,address,uint256,uint256)';
const batch = 'TransferBatch(address,address,address,uint256[],uint256[])';
const approval = 'ApprovalForAll(address,address,bool)';

const readers: Readonly<Record<string, (log: ContractLog, data: OperationData) => readonly TokenEvent[]>> = {
  [hashOf(single)]: readSingle,
  [hashOf(batch)]: readBatch,
  [hashOf(approval)]: readApproval,
};

/** First topics of all events that are read for a pool. */
export const eventTopics: readonly string[] = [...Object.keys(readers), transferDataTopic, approvalDataTopic];

/** First topics of approvals, which hold for all pools of a contract. */
export const approvalTopics: readonly string[] = [hashOf(approval), approvalDataTopic];

/** The events of ERC-1155 contracts in these logs, for all pools. */
export function readEvents(logs: readonly ContractLog[]): readonly TokenEvent[] {
  const data = createOperationData(logs);
  return logs.flatMap((log) => readers[log.topics[0] ?? '']?.(log, data) ?? []);
}

function readSingle(log: ContractLog, data: OperationData): readonly TransferEvent[] {
  const words = decodeWords(['uint256', 'uint256'], log.data);
  if (words === undefined || log.topics.length !== 4) return [];
  const [id, value] = words.map((word) => BigInt(String(word)));
  if (id === undefined || value === undefined) return [];
  return toEvents(log, { signature: single, entries: [{ id, value, protocolId: protocolIdOf(log.position) }] }, data);
}

function readBatch(log: ContractLog, data: OperationData): readonly TransferEvent[] {
  const words = decodeWords(['uint256[]', 'uint256[]'], log.data);
  if (words === undefined || log.topics.length !== 4) return [];
  const [ids = [], values = []] = words.map((word) =>
    Array.isArray(word) ? word.map((each) => BigInt(String(each))) : [],
  );
  const place = protocolIdOf(log.position);
  const entries = ids.flatMap((id, index) => {
    const value = values[index];
    return value === undefined ? [] : [{ id, value, protocolId: `${place}/${String(index).padStart(6, '0')}` }];
  });
  return toEvents(log, { signature: batch, entries }, data);
}

interface Transferred {
  readonly signature: string;
  readonly entries: readonly { readonly id: bigint; readonly value: bigint; readonly protocolId: string }[];
}

function toEvents(log: ContractLog, { signature, entries }: Transferred, data: OperationData): TransferEvent[] {
  const [, operator, ...sides] = log.topics;
  const [from = null, to = null] = sides.map(accountOf);
  const told = data.ofTransfer(log);
  const kind = from === null ? 'mint' : to === null ? 'burn' : 'transfer';
  const signer = addressOf(operator);
  const shared = { operator: signer, from: addressOf(sides[0]), to: addressOf(sides[1]) };
  return entries
    .filter(({ id }) => isToken(id))
    .map(({ id, value, protocolId }) => {
      const isFungible = typeOfId(id) === 'fungible';
      return {
        type: 'transfer',
        kind,
        pool: `${log.address}/${hexOf(startOfId(id))}`,
        address: log.address,
        protocolId,
        log,
        signature,
        // An entry has only its own id and value, as in FireFly: a log may have tens of thousands of entries.
        output: textOf({ ...shared, id: String(id), value: String(value) }),
        data: told?.data,
        signer,
        from,
        to,
        amount: String(value),
        tokenIndex: isFungible ? null : String(indexOfId(id)),
        uri: isFungible || !told?.uri ? null : told.uri.replaceAll('{id}', digitsOf(id)),
      };
    });
}

/** Whether an id is one of a pool's tokens; anyone can emit a transfer of zero for any other id. */
function isToken(id: bigint): boolean {
  return typeOfId(id) === 'fungible' ? indexOfId(id) === 0n : indexOfId(id) > 0n;
}

/** Reads an approval, which applies to all pools of the contract. */
function readApproval(log: ContractLog, data: OperationData): readonly ApprovalEvent[] {
  const words = decodeWords(['bool'], log.data);
  const [, account, operator] = log.topics;
  if (words === undefined || operator === undefined) return [];
  const [signer, who, approved] = [addressOf(account), addressOf(operator), words[0] === true];
  const said = textOf({ account: signer, operator: who, approved });
  return [
    {
      type: 'approval',
      pool: null,
      address: log.address,
      protocolId: protocolIdOf(log.position),
      log,
      signature: approval,
      output: said,
      data: data.ofApproval(log),
      signer,
      operator: who,
      approved,
      subject: `${signer}:${who}`,
      info: textOf({ address: log.address, account: signer, operator: who, approved }),
    },
  ];
}
