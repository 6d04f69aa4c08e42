import { expect } from 'vitest';
import { partsOfAbi } from '../../../src/domain/contracts/ffi.js';
import { readAbi } from '../../../src/domain/contracts/abi.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { contractRoutes } from '../../../src/wire/routes/contracts.js';
import { touchAbi, touchLocation } from './contract-scene.js';
import type { Examples, Scene } from './example.js';

/** Returns a name or version that is not in use. */
function freshNames(start: string): () => string {
  let number = 0;
  return () => `${start}${(number += 1)}`;
}
const [versions, apis] = [freshNames('2.'), freshNames('api-')];

const [touch] = partsOfAbi(readAbi(touchAbi)).methods;
if (touch === undefined) throw new Error('The ABI has a method');
const input = textOf({ count: '9007199254740993' });
const children = { methods: [{ name: 'touch', pathname: 'touch' }], events: [], errors: [] };
const called = { status: 'Initialized', type: 'blockchain_invoke', plugin: 'ethereum' };

const versionOf = ({ contracts }: Scene) => ({ name: contracts.interface.name, version: contracts.interface.version });
const touched = () => ({ name: 'touched' });
const method = () => ({ name: 'touched', method: 'touch' });
const reference = ({ contracts }: Scene) => ({ id: contracts.interface.id ?? '' });
const methodIn = (contracts: Scene['contracts']) => ({
  interfaceid: contracts.interface.id ?? '',
  method: 'touch',
});
const byName = { name: 'touch', version: '1.0' };

export const contractExamples: Examples<typeof contractRoutes> = {
  createContractInterface: {
    call: ({ client }) =>
      client.createContractInterface({ body: { name: 'touch', version: versions(), methods: [touch] } }),
    shows: () => ({ name: 'touch', description: '', published: false, ...children }),
    body: () => textOf({ name: 'touch', version: versions() }),
  },
  generateContractInterface: {
    call: ({ client }) =>
      client.generateContractInterface({ body: { name: 'touch', version: '3', input: { abi: touchAbi } } }),
    shows: () => ({ name: 'touch', version: '3', namespace: 'default', ...children }),
    body: `{"input":{"abi":${touchAbi}}}`,
  },
  listContractInterfaces: {
    call: ({ client }) => client.listContractInterfaces({ query: { published: true, name: 'touch' } }),
    shows: (scene) => [{ ...versionOf(scene), networkName: 'touch', published: true }],
  },
  getContractInterface: {
    call: ({ client, contracts }) =>
      client.getContractInterface({
        path: { interfaceid: contracts.interface.id ?? '' },
        query: { fetchchildren: true },
      }),
    shows: (scene) => ({ ...versionOf(scene), ...children }),
    parameters: ({ contracts }) => ({ interfaceid: contracts.interface.id ?? '' }),
  },
  getContractInterfaceVersion: {
    call: (scene) => scene.client.getContractInterfaceVersion({ path: versionOf(scene) }),
    shows: ({ contracts }) => ({ id: contracts.interface.id, published: true }),
    parameters: versionOf,
  },
  deleteContractInterface: {
    call: ({ client, contracts }) => client.deleteContractInterface({ path: contracts.spareInterface() }),
    shows: () => null,
    parameters: ({ contracts }) => ({ interfaceid: contracts.spareInterface().interfaceid }),
  },
  publishContractInterface: {
    call: ({ client, contracts }) =>
      client.publishContractInterface({ path: contracts.spareInterface(), body: {}, query: { confirm: false } }),
    shows: () => ({ networkName: 'touch', message: expect.any(String) }),
    parameters: ({ contracts }) => {
      const { name, version } = contracts.spareInterface();
      return { name, version };
    },
    body: '{}',
  },
  createContractApi: {
    call: (scene) => scene.client.createContractApi({ body: { name: apis(), interface: reference(scene) } }),
    shows: (scene) => ({
      interface: reference(scene),
      published: false,
      urls: { ui: expect.stringMatching(/\/api$/) },
    }),
    body: () => textOf({ name: apis(), interface: byName }),
  },
  updateContractApi: {
    call: (scene) =>
      scene.client.updateContractApi({
        path: { api: scene.contracts.api.id },
        body: { ...touched(), interface: reference(scene) },
      }),
    shows: ({ contracts }) => contracts.api,
    parameters: ({ contracts }) => ({ api: contracts.api.id }),
    body: textOf({ ...touched(), interface: byName }),
  },
  listContractApis: {
    call: ({ client }) => client.listContractApis({ query: touched() }),
    shows: ({ contracts }) => [contracts.api],
  },
  getContractApi: {
    call: ({ client }) => client.getContractApi({ path: { api: touched().name } }),
    shows: ({ contracts }) => contracts.api,
    parameters: () => ({ api: touched().name }),
  },
  getContractApiInterface: {
    call: ({ client }) => client.getContractApiInterface({ path: touched() }),
    shows: (scene) => ({ ...versionOf(scene), ...children }),
    parameters: touched,
  },
  deleteContractApi: {
    call: ({ client, contracts }) => client.deleteContractApi({ path: { api: contracts.spareApi() } }),
    shows: () => null,
    parameters: ({ contracts }) => ({ api: contracts.spareApi() }),
  },
  publishContractApi: {
    call: ({ client, contracts }) => client.publishContractApi({ path: { name: contracts.spareApi() }, body: {} }),
    shows: () => ({ message: expect.any(String) }),
    parameters: ({ contracts }) => ({ name: contracts.spareApi() }),
    body: '{}',
  },
  deployContract: {
    call: ({ client }) => client.deployContract({ body: { contract: '0x6080', definition: touchAbi } }),
    shows: () => ({ ...called, type: 'blockchain_deploy' }),
    body: '{"contract":"0x6080"}',
  },
  invokeContract: {
    call: ({ client }) =>
      client.invokeContract({ body: { location: touchLocation, interface: byName, methodPath: 'touch', input } }),
    shows: () => called,
    body: `{"location":${touchLocation},"interface":${textOf(byName)},"methodPath":"touch","input":${input}}`,
  },
  queryContract: {
    call: ({ client }) => client.queryContract({ body: { location: touchLocation, method: touch, input } }),
    shows: () => '{}',
    body: `{"location":${touchLocation},"interface":${textOf(byName)},"methodPath":"touch","input":${input}}`,
  },
  invokeContractInterface: {
    call: ({ client, contracts }) =>
      client.invokeContractInterface({ path: methodIn(contracts), body: { location: touchLocation, input } }),
    shows: () => called,
    parameters: ({ contracts }) => methodIn(contracts),
    body: `{"location":${touchLocation},"input":${input}}`,
  },
  queryContractInterface: {
    call: ({ client, contracts }) =>
      client.queryContractInterface({ path: methodIn(contracts), body: { location: touchLocation, input } }),
    shows: () => '{}',
    parameters: ({ contracts }) => methodIn(contracts),
    body: `{"location":${touchLocation},"input":${input}}`,
  },
  invokeContractApi: {
    call: ({ client }) => client.invokeContractApi({ path: method(), body: { input } }),
    shows: () => called,
    parameters: method,
    body: `{"input":${input}}`,
  },
  queryContractApi: {
    call: ({ client }) => client.queryContractApi({ path: method(), body: { input } }),
    shows: () => '{}',
    parameters: method,
    body: `{"input":${input}}`,
  },
};
