import type { ApprovalRow, BalanceRow, PoolRow, TransferRow } from '../../ports/token-tables.js';
import type { TokenApproval, TokenBalance, TokenPool, TokenTransfer } from '../../wire/token.js';

/** A token pool as it is served (S §15.1). */
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
    ...(methods !== null && { methods }),
    published,
  };
}

/** A mint, transfer or burn as it is served (S §15.1). */
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

/** An approval as it is served (S §15.1). */
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

/** A balance as it is served (S §15.1). */
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

/** Of those that nobody here began, there may be none. */
function transactionOf({ txtype: type, txid: id }: Pick<TransferRow | PoolRow | ApprovalRow, 'txtype' | 'txid'>) {
  return type === null || id === null ? {} : { tx: { type, id } };
}
