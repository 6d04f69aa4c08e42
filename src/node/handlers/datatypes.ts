import { assert } from '../../domain/invariant.js';
import type { AcceptDatatype, AcceptedDatatype } from '../../pipeline/accept/definition.js';
import type { JudgeRequest } from '../../pipeline/judging/requests.js';
import type { Rulebook } from '../../pipeline/state/rulebook.js';
import { datatypeRecord } from '../../pipeline/records/records.js';
import type { Database } from '../../ports/database.js';
import type { DatatypeRow } from '../../ports/tables/messaging-tables.js';
import type { Where } from '../../ports/tables/where.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { datatypeRoutes } from '../../wire/routes/datatypes.js';
import { type Confirm, isConfirmed } from '../messages/confirm.js';
import type { HandlersOf } from '../requests/handler.js';

export interface DatatypeHandlerParts {
  readonly database: Database;
  readonly judgeRequest: JudgeRequest;
  readonly rulebook: Rulebook;
  readonly acceptDatatype: AcceptDatatype;
  readonly confirm: Confirm;
}

/** Creates the handlers for datatypes, except for reading them. */
export function createDatatypeHandlers(parts: DatatypeHandlerParts): HandlersOf<typeof datatypeRoutes> {
  const { database, judgeRequest, rulebook, acceptDatatype, confirm } = parts;

  async function findDatatype(
    where: Where<'datatypes'> & { readonly namespace: string },
    called: string,
  ): Promise<DatatypeRow> {
    const row = await database.first('datatypes', where);
    if (row !== undefined) return row;
    throw new ServiceError('not_found', { what: `datatype ${called} in namespace ${where.namespace}` });
  }

  return {
    broadcastDatatype: (request) =>
      confirm.message(request, async () => (await acceptDatatype(request.namespace, request.body)).message),

    async createDatatype(request) {
      const { namespace, body, query } = request;
      let accepted: AcceptedDatatype | undefined;
      await confirm.message(request, async () => {
        accepted = await acceptDatatype(namespace, body);
        return accepted.message;
      });
      assert(accepted !== undefined, 'what is confirmed was accepted');
      const { datatype } = accepted;
      const { id } = datatype;
      return isConfirmed(query) ? datatypeRecord(await findDatatype({ namespace, id }, id)) : datatype;
    },

    async validateDatatype({ namespace, params: { name, version }, body: { value } }) {
      if (value === undefined) throw new ServiceError('field_required', { field: 'value', hint: '' });
      const row = await findDatatype({ namespace, name, version }, `${name}@${version}`);
      const { validation: rules } = await rulebook.rules(database);
      const errors = await judgeRequest(
        'value',
        { schema: row.value, value, rules },
        `the value by ${name}@${version}`,
      );
      return { valid: errors.length === 0, errors: [...errors] };
    },
  };
}
