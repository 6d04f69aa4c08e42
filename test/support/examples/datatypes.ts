import type { datatypeRoutes } from '../../../src/wire/routes/datatypes.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { type Examples, exampleSchema } from './example.js';

const schema = compact('{"type": "object", "required": ["order"]}');

export const datatypeExamples: Examples<typeof datatypeRoutes> = {
  broadcastDatatype: {
    call: ({ client }) => client.broadcastDatatype({ body: { name: 'order', version: '1.0', value: schema } }),
    shows: () => ({ header: { type: 'definition', namespace: 'svc_system', tag: 'svc_define_datatype' } }),
    body: `{"name":"order","version":"1.0","value":${schema}}`,
  },
  createDatatype: {
    call: ({ client }) => client.createDatatype({ body: { name: 'order', version: '1.1', value: schema } }),
    shows: () => ({ name: 'order', version: '1.1', validator: 'json', value: schema }),
    body: `{"name":"order","version":"1.1","value":${schema}}`,
  },
  listDatatypes: {
    call: ({ client }) => client.listDatatypes({ query: { name: 'number' } }),
    shows: ({ datatype }) => [datatype],
  },
  getDatatypeById: {
    call: ({ client, datatype: { id } }) => client.getDatatypeById({ path: { datatypeid: id } }),
    shows: ({ datatype }) => datatype,
    parameters: ({ datatype: { id } }) => ({ datatypeid: id }),
  },
  getDatatype: {
    call: ({ client }) => client.getDatatype({ path: { name: 'number', version: '1.0' } }),
    shows: ({ datatype }) => ({ ...datatype, value: exampleSchema }),
    parameters: () => ({ name: 'number', version: '1.0' }),
  },
  validateDatatype: {
    call: ({ client }) =>
      client.validateDatatype({ path: { name: 'number', version: '1.0' }, body: { value: compact('"one"') } }),
    shows: () => ({ valid: false, errors: [{ path: '', message: 'must be number' }] }),
    parameters: () => ({ name: 'number', version: '1.0' }),
    body: '{"value":1}',
  },
};
