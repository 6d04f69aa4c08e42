import { check } from '../../../wire/check.js';
import { type DataRequest, DatatypeReference } from '../../../wire/data/data.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { textOf, valueOf, withMembers } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import { type JsonText, noValue } from '../../../wire/scalar.js';

export type FormFields = ReadonlyMap<string, string>;

/** The file of an upload form, as described in its item's value. */
export interface FormFile {
  readonly filename: string;
  readonly mimetype: string;
  readonly size: number;
}

const knownFields: readonly string[] = [
  'autometa',
  'metadata',
  'validator',
  'datatype',
  'datatype.name',
  'datatype.version',
];

export function ignoredFields(fields: FormFields): readonly string[] {
  return [...fields.keys()].filter((name) => !knownFields.includes(name));
}

/**
 * Reads validator and datatype from a form, the datatype from one field with JSON or from two. An unreadable datatype
 * is refused, not ignored.
 *
 * @throws ServiceError bad_upload
 */
export function validationOf(fields: FormFields): Pick<DataRequest, 'validator' | 'datatype'> {
  const validator = given(fields, 'validator');
  const whole = datatypeIn(given(fields, 'datatype'));
  const [name, version] = [given(fields, 'datatype.name'), given(fields, 'datatype.version')];
  if (whole !== undefined && ((name ?? whole.name) !== whole.name || (version ?? whole.version) !== whole.version)) {
    throw new ServiceError('bad_upload', { problem: 'its field datatype and its field datatype.name differ' });
  }
  const parts = { ...(name !== undefined && { name }), ...(version !== undefined && { version }) };
  const datatype = whole ?? (Object.keys(parts).length > 0 ? parts : undefined);
  return { ...(validator !== undefined && { validator }), ...(datatype !== undefined && { datatype }) };
}

/** Treats an empty field as absent. */
function given(fields: FormFields, name: string): string | undefined {
  const text = fields.get(name);
  return text === '' ? undefined : text;
}

function datatypeIn(text: string | undefined): DatatypeReference | undefined {
  const json = text === undefined ? noValue : readable(text);
  if (json === noValue) return undefined;
  const value = json === undefined ? undefined : valueOf(json);
  if (check(DatatypeReference, value)) return { name: value.name, version: value.version };
  const problem = 'its field datatype must be JSON with name and version, as in {"name":"order","version":"1.0"}';
  throw new ServiceError('bad_upload', { problem });
}

/**
 * Returns the possible values of a form, in order of preference. Metadata that is not JSON becomes a JSON string. With
 * `autometa` the file's properties are added. The second value lacks the media type, because the caller did not ask for
 * that and the datatype may not allow it.
 *
 * @throws ServiceError bad_upload
 */
export function valuesOfForm(fields: FormFields, file: FormFile): readonly JsonText[] {
  const metadata = fields.get('metadata') ?? '';
  const value = metadata.trim() === '' ? noValue : (readable(metadata) ?? textOf(metadata));
  const autometa = (fields.get('autometa') ?? 'false').toLowerCase();
  if (autometa === 'false' || autometa === '') return [value];
  const known = value === noValue ? textOf({}) : value;
  if (!isObject(known)) {
    throw new ServiceError('bad_upload', { problem: 'with autometa the metadata must be a JSON object, or absent' });
  }
  const { filename, size } = file;
  return [withMembers(known, { ...file }), withMembers(known, { filename, size })];
}

/** Returns undefined for text that is not JSON. @throws ServiceError json_bounds */
function readable(text: string): JsonText | undefined {
  try {
    return compact(text);
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'not_json') return undefined;
    throw error;
  }
}

function isObject(text: JsonText): boolean {
  const value = valueOf(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
