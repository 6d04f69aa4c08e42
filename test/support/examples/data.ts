import { expect } from 'vitest';
import type { dataRoutes } from '../../../src/wire/routes/data.js';
import { type Examples, exampleFile, exampleValue as value, type Scene } from './example.js';

const ofFile = ({ file }: Scene) => ({ dataid: file.id });

export const dataExamples: Examples<typeof dataRoutes> = {
  uploadData: {
    call: ({ client }) => client.uploadData({ body: { value } }),
    shows: () => ({ validator: 'json', namespace: 'default', value }),
    body: `{"value":${value}}`,
  },
  listData: {
    call: ({ client, file }) => client.listData({ query: { 'blob.name': 'dir/hello.txt', id: file.id } }),
    shows: ({ file }) => [file],
  },
  getData: {
    call: (scene) => scene.client.getData({ path: ofFile(scene) }),
    shows: ({ file }) => file,
    parameters: ofFile,
  },
  getDataValue: {
    call: ({ client, message }) => client.getDataValue({ path: { dataid: message.data[0]?.id ?? '' } }),
    shows: () => value,
    parameters: ofFile,
  },
  getDataBlob: {
    call: (scene) => scene.client.getDataBlob({ path: ofFile(scene) }),
    shows: () => exampleFile,
    parameters: ofFile,
  },
  listDataMessages: {
    call: ({ client, message }) => client.listDataMessages({ path: { dataid: message.data[0]?.id ?? '' } }),
    shows: ({ message }) => [message],
    parameters: ofFile,
  },
  listDataSubPaths: {
    call: ({ client }) => client.listDataSubPaths({ path: { parent: 'dir' } }),
    shows: () => ['/dir/sub'],
    parameters: () => ({ parent: 'dir' }),
  },
  deleteData: {
    call: ({ client, spareData }) => client.deleteData({ path: { dataid: spareData() } }),
    shows: () => null,
    parameters: ({ spareData }) => ({ dataid: spareData() }),
  },
  publishDataValue: {
    call: (scene) => scene.client.publishDataValue({ path: ofFile(scene), body: {} }),
    shows: ({ file }) => ({ id: file.id, public: expect.stringMatching(/.+/) }),
    parameters: ofFile,
  },
  publishDataBlob: {
    call: (scene) => scene.client.publishDataBlob({ path: ofFile(scene), body: {} }),
    shows: ({ file }) => ({ id: file.id, blob: { hash: file.blob?.hash, public: expect.stringMatching(/.+/) } }),
    parameters: ofFile,
  },
};
