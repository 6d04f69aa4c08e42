import { hashOfItem } from '../../../domain/hash.js';
import { networkLimits } from '../../../domain/network/limits.js';
import { type ProfileRules, profileRulesOf } from '../../../domain/network/profile.js';
import { canonicalText } from '../../../domain/schema/json.js';
import type { Random } from '../../../ports/random.js';
import type { Reader } from '../../../ports/database.js';
import type { DataRow, ItemReference, NewRow } from '../../../ports/tables/tables.js';
import type { PayloadData } from '../../../wire/messages/batch.js';
import type { DataInput, DatatypeReference } from '../../../wire/data/data.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { valueOf } from '../../../wire/json/json.js';
import { type JsonText, uuidPattern } from '../../../wire/scalar.js';
import { datatypeOf, newData, payloadData } from '../../state/data/data-row.js';
import type { Validate, ValidatedValue } from './validate.js';

/** The resolved data of a request: references of the message, new items, and all items by id. */
export interface ResolvedData {
  readonly references: readonly ItemReference[];
  readonly created: readonly NewRow<'data'>[];
  readonly items: ReadonlyMap<string, ResolvedItem>;
  /** Steps of validating the typed values. */
  readonly steps: number;
}

export type ResolvedItem = PayloadData & Pick<DataRow, 'seal'>;

/**
 * Resolves the data of a request (docs/api.md §10.2): an in-line value becomes a new item; an id must name an item of
 * this namespace, and so must a complete item that is passed on.
 *
 * @throws ServiceError too_many, data_without_content, data_with_both, not_uuid, data_twice, data_unknown,
 * data_hash_differs, datatype_differs, blob_missing, blob_size_differs, and those of the validation
 */
export async function resolveData(
  database: Reader,
  random: Random,
  request: {
    readonly namespace: string;
    readonly now: string;
    readonly items: readonly DataInput[];
    readonly validate: Validate;
    readonly profileRules?: Pick<ProfileRules, 'takesLabels'> | undefined;
  },
): Promise<ResolvedData> {
  const { namespace, now, items, validate, profileRules } = request;
  if (items.length > networkLimits.maxDataItems) {
    throw new ServiceError('too_many', { field: 'data', max: networkLimits.maxDataItems, actual: items.length });
  }
  items.forEach((item, index) => checkForm(item, index, profileRules));
  const held = await findHeld(database, namespace, items);
  const created: NewRow<'data'>[] = [];
  const references: ItemReference[] = [];
  const resolved = new Map<string, ResolvedItem>();
  const typed: ValidatedValue[] = [];
  for (const [index, item] of items.entries()) {
    const { value } = item;
    const isNew = item.id === undefined && value !== undefined;
    const row = isNew ? newItem(random, namespace, now, { ...item, value }) : heldItem(held, namespace, item, index);
    if (isNew) created.push(row);
    const datatype = datatypeOf(row);
    if (datatype !== undefined && row.validator !== 'none') typed.push({ value: row.value, datatype, index });
    references.push({ id: row.id, hash: row.hash, seal: row.seal });
    resolved.set(row.id, { ...payloadData(row), seal: row.seal });
  }
  const steps = await validate(namespace, typed);
  await assertBlobsHere(database, [...resolved.values()]);
  return { references, created, items: resolved, steps };
}

/**
 * Refuses items that could not be sent: items whose blobs are not on this node, and items of other members with another
 * size than their blob, since nodes that fetch the blob rely on the size.
 */
async function assertBlobsHere(database: Reader, items: readonly PayloadData[]): Promise<void> {
  const blobs = items.flatMap(({ id, blob }) => (blob === undefined ? [] : [{ ...blob, id }]));
  if (blobs.length === 0) return;
  const rows = await database.rows('blobs', { hash: blobs.map(({ hash }) => hash) }, { limit: blobs.length });
  const sizes = new Map(rows.map(({ hash, sizeBytes }) => [hash, sizeBytes]));
  for (const { id, hash, size: expected } of blobs) {
    const actual = sizes.get(hash);
    if (actual === undefined) throw new ServiceError('blob_missing', { hash, hint: ' yet, or no longer' });
    if (actual !== expected) throw new ServiceError('blob_size_differs', { id, expected, hash, actual });
  }
}

function checkForm(item: DataInput, index: number, profileRules: Pick<ProfileRules, 'takesLabels'> | undefined): void {
  // Applications pass on items as they have read them; then id and hash select the item.
  const isAsRead = item.id !== undefined && item.hash !== undefined;
  if (item.blob !== undefined && !isAsRead) {
    throw new ServiceError('data_with_both', { index, forms: '"blob", which uploads make' });
  }
  if (item.value !== undefined && item.id !== undefined && !isAsRead) {
    throw new ServiceError('data_with_both', { index, forms: 'both "value" and "id"' });
  }
  if (item.value === undefined && item.id === undefined) throw new ServiceError('data_without_content', { index });
  if (item.id !== undefined && !uuidPattern.test(item.id.toLowerCase())) {
    throw new ServiceError('not_uuid', { field: `data[${index}].id`, actual: item.id });
  }
  checkValidation(item, index, profileRules);
}

