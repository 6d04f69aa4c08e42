import { ServiceError } from '../../wire/errors/error.js';
import { kinds, type ValueField } from '../../wire/lists/field.js';
import { type CollectionName, fieldsOf } from '../../wire/lists/fields.js';
import { readListQuery } from '../../wire/lists/list.js';
import { type Condition, equal, oldestFirst } from '../../wire/lists/query.js';
import type { ReadRoute } from '../../wire/route.js';
import type { Collections, RecordOf } from './collections.js';
import type { Deadline } from '../requests/deadline.js';
import type { Listed } from '../requests/handler.js';

/** The fields of a request that reading uses. */
export interface ReadRequest {
  readonly namespace: string;
  readonly params: Readonly<Record<string, string>>;
  /** Flags, by the names of the route table. */
  readonly query: ReadonlyMap<string, string>;
  /** Every query parameter with all its values. */
  readonly filters: ReadonlyMap<string, readonly string[]>;
  /** Until this deadline, the caller waits for the answer. */
  readonly deadline?: Pick<Deadline, 'signal'>;
}

/** Reads collections in the same way for every route (docs/api.md §8). */
export interface Reading {
  /** Reads a page of a list by the filters and controls of the request; records must also meet `conditions`. */
  list<C extends CollectionName>(
    collection: C,
    request: Omit<ReadRequest, 'params'>,
    where?: readonly Condition[],
  ): Promise<Listed<RecordOf<C>[]>>;

  /** Reads the first record that meets the conditions. @throws ServiceError not_found, naming it by `name` */
  get<C extends CollectionName>(
    collection: C,
    request: Pick<ReadRequest, 'namespace' | 'query'>,
    wanted: { readonly where: readonly Condition[]; readonly name: string },
  ): Promise<RecordOf<C>>;

  /** Serves a row with `from`. @throws ServiceError not_found, not_uuid, not_hash, those of `readListQuery` */
  answer(route: ReadRoute, request: ReadRequest): Promise<unknown>;
}

export function createReading(collections: Collections): Reading {
  const reading: Reading = {
    async list(name, { namespace, query: flags, filters, deadline }, where = []) {
      const collection = collections[name];
      const { isCounted, ...page } = readListQuery(filters, fieldsOf(name), collection.order);
      const signal = deadline?.signal;
      const wanted = { ...page, namespace, where: [...where, ...page.where], flags, isSingle: false, signal };
      const items = await collection.page(wanted);
      const total = isCounted ? await collection.count(wanted) : undefined;
      return { items: [...items], total };
    },

    async get(name, { namespace, query: flags }, { where, name: called }) {
      const wanted = { namespace, where, flags, sort: oldestFirst, skip: 0, limit: 1, isSingle: true };
      const [record] = await collections[name].page(wanted);
      if (record === undefined) throw new ServiceError('not_found', { what: `${called} in namespace ${namespace}` });
      return record;
    },

    answer(route, request) {
      const { from, by = {}, only = {}, isList } = route;
      const values = Object.entries(by).map(([field, parameter]) => ({
        field,
        value: request.params[parameter] ?? '',
      }));
      const fixed = Object.entries(only).map(([field, value]) => namedBy(from, field, value));
      const where = [...fixed, ...values.map(({ field, value }) => namedBy(from, field, value))];
      const name = [from, ...values.map(({ value }) => value)].join('/');
      return isList === true ? reading.list(from, request, where) : reading.get(from, request, { where, name });
    },
  };
  return reading;
}

/** The condition for a path parameter. @throws ServiceError not_uuid, not_hash */
function namedBy(collection: CollectionName, name: string, value: string): Condition {
  const field = fieldsOf(collection)[name];
  if (field === undefined || !('column' in field)) throw new Error(`${collection} cannot be found by ${name}`);
  return equal(field.column, readNamed(field.type, name, value));
}

function readNamed(type: ValueField['type'], name: string, given: string): string | number | boolean {
  const value = type === 'time' ? given : kinds[type].value(given);
  if (value !== undefined) return value;
  if (type === 'uuid') throw new ServiceError('not_uuid', { field: name, actual: given });
  if (type === 'hash') throw new ServiceError('not_hash', { field: name, actual: given });
  throw new ServiceError('bad_parameter', { field: name, expected: 'a value of this field', actual: given });
}
