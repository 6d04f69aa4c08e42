import {
  ApiCallRequest,
  ApiQueryRequest,
  ApiRequest,
  ContractApi,
  ContractCallRequest,
  ContractInterface,
  ContractQueryRequest,
  DeployRequest,
  GenerateRequest,
  InterfaceRequest,
} from '../contracts/contract.js';
import { requiring } from '../json/required-mark.js';
import { get, list, post, put, remove } from '../route.js';
import { Confirm, Flag, Raw } from '../scalar.js';
import { PublishRequest } from '../token.js';
import { Operation } from '../chain/transaction.js';

const publish = { publish: Flag, confirm: Confirm };
const withChildren = { fetchchildren: Flag };

export const contractRoutes = {
  createContractInterface: post('contracts/interfaces', {
    changes: 'interfaces',
    summary: 'Create a contract interface on this node or, with publish=true, for all parties',
    query: publish,
    body: InterfaceRequest,
    status: 202,
    reply: ContractInterface,
  }),
  generateContractInterface: post('contracts/interfaces/generate', {
    summary: 'Generate an interface from the ABI of a contract; nothing is stored',
    body: GenerateRequest,
    status: 200,
    reply: ContractInterface,
  }),
  listContractInterfaces: list('contracts/interfaces', {
    from: 'interfaces',
    summary: 'List interfaces, newest first; with fetchchildren=true their methods, events and errors too',
    query: withChildren,
    reply: ContractInterface,
  }),
  getContractInterface: get('contracts/interfaces/{interfaceid}', {
    from: 'interfaces',
    by: { id: 'interfaceid' },
    summary: 'Get an interface by its id, with fetchchildren=true its methods, events and errors too',
    query: withChildren,
    reply: ContractInterface,
  }),
  getContractInterfaceVersion: get('contracts/interfaces/{name}/{version}', {
    from: 'interfaces',
    by: { name: 'name', version: 'version' },
    summary: 'Get an interface by its name and version',
    query: withChildren,
    reply: ContractInterface,
  }),
  deleteContractInterface: remove('contracts/interfaces/{interfaceid}', {
    changes: 'interfaces',
    summary: 'Delete an interface that is not published',
  }),
  // Before the next route, so that a method may be called "publish": no interface has an id as its name.
  invokeContractInterface: post('contracts/interfaces/{interfaceid}/invoke/{method}', {
    signs: true,
    grant: 'invoke',
    summary: 'Call a method of an interface at the contract that the request names',
    query: { confirm: Confirm },
    body: requiring(['location'], ApiCallRequest),
    status: 202,
    reply: Operation,
  }),
  queryContractInterface: post('contracts/interfaces/{interfaceid}/query/{method}', {
    summary: 'Query the contract that the request names, by an interface; returns the results of the method by name',
    body: requiring(['location'], ApiQueryRequest),
    status: 200,
    reply: Raw,
  }),
  publishContractInterface: post('contracts/interfaces/{name}/{version}/publish', {
    changes: 'interfaces',
    summary: 'Share an interface with all parties',
    query: { confirm: Confirm },
    body: PublishRequest,
    status: 202,
    reply: ContractInterface,
  }),
  createContractApi: post('apis', {
    changes: 'apis',
    summary: 'Create a contract API, with methods and a page, on this node or, with publish=true, for all parties',
    query: publish,
    body: ApiRequest,
    status: 202,
    reply: ContractApi,
  }),
  updateContractApi: put('apis/{api}', {
    changes: 'apis',
    summary: 'Change the interface of a contract API, given by its id, or the name of one that is not published',
    query: { confirm: Confirm },
    body: ApiRequest,
    status: 202,
    reply: ContractApi,
  }),
  listContractApis: list('apis', {
    from: 'apis',
    summary: 'List contract APIs, newest first',
    reply: ContractApi,
  }),
  getContractApi: get('apis/{api}', {
    from: 'apis',
    by: { name: 'api' },
    summary: 'Get a contract API by its name',
    reply: ContractApi,
  }),
  getContractApiInterface: get('apis/{name}/interface', {
    summary: 'Get the interface of a contract API, with its methods, events and errors',
    reply: ContractInterface,
  }),
  deleteContractApi: remove('apis/{api}', { changes: 'apis', summary: 'Delete a contract API that is not published' }),
  publishContractApi: post('apis/{name}/publish', {
    changes: 'apis',
    summary: 'Share a contract API with all parties; its interface must be published',
    query: { confirm: Confirm },
    body: PublishRequest,
    status: 202,
    reply: ContractApi,
  }),
  deployContract: post('contracts/deploy', {
    signs: true,
    grant: 'deploy',
    summary: 'Deploy a contract; output.contractLocation of the operation says where it is',
    query: { confirm: Confirm },
    body: requiring(['contract'], DeployRequest),
    status: 202,
    reply: Operation,
  }),
  invokeContract: post('contracts/invoke', {
    signs: true,
    grant: 'invoke',
    summary: 'Call a method of a contract, optionally with a message that is sent on success',
    query: { confirm: Confirm },
    body: requiring(['location'], ContractCallRequest),
    status: 202,
    reply: Operation,
  }),
  queryContract: post('contracts/query', {
    summary: 'Query a contract; returns the results of the method by name',
    body: requiring(['location'], ContractQueryRequest),
    status: 200,
    reply: Raw,
  }),
  invokeContractApi: post('apis/{name}/invoke/{method}', {
    signs: true,
    grant: 'invoke',
    summary: 'Call a method of a contract API, optionally with a message that is sent on success',
    query: { confirm: Confirm },
    body: ApiCallRequest,
    status: 202,
    reply: Operation,
  }),
  queryContractApi: post('apis/{name}/query/{method}', {
    summary: 'Query a contract through its API; returns the results of the method by name',
    body: ApiQueryRequest,
    status: 200,
    reply: Raw,
  }),
} as const;
