import type { Datatypes } from '../../domain/datatype.js';
import type { AcceptDatatype } from '../../pipeline/accept/definition.js';
import type { Database } from '../../ports/database.js';
import { ServiceError } from '../../wire/error.js';
import { equal, oldestFirst } from '../../wire/query.js';
import type { datatypeRoutes } from '../../wire/routes/datatypes.js';
import type { HandlersOf } from '../handler.js';

export interface DatatypeHandlerParts {
  readonly database: Database;
  readonly datatypes: Datatypes;
  readonly acceptDatatype: AcceptDatatype;
}

/** What the node answers about datatypes, beside reading them. */
export function createDatatypeHandlers(parts: DatatypeHandlerParts): HandlersOf<typeof datatypeRoutes> {
  const { database, datatypes, acceptDatatype } = parts;
  return {
    async broadcastDatatype({ namespace, body }) {
      const { message } = await acceptDatatype(namespace, body);
      return message;
    },

    async createDatatype({ namespace, body }) {
      const { datatype } = await acceptDatatype(namespace, body);
      return datatype;
    },

    async validateDatatype({ namespace, params: { name, version }, body: { value } }) {
      if (value === undefined) throw new ServiceError('field_required', { field: 'value', hint: '' });
      const where = [equal('name', name), equal('version', version)];
      const [row] = await database.find('datatypes', { namespace, where, sort: oldestFirst, limit: 1 });
      if (row === undefined) {
        throw new ServiceError('not_found', { what: `datatype ${name}@${version} in namespace ${namespace}` });
      }
      const errors = datatypes.compile(row.value).validate(value);
      return { valid: errors.length === 0, errors: [...errors] };
    },
  };
}
