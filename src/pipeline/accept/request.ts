import { maxIdempotencyKeyCharacters } from '../../domain/limits.js';
import { attachedTypes, isPrivateType } from '../../domain/message.js';
import { ServiceError } from '../../wire/error.js';
import type { BroadcastRequest, MessageType, ParentType, PrivateRequest, TxType } from '../../wire/message.js';
import { type JsonText, uuidPattern } from '../../wire/scalar.js';
import type { AttachedMessage } from '../../wire/token.js';

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

/**
 * The same about a message that goes with an operation; resolves its type. With a group it is never open to all, and
 * without a group never for a few (S §15.4, 1).
 *
 * @throws ServiceError bad_type, bad_txtype, group_on_broadcast, group_required, no_data, not_uuid, too_long
 */
export function checkAttached(request: AttachedMessage, parent: ParentType): MessageType {
  const { header, group, data } = request;
  const hasGroup = group !== undefined || header?.group !== undefined;
  const type = attachedTypeOf(header?.type, parent, hasGroup);
  if (isPrivateType(type) && !hasGroup) throw new ServiceError('group_required');
  if (!isPrivateType(type) && hasGroup) throw new ServiceError('group_on_broadcast');
  if (!isPrivateType(type) && (data === undefined || data.length === 0)) throw new ServiceError('no_data');
  if (header?.txtype !== undefined && header.txtype !== 'batch_pin') {
    throw new ServiceError('bad_txtype', { expected: 'batch_pin', actual: header.txtype });
  }
  checkCommon(request);
  return type;
}

function attachedTypeOf(given: string | undefined, parent: ParentType, hasGroup: boolean): MessageType {
  const { open, closed } = attachedTypes[parent];
  if (given === undefined) return hasGroup ? closed[0] : open[0];
  const known = [...open, ...closed];
  const type = known.find((each) => each === given);
  if (type === undefined) throw new ServiceError('bad_type', { expected: known.join(', '), actual: given });
  return type;
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

const maxShownCharacters = 80;

/** What a request says to a connector of tokens is an object, or not there. @throws ServiceError field_type */
export function checkConfig(config: JsonText | undefined): void {
  if (config === undefined || config.startsWith('{')) return;
  const actual = config.slice(0, maxShownCharacters);
  throw new ServiceError('field_type', { field: 'config', expected: 'an object', actual });
}
