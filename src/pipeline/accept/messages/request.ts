import { maxIdempotencyKeyCharacters } from '../../../domain/network/limits.js';
import { attachedTypes, isPrivateType } from '../../../domain/messages/message.js';
import type { ProfileRules } from '../../../domain/network/profile.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type {
  BroadcastRequest,
  MessageType,
  ParentType,
  PrivateRequest,
  TxType,
} from '../../../wire/messages/message.js';
import { type JsonText, uuidPattern } from '../../../wire/scalar.js';
import type { AttachedMessage } from '../../../wire/token.js';

/**
 * Checks a broadcast as far as possible without the database (docs/api.md §10.2).
 *
 * @throws ServiceError group_on_broadcast, no_data, bad_type, bad_txtype, not_uuid, too_long
 */
export function checkBroadcast(request: BroadcastRequest, profileRules: EmptyDataRules): void {
  const { header, group, data } = request;
  if (group !== undefined || header?.group !== undefined) throw new ServiceError('group_on_broadcast');
  if (!profileRules.takesEmptyBroadcasts && isEmpty(data)) throw new ServiceError('no_data');
  checkType(header?.type, 'broadcast');
  if (header?.txtype !== undefined && header.txtype !== 'batch_pin') {
    throw new ServiceError('bad_txtype', { expected: 'batch_pin', actual: header.txtype });
  }
  checkCommon(request);
}

/**
 * Checks a private message in the same way; returns its `txtype`, with `unpinned` and `none` as one.
 *
 * @throws ServiceError bad_type, bad_txtype, not_uuid, too_long
 */
export function checkPrivate(request: PrivateRequest, profileRules: Pick<ProfileRules, 'unpinned'>): TxType {
  const { header } = request;
  checkType(header?.type, 'private');
  checkCommon(request);
  switch (header?.txtype) {
    case undefined:
    case 'batch_pin':
      return 'batch_pin';
    case 'none':
    case 'unpinned':
      return profileRules.unpinned;
    default:
      throw new ServiceError('bad_txtype', { expected: 'batch_pin or none', actual: header?.txtype ?? '' });
  }
}

/**
 * Checks the message of an operation in the same way; returns its type. It is private exactly if it has a group
 * (docs/api.md §19.3).
 *
 * @throws ServiceError bad_type, bad_txtype, group_on_broadcast, group_required, no_data, not_uuid, too_long
 */
export function checkAttached(request: AttachedMessage, parent: ParentType, profileRules: EmptyDataRules): MessageType {
  const { header, group, data } = request;
  const hasGroup = group !== undefined || header?.group !== undefined;
  const type = attachedTypeOf(header?.type, parent, hasGroup);
  if (isPrivateType(type) && !hasGroup) throw new ServiceError('group_required');
  if (!isPrivateType(type) && hasGroup) throw new ServiceError('group_on_broadcast');
  if (!isPrivateType(type) && !profileRules.takesEmptyBroadcasts && isEmpty(data)) throw new ServiceError('no_data');
  if (header?.txtype !== undefined && header.txtype !== 'batch_pin') {
    throw new ServiceError('bad_txtype', { expected: 'batch_pin', actual: header.txtype });
  }
  checkCommon(request);
  return type;
}

type EmptyDataRules = Pick<ProfileRules, 'takesEmptyBroadcasts'>;

function isEmpty(data: readonly unknown[] | undefined): boolean {
  return data === undefined || data.length === 0;
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

/** Checks that the configuration for a token connector is an object or absent. @throws ServiceError field_type */
export function checkConfig(config: JsonText | undefined): void {
  if (config === undefined || config.startsWith('{')) return;
  const actual = config.slice(0, maxShownCharacters);
  throw new ServiceError('field_type', { field: 'config', expected: 'an object', actual });
}
