import { maxIdempotencyKeyCharacters } from '../../domain/limits.js';
import { ServiceError } from '../../wire/error.js';
import type { BroadcastRequest, MessageType, PrivateRequest, TxType } from '../../wire/message.js';
import { uuidPattern } from '../../wire/scalar.js';

/**
 * What can be said about a broadcast without looking anything up (S §3.3).
 *
 * @throws ServiceError group_on_broadcast, no_data, bad_type, bad_txtype, not_uuid, too_long
 */
export function checkBroadcast(request: BroadcastRequest): void {
  const { header, group, data } = request;
  if (group !== undefined || header?.group !== undefined) throw new ServiceError('group_on_broadcast');
  if (data === undefined || data.length === 0) throw new ServiceError('no_data');
  checkType(header?.type, 'broadcast');
  if (header?.txtype !== undefined && header.txtype !== 'batch_pin') {
    throw new ServiceError('bad_txtype', { expected: 'batch_pin', actual: header.txtype });
  }
  checkCommon(request);
}

/**
 * The same about a private message; resolves `txtype`, where `unpinned` is another word for `none`.
 *
 * @throws ServiceError bad_type, bad_txtype, not_uuid, too_long
 */
export function checkPrivate(request: PrivateRequest): TxType {
  const { header } = request;
  checkType(header?.type, 'private');
  checkCommon(request);
  switch (header?.txtype) {
    case undefined:
    case 'batch_pin':
      return 'batch_pin';
    case 'none':
    case 'unpinned':
      return 'none';
    default:
      throw new ServiceError('bad_txtype', { expected: 'batch_pin or none', actual: header?.txtype ?? '' });
  }
}

function checkType(given: string | undefined, expected: MessageType): void {
  if (given !== undefined && given !== expected) throw new ServiceError('bad_type', { expected, actual: given });
}

function checkCommon({ header, idempotencyKey }: Pick<PrivateRequest, 'header' | 'idempotencyKey'>): void {
  if (header?.cid !== undefined && !uuidPattern.test(header.cid.toLowerCase())) {
    throw new ServiceError('not_uuid', { field: 'header.cid', actual: header.cid });
  }
  checkIdempotencyKey(idempotencyKey);
}

/** @throws ServiceError too_long */
export function checkIdempotencyKey(idempotencyKey: string | undefined): void {
  if (idempotencyKey !== undefined && idempotencyKey.length > maxIdempotencyKeyCharacters) {
    const [field, max, unit] = ['idempotencyKey', maxIdempotencyKeyCharacters, 'characters'];
    throw new ServiceError('too_long', { field, max, unit, actual: idempotencyKey.length });
  }
}
