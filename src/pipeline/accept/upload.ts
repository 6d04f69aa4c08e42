import { blobLabels } from '../../domain/blob.js';
import { hashOfItem } from '../../domain/hash.js';
import { systemNamespace } from '../../domain/identity.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Random } from '../../ports/random.js';
import type { NewRow } from '../../ports/tables.js';
import type { Blob, Data, DataRequest } from '../../wire/data.js';
import { ServiceError } from '../../wire/error.js';
import { textOf, valueOf, withMembers } from '../../wire/json.js';
import { compact } from '../../wire/json-reader.js';
import { equal, oldestFirst } from '../../wire/query.js';
import { type JsonText, noValue } from '../../wire/scalar.js';
import { blobArrived, type Blobs } from '../blobs/blobs.js';
import type { Bus } from '../bus.js';
import type { Draft, Incoming } from '../blobs/incoming.js';
import { dataRecord } from '../records/records.js';
import { newData } from '../rows.js';
import { checkValidation, referenceOf } from './data.js';
import { refuseSystemNamespace } from './share.js';
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
}

/** A whole multipart form: its file is on disk as a draft. */
export interface UploadForm {
  readonly fields: ReadonlyMap<string, string>;
  readonly filename: string;
  readonly mimetype: string;
  readonly draft: Draft;
}

/** Takes in data items of users (S §4.2). Each resolves when the item is on disk; what is refused leaves nothing. */
export interface Uploader {
  /**
   * A value, or another item's blob with a value of its own.
   *
   * @throws ServiceError namespace_read_only, null_value, not_hash, blob_missing, and what a datatype says
   */
  readonly acceptData: (namespace: string, request: DataRequest) => Promise<Data>;

  /**
   * A file with its form.
   *
   * @throws ServiceError namespace_read_only, bad_upload, json_bounds, and what a datatype says; then the draft is gone
   */
  readonly acceptUpload: (namespace: string, form: UploadForm) => Promise<Data>;
}

/** What a caller says of an item. */
type Item = Pick<DataRequest, 'validator' | 'datatype'> & { readonly value: JsonText };

/** The uploader of a node. */
export function createUploader(parts: UploadParts): Uploader {
  const { database, blobs, incoming, bus, clock, random, failpoint, validate } = parts;

  async function newItem(namespace: string, item: Item, blob: Pick<Blob, 'hash' | 'size' | 'public'> | undefined) {
    const { value, validator = 'json', datatype } = item;
    checkValidation({ validator, ...(datatype !== undefined && { datatype }) }, 0);
    const named = referenceOf(datatype);
    if (named !== undefined) {
      if (value === noValue) throw new ServiceError('nothing_to_validate');
      await validate({ namespace, value, datatype: named, index: 0 });
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
    async acceptData(namespace, { value = noValue, blob, ...rest }) {
      refuseSystemNamespace(namespace);
      if (blob === undefined && value === noValue) throw new ServiceError('null_value');
      if (blob === undefined)
        return insert(await newItem(namespace, { value, ...rest }, undefined), async () => undefined);
      const { hash } = blob;
      if (!hashPattern.test(hash)) throw new ServiceError('not_hash', { field: 'blob.hash', actual: hash });
      const held = await findBlob(database, namespace, hash);
      return insert(await newItem(namespace, { value, ...rest }, held), (unit) => assertHere(unit, hash));
    },

    async acceptUpload(namespace, { fields, filename, mimetype, draft }) {
      try {
        refuseSystemNamespace(namespace);
        const value = valueOfForm(fields, { filename, mimetype, size: draft.sizeBytes });
        const blob = { hash: draft.hash, size: draft.sizeBytes };
        const row = await newItem(namespace, { value, ...validationOf(fields) }, blob);
        const bells = await blobs.keep(draft.file, draft, () =>
          database.transaction(async (unit) => {
            await unit.insert('data', [row]);
            return blobArrived(unit, draft, row.created);
          }),
        );
        bus.ring(...bells);
        await failpoint.reach('api.before-reply');
        return dataRecord({ ...row, sequence: 0 });
      } catch (error) {
        await incoming.discard(draft);
        throw error;
      }
    },
  };
}

const hashPattern = /^[0-9a-f]{64}$/;

function validationOf(fields: ReadonlyMap<string, string>): Pick<DataRequest, 'validator' | 'datatype'> {
  const [validator, name, version] = ['validator', 'datatype.name', 'datatype.version'].map((field) => {
    const text = fields.get(field);
    return text === '' ? undefined : text;
  });
  const hasDatatype = name !== undefined || version !== undefined;
  return {
    ...(validator !== undefined && { validator }),
    ...(hasDatatype && {
      datatype: { ...(name !== undefined && { name }), ...(version !== undefined && { version }) },
    }),
  };
}

/** Metadata that is no JSON becomes a JSON string; with `autometa` what is known of the file is appended to it. */
function valueOfForm(
  fields: ReadonlyMap<string, string>,
  file: { readonly filename: string; readonly mimetype: string; readonly size: number },
): JsonText {
  const metadata = fields.get('metadata') ?? '';
  const value = metadata.trim() === '' ? noValue : jsonOf(metadata);
  const autometa = (fields.get('autometa') ?? 'false').toLowerCase();
  if (autometa === 'false' || autometa === '') return value;
  const known = value === noValue ? textOf({}) : value;
  if (!isObject(known)) {
    throw new ServiceError('bad_upload', { problem: 'with autometa the metadata must be a JSON object, or absent' });
  }
  return withMembers(known, { ...file });
}

function jsonOf(text: string): JsonText {
  try {
    return compact(text);
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'not_json') return textOf(text);
    throw error;
  }
}

function isObject(text: JsonText): boolean {
  const value = valueOf(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A blob is known to a namespace through its items; a hash alone opens nothing (assurance S23). */
async function findBlob(database: Database, namespace: string, hash: string): Promise<Pick<Blob, 'hash' | 'size'>> {
  const where = [equal('blobHash', hash)];
  const [item] = await database.find('data', { namespace, where, sort: oldestFirst, limit: 1 });
  if (item === undefined) throw new ServiceError('blob_missing', { hash, hint: ` in namespace ${namespace}` });
  return { hash, size: item.blobSize ?? 0 };
}

async function assertHere(unit: Unit, hash: string): Promise<void> {
  const where = [equal('hash', hash)];
  const { length } = await unit.find('blobs', { namespace: systemNamespace, where, sort: oldestFirst, limit: 1 });
  if (length === 0) throw new ServiceError('blob_missing', { hash, hint: '; upload it again' });
}
