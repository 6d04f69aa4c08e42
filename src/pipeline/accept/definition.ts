import { checkRecordName, datatypeTag } from '../../domain/definition.js';
import { sha256 } from '../../domain/hash.js';
import { definitionTopic, reservedPrefix } from '../../domain/network/identity.js';
import type { Database } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import { type Datatype, DatatypeDefinition, type DatatypeRequest } from '../../wire/data/datatype.js';
import { ServiceError } from '../../wire/errors/error.js';
import { write } from '../../wire/json/json.js';
import { compact } from '../../wire/json/json-reader.js';
import type { Message } from '../../wire/messages/message.js';
import type { JudgeRequest } from '../judging/requests.js';
import type { Rulebook } from '../state/rulebook.js';
import type { Sender } from '../state/messages/sender.js';
import { refuseSystemNamespace } from './share.js';

export interface DefinitionParts {
  readonly acceptDefinition: Sender['acceptDefinition'];
  readonly database: Database;
  readonly rulebook: Rulebook;
  readonly judgeRequest: JudgeRequest;
  readonly random: Random;
}

/** A datatype that was accepted: the message with its definition, and the record without its time. */
export interface AcceptedDatatype {
  readonly message: Message;
  readonly datatype: Datatype;
}

/**
 * Accepts the definition of a datatype (docs/api.md §11.4). The order on chain decides whether name and version are
 * free.
 *
 * Throws ServiceError bad_name, uuid_as_name, reserved_name, namespace_read_only, bad_schema, field_type,
 * json_bounds, author_refused, judge_busy, judgement_given_up.
 */
export type AcceptDatatype = (namespace: string, request: DatatypeRequest) => Promise<AcceptedDatatype>;

export function createAcceptDatatype(parts: DefinitionParts): AcceptDatatype {
  const { database, rulebook, acceptDefinition, judgeRequest, random } = parts;
  return async (namespace, { name, version, value, validator = 'json', author, key }) => {
    refuseSystemNamespace(namespace);
    checkRecordName('name', name);
    checkRecordName('version', version);
    if (name.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: 'The name', actual: name });
    if (validator !== 'json') {
      throw new ServiceError('field_type', { field: 'validator', expected: 'json', actual: `"${validator}"` });
    }
    const { validation: rules } = await rulebook.rules(database);
    const { problem } = await judgeRequest('schema', { schema: value, rules }, `the schema of ${name}@${version}`);
    if (problem !== undefined) throw new ServiceError('bad_schema', { problem });
    const record = {
      id: random.uuid(),
      validator: 'json',
      namespace,
      name,
      version,
      hash: sha256(value),
      value,
    } as const;
    // In the definition the schema is nested one level deeper, and must still be within the limits of JSON values.
    const text = compact(write(DatatypeDefinition, record));
    const topics = [definitionTopic(namespace)];
    const message = await acceptDefinition({ tag: datatypeTag, topics, value: text, author, key });
    return { message, datatype: { ...record, message: message.header.id } };
  };
}
