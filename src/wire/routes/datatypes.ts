import { Datatype, DatatypeRequest, ValidateRequest, Validation } from '../data/datatype.js';
import { requiring } from '../json/required-mark.js';
import { Message } from '../messages/message.js';
import { get, list, post } from '../route.js';
import { Confirm } from '../scalar.js';

export const datatypeRoutes = {
  broadcastDatatype: post('broadcast/datatype', {
    signs: true,
    summary: 'Define a datatype for all parties; returns the message that defines it',
    query: { confirm: Confirm },
    body: DatatypeRequest,
    status: 202,
    reply: Message,
  }),
  createDatatype: post('datatypes', {
    signs: true,
    summary: 'Define a datatype for all parties; returns the datatype, without the time of its confirmation',
    query: { confirm: Confirm },
    body: DatatypeRequest,
    status: 202,
    reply: Datatype,
  }),
  listDatatypes: list('datatypes', { summary: 'List confirmed datatypes', from: 'datatypes', reply: Datatype }),
  getDatatypeById: get('datatypes/{datatypeid}', {
    summary: 'Get a confirmed datatype by its id',
    from: 'datatypes',
    by: { id: 'datatypeid' },
    reply: Datatype,
  }),
  getDatatype: get('datatypes/{name}/{version}', {
    summary: 'Get a confirmed datatype by its name and version',
    from: 'datatypes',
    by: { name: 'name', version: 'version' },
    reply: Datatype,
  }),
  validateDatatype: post('datatypes/{name}/{version}/validate', {
    summary: 'Validate a value against a datatype; nothing is stored',
    body: requiring(['value'], ValidateRequest),
    status: 200,
    reply: Validation,
  }),
} as const;
