import { blobLabels } from '../../../domain/blob.js';
import { hashOfItem } from '../../../domain/hash.js';
import { networkLimits } from '../../../domain/network/limits.js';
import { sizeOfMessage } from '../../../domain/messages/message.js';
import type { ProfileRules } from '../../../domain/network/profile.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader, Unit } from '../../../ports/database.js';
import type { Failpoint } from '../../../ports/failpoint.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { Blob, Data, DataRequest } from '../../../wire/data/data.js';
import { isServiceError, ServiceError } from '../../../wire/errors/error.js';
import { hashPattern, type JsonText, noValue } from '../../../wire/scalar.js';
import { blobArrived, type Blobs } from '../../blobs/blobs.js';
import type { Bus } from '../../bus.js';
import type { StagedBlob, Incoming } from '../../blobs/incoming.js';
import { dataRecord } from '../../records/records.js';
import { newData } from '../../state/data/data-row.js';
import { checkValidation, referenceOf } from './data.js';
import { refuseSystemNamespace } from '../share.js';
import { type FormFields, validationOf, valuesOfForm } from './upload-form.js';
import type { Validate } from './validate.js';

export interface UploadParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly incoming: Incoming;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly failpoint: Failpoint;
  readonly validate: Validate;
  readonly profileRules?: ProfileRules | undefined;
}

/** A complete multipart form; its file is on disk as a staged blob. */
export interface UploadForm {
  readonly fields: FormFields;
  readonly filename: string;
  readonly mimetype: string;
  readonly staged: StagedBlob;
}

/**
 * Accepts data items (docs/api.md §11.2). Each call resolves once the item is on disk; a refused request leaves
 * nothing.
 */
export interface Uploader {
  /**
   * Stores a value, or a value with the blob of another item.
   *
   * @throws ServiceError namespace_read_only, null_value, value_too_large, not_hash, blob_missing, and those of the
   * validation
   */
  readonly acceptData: (namespace: string, request: DataRequest) => Promise<Data>;

  /**
   * Stores an uploaded file with its form. On an error the staged blob is deleted.
   *
   * @throws ServiceError namespace_read_only, bad_upload, json_bounds, and those of the validation
   */
  readonly acceptUpload: (namespace: string, form: UploadForm) => Promise<Data>;
}

interface Item extends Pick<DataRequest, 'validator' | 'datatype'> {
  /** Undefined if absent; null is a value, except together with a file. */
  readonly value: JsonText | undefined;
}

export function createUploader(parts: UploadParts): Uploader {
  const { database, blobs, incoming, bus, clock, random, failpoint, validate, profileRules } = parts;

  async function newItem(namespace: string, item: Item, blob: Pick<Blob, 'hash' | 'size' | 'public'> | undefined) {
    const { validator = 'json', datatype } = item;
    const value = item.value ?? noValue;
    checkSendable(value);
    checkValidation({ validator, ...(datatype !== undefined && { datatype }) }, 0, profileRules);
    const named = referenceOf(datatype, validator);
    if (named !== undefined && validator !== 'none') {
      const isEmpty = item.value === undefined || (blob !== undefined && value === noValue);
      if (isEmpty) throw new ServiceError('nothing_to_validate');
      await validate(namespace, [{ value, datatype: named, index: 0 }]);
    }
    return newData(namespace, {
      id: random.uuid(),
      validator,
      hash: hashOfItem({ value, blob }),
      created: clock.now(),
      value,
      ...(named !== undefined && { datatype: named }),
      ...(blob !== undefined && { blob: { ...blob, ...blobLabels(value) } }),
    });
  }

  async function insert(row: NewRow<'data'>, check: (unit: Unit) => Promise<void>): Promise<Data> {
    await database.transaction(async (unit) => {
      await check(unit);
      await unit.insert('data', [row]);
    });
    await failpoint.reach('api.before-reply');
    return dataRecord({ ...row, sequence: 0 });
  }

  return {
    async acceptData(namespace, { value, blob, ...rest }) {
      refuseSystemNamespace(namespace);
      if (blob === undefined && value === undefined) throw new ServiceError('null_value');
      if (blob === undefined)
        return insert(await newItem(namespace, { value, ...rest }, undefined), async () => undefined);
      const { hash } = blob;
      if (!hashPattern.test(hash)) throw new ServiceError('not_hash', { field: 'blob.hash', actual: hash });
      const held = await findBlob(database, namespace, hash);
      return insert(await newItem(namespace, { value, ...rest }, held), async (unit) => {
        await sizeHere(unit, hash);
      });
    },

    async acceptUpload(namespace, { fields, filename, mimetype, staged }) {
      try {
        refuseSystemNamespace(namespace);
        const values = valuesOfForm(fields, { filename, mimetype, size: staged.sizeBytes });
        const blob = { hash: staged.hash, size: staged.sizeBytes };
        const validation = validationOf(fields);
        const row = await firstThatConforms(values, (value) => newItem(namespace, { value, ...validation }, blob));
        const bells = await blobs.keep(staged.file, staged, () =>
          database.transaction(async (unit) => {
            await unit.insert('data', [row]);
            return blobArrived(unit, staged, row.created);
          }),
        );
        bus.ring(...bells);
        await failpoint.reach('api.before-reply');
        return dataRecord({ ...row, sequence: 0 });
      } catch (error) {
        await incoming.discard(staged);
        throw error;
      }
    },
  };
}

/** Refuses an item that no message could carry. @throws ServiceError value_too_large */
function checkSendable(value: JsonText): void {
  const max = networkLimits.maxBatchDataBytes - sizeOfMessage([]);
  const actual = Buffer.byteLength(value);
  if (actual > max) throw new ServiceError('value_too_large', { max, actual });
}

/** Returns the first form that conforms to the datatype; if none does, throws the refusal of the last. */
async function firstThatConforms<T>(
  [value = noValue, ...others]: readonly JsonText[],
  make: (value: JsonText) => Promise<T>,
): Promise<T> {
  try {
    return await make(value);
  } catch (error) {
    if (others.length === 0 || !isServiceError(error, 'value_breaks_schema')) throw error;
    return firstThatConforms(others, make);
  }
}

/**
 * Finds a blob through an item of the namespace; the hash alone gives no access (docs/architecture.md §12.1). The size
 * is that of the bytes here, because another member's item may have any.
 */
async function findBlob(database: Database, namespace: string, hash: string): Promise<Pick<Blob, 'hash' | 'size'>> {
  if (!(await database.has('data', { namespace, blobHash: hash }))) {
    throw new ServiceError('blob_missing', { hash, hint: ` in namespace ${namespace}` });
  }
  return { hash, size: await sizeHere(database, hash) };
}

async function sizeHere(database: Reader, hash: string): Promise<number> {
  const blob = await database.first('blobs', { hash });
  if (blob === undefined) throw new ServiceError('blob_missing', { hash, hint: '; upload it again' });
  return blob.sizeBytes;
}
