import type { ApprovalRow, BalanceRow, PoolRow, TransferRow } from '../../ports/tables/token-tables.js';
import { textOf } from '../../wire/json/json.js';
import { compact, membersOf } from '../../wire/json/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';
import type { TokenApproval, TokenBalance, TokenPool, TokenTransfer } from '../../wire/token.js';

/** The API's record of a token pool (docs/api.md §19.1). */
export function poolRecord(row: PoolRow): TokenPool {
  const { id, type, namespace, name, networkName, standard, locator, key, symbol, decimals, connector } = row;
  const { message, active, created, info, interface: itsInterface, interfaceFormat, methods, published } = row;
  return {
    id,
    type,
    namespace,
    name,
    ...(networkName !== null && { networkName }),
    ...(standard !== null && { standard }),
    ...(locator !== null && { locator }),
    ...(key !== null && { key }),
    ...(symbol !== null && { symbol }),
    ...(decimals !== null && { decimals }),
    connector,
    ...(message !== null && { message }),
    active,
    created,
    ...(info !== null && { info }),
    ...transactionOf(row),
    ...(itsInterface !== null && { interface: { id: itsInterface } }),
    ...(interfaceFormat !== null && { interfaceFormat }),
    ...(methods !== null && { methods: shownMethods(methods, interfaceFormat ?? 'abi') }),
    published,
  };
}

/** The methods of a pool by use, each with its format, as FireFly's connectors show them. */
function shownMethods(methods: JsonText, format: string): JsonText {
  const uses = [...(membersOf(methods) ?? [])];
  const members = uses.map(([use, list]) => `${textOf(use)}:{"format":${textOf(format)},"methods":${list}}`);
  return compact(`{${members.join(',')}}`);
}

/** The API's record of a mint, transfer or burn (docs/api.md §19.2). */
export function transferRecord(row: TransferRow): TokenTransfer {
  const { type, localId, pool, tokenIndex, uri, connector, namespace, key, from, to, amount } = row;
  const { protocolId, message, messageHash, created, blockchainEvent } = row;
  return {
    type,
    localId,
    pool,
    ...(tokenIndex !== null && { tokenIndex }),
    ...(uri !== null && { uri }),
    connector,
    namespace,
    key,
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    amount,
    protocolId,
    ...(message !== null && { message }),
    ...(messageHash !== null && { messageHash }),
    created,
    ...transactionOf(row),
    blockchainEvent,
  };
}

/** The API's record of an approval (docs/api.md §19.2). */
export function approvalRecord(row: ApprovalRow): TokenApproval {
  const { localId, pool, connector, key, operator, approved, info, namespace, protocolId, subject, active } = row;
  const { message, messageHash, created, blockchainEvent } = row;
  return {
    localId,
    pool,
    connector,
    key,
    operator,
    approved,
    ...(info !== null && { info }),
    namespace,
    protocolId,
    subject,
    active,
    ...(message !== null && { message }),
    ...(messageHash !== null && { messageHash }),
    created,
    ...transactionOf(row),
    blockchainEvent,
  };
}

/** The API's record of a balance (docs/api.md §19.4). */
export function balanceRecord(row: BalanceRow): TokenBalance {
  const { pool, tokenIndex, uri, connector, namespace, key, balance, updated } = row;
  return {
    pool,
    ...(tokenIndex !== '' && { tokenIndex }),
    ...(uri !== null && { uri }),
    connector,
    namespace,
    key,
    balance,
    updated,
  };
}

function transactionOf({ txtype: type, txid: id }: Pick<TransferRow | PoolRow | ApprovalRow, 'txtype' | 'txid'>) {
  return type === null || id === null ? {} : { tx: { type, id } };
}