/**
 * Refuses a value that cannot be validated as requested (docs/api.md §10.2).
 *
 * @throws ServiceError bad_validator, field_required
 */
export function checkValidation(
  { validator = 'json', datatype }: DataInput,
  index: number,
  { takesLabels }: Pick<ProfileRules, 'takesLabels'> = profileRulesOf(undefined),
): void {
  if (takesLabels && validator === 'none') return;
  if (validator !== 'json' && (validator !== 'none' || datatype !== undefined)) {
    const hint = datatype === undefined ? '' : ', and json with a datatype';
    throw new ServiceError('bad_validator', { index, hint, actual: validator });
  }
  if (datatype === undefined) return;
  for (const field of ['name', 'version'] as const) {
    if (datatype[field] === undefined) {
      throw new ServiceError('field_required', { field: `data[${index}].datatype.${field}`, hint: '' });
    }
  }
}

/** Returns the datatype that an item names; `checkValidation` has checked its fields. */
export function referenceOf(
  datatype: DataInput['datatype'],
  validator: string | undefined,
): DatatypeReference | undefined {
  const { name, version = validator === 'none' ? '' : undefined } = datatype ?? {};
  return name === undefined || version === undefined ? undefined : { name, version };
}

async function findHeld(
  database: Reader,
  namespace: string,
  items: readonly DataInput[],
): Promise<ReadonlyMap<string, DataRow>> {
  const ids = items.flatMap(({ id }) => id?.toLowerCase() ?? []);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined) throw new ServiceError('data_twice', { id: twice });
  // If several items have one id, the first is the one that the id names (docs/api.md §11.1).
  const firsts = await Promise.all(ids.map((id) => database.first('data', { namespace, id })));
  return new Map(firsts.flatMap((row) => (row === undefined ? [] : [[row.id, row]])));
}

function heldItem(held: ReadonlyMap<string, DataRow>, namespace: string, item: DataInput, index: number): DataRow {
  const { id = '', hash } = item;
  const row = held.get(id.toLowerCase());
  if (row === undefined) throw new ServiceError('data_unknown', { id, namespace });
  if (hash !== undefined && hash !== row.hash) {
    throw new ServiceError('data_hash_differs', { id, expected: row.hash, actual: hash });
  }
  refuseOtherDescription(row, item, index);
  refuseOtherContent(row, item, index);
  return row;
}

/**
 * Refuses a value or blob other than the item's own, since only the item's own would be sent. @throws ServiceError
 * data_with_both
 */
function refuseOtherContent(row: DataRow, { value, blob }: DataInput, index: number): void {
  if (value !== undefined && canonicalText(valueOf(value)) !== canonicalText(valueOf(row.value))) {
    throw new ServiceError('data_with_both', { index, forms: 'an "id" and another value than it names' });
  }
  if (blob === undefined || blob === null) return;
  const hash: unknown = blob instanceof Object ? Reflect.get(blob, 'hash') : blob;
  if ((hash ?? null) !== row.blobHash) {
    throw new ServiceError('data_with_both', { index, forms: 'an "id" and another blob than it names' });
  }
}

/**
 * Refuses a datatype or validator other than the item's own, since the item is sent with its own.
 *
 * @throws ServiceError datatype_differs
 */
function refuseOtherDescription(row: DataRow, { datatype, validator }: DataInput, index: number): void {
  const own = datatypeOf(row);
  const asked = referenceOf(datatype, validator ?? row.validator);
  if (asked !== undefined && (asked.name !== own?.name || asked.version !== own.version)) {
    const actual = own === undefined ? 'no datatype' : `the datatype ${nameOf(own)}`;
    throw new ServiceError('datatype_differs', { index, asked: `the datatype ${nameOf(asked)}`, id: row.id, actual });
  }
  if (validator !== undefined && validator !== row.validator) {
    const [named, actual] = [`the validator ${validator}`, `the validator ${row.validator}`];
    throw new ServiceError('datatype_differs', { index, asked: named, id: row.id, actual });
  }
}

function nameOf({ name, version }: DatatypeReference): string {
  return `${name}@${version}`;
}

function newItem(
  random: Random,
  namespace: string,
  created: string,
  { value, validator = 'json', datatype }: DataInput & { readonly value: JsonText },
): NewRow<'data'> {
  const named = referenceOf(datatype, validator);
  const item = { id: random.uuid(), hash: hashOfItem({ value }), validator, created, value };
  return newData(namespace, { ...item, ...(named !== undefined && { datatype: named }) });
}
