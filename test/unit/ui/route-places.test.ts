import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../src/wire/route.js';
import { type RouteName, routes } from '../../../src/wire/routes.js';

/** The file below `ui/src` that makes the request, and a text in it that shows this. */
type Place = readonly [file: string, text: string];

const contracts = 'pages/contracts/forms/requests.ts';
const tokens = 'pages/tokens/forms/requests.ts';

const places: Readonly<Partial<Record<RouteName, Place>>> = {
  broadcastMessage: ['pages/compose/message-action.ts', "'broadcast/message'"],
  sendMessage: ['pages/compose/message-action.ts', "'send/message'"],
  requestReply: ['pages/compose/message-action.ts', "'messages/requestreply'"],
  uploadData: ['api/upload.ts', "client.address('data')"],
  deleteData: ['pages/data/data-actions.tsx', "pathOf('data', id)"],
  publishDataValue: ['pages/data/data-action.ts', "'publish'"],
  publishDataBlob: ['pages/data/data-action.ts', 'publishDataBlob'],
  createDatatype: ['pages/datatypes/define-action.ts', "'datatypes'"],
  validateDatatype: ['pages/compose/validation.ts', 'validateDatatype'],
  createSubscription: ['pages/subscriptions/request.ts', "method: 'POST'"],
  replaceSubscription: ['pages/subscriptions/request.ts', "method: 'PUT'"],
  deleteSubscription: ['pages/subscriptions/request.ts', "method: 'DELETE'"],
  createIdentity: ['pages/network/identity-action.ts', "path: 'identities'"],
  updateIdentity: ['pages/network/identity-action.ts', "method: 'PATCH'"],
  createContractInterface: [contracts, "path: 'contracts/interfaces'"],
  generateContractInterface: ['pages/contracts/forms/interface-form.tsx', 'generateContractInterface'],
  deleteContractInterface: ['pages/contracts/forms/interface-actions.tsx', "method: 'DELETE'"],
  publishContractInterface: ['pages/contracts/forms/interface-actions.tsx', '/publish'],
  createContractApi: [contracts, "path: 'apis'"],
  updateContractApi: [contracts, "method: 'PUT'"],
  deleteContractApi: ['pages/contracts/forms/api-actions.tsx', "method: 'DELETE'"],
  publishContractApi: ['pages/contracts/forms/api-actions.tsx', '/publish'],
  deployContract: [contracts, "'contracts/deploy'"],
  invokeContract: [contracts, "pathOf('contracts', kind)"],
  queryContract: [contracts, "pathOf('contracts', kind)"],
  invokeContractApi: [contracts, "pathOf('apis', target.name, kind, method)"],
  queryContractApi: [contracts, "pathOf('apis', target.name, kind, method)"],
  createContractListener: [contracts, "path: 'contracts/listeners'"],
  createApiListener: [contracts, "pathOf('apis', target.name, 'listeners', event)"],
  deleteContractListener: [contracts, "pathOf('contracts', 'listeners', id)"],
  createTokenPool: ['pages/tokens/forms/pool-request.ts', "path: 'tokens/pools'"],
  deleteTokenPool: ['pages/tokens/forms/pool-actions.tsx', "method: 'DELETE'"],
  publishTokenPool: ['pages/tokens/forms/pool-actions.tsx', '/publish'],
  mintTokens: [tokens, "'tokens/mint'"],
  transferTokens: [tokens, "'tokens/transfers'"],
  burnTokens: [tokens, "'tokens/burn'"],
  approveTokens: [tokens, "'tokens/approvals'"],
  retryOperation: ['actions/operations/retry-action.ts', "'retry'"],
  cancelBatch: ['actions/operations/retry-action.ts', "'cancel'"],
  rewindPins: ['actions/operations/rewind-button.tsx', "'pins/rewind'"],
};

/** Requests that the explorer does not make, with the reason. */
const omitted: Readonly<Partial<Record<RouteName, string>>> = {
  broadcastDatatype: 'createDatatype does the same',
  invokeContractInterface: 'invokeContract with the interface does the same',
  queryContractInterface: 'queryContract with the interface does the same',
  createOrganization: 'it changes nothing: the operator registers, and only clients of FireFly ask for it',
  registerOrganization: 'it changes nothing: the operator registers, and the network page shows the result',
  registerNode: 'it changes nothing: the operator registers, and the network page shows the result',
  resolveVerifier: 'it changes nothing: the search finds keys by the lists',
  getListenerSignature: 'it changes nothing: a listener shows its signature as soon as it is made',
};

const named: readonly (readonly [string, Route])[] = Object.entries(routes);
const writing = named.filter(([, { method }]) => method !== 'get').map(([name]) => name);

describe('the explorer', () => {
  it('makes every request that writes, or has a reason not to', () => {
    expect(Object.keys({ ...places, ...omitted }).sort()).toEqual([...writing].sort());
    expect(Object.keys(places).filter((name) => name in omitted)).toEqual([]);
  });

  it.each(Object.entries(places))('makes the request of %s', (_, [file, text]) => {
    expect(readFileSync(new URL(`../../../ui/src/${file}`, import.meta.url), 'utf8')).toContain(text);
  });
});
