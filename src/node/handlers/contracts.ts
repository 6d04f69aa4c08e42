import type { ContractAcceptance } from '../../pipeline/accept/contracts/contract.js';
import type { AcceptedCall, CallTerms } from '../../pipeline/accept/contracts/call.js';
import { findApi } from '../../pipeline/accept/contracts/api.js';
import { generateInterface } from '../../pipeline/accept/contracts/interface.js';
import {
  type CalledMethod,
  methodOfApi,
  methodOfInterface,
  namedMethod,
} from '../../pipeline/accept/contracts/method.js';
import { refuseUsedKey } from '../../pipeline/accept/messages/transaction.js';
import type { Shared } from '../../pipeline/accept/share.js';
import type { JudgeRequest } from '../../pipeline/judging/requests.js';
import { apiRecord } from '../../pipeline/records/contracts.js';
import { operationRecord } from '../../pipeline/records/operations.js';
import type { Database } from '../../ports/database.js';
import type { EventRow, NewRow } from '../../ports/tables/tables.js';
import type { ApiCallRequest, ContractApi, ContractInterface } from '../../wire/contracts/contract.js';
import { isServiceError } from '../../wire/errors/error.js';
import { equal, readFlag } from '../../wire/lists/query.js';
import type { contractRoutes } from '../../wire/routes/contracts.js';
import type { Operation } from '../../wire/chain/transaction.js';
import { type Confirm, isConfirmed, type WaitingRequest } from '../messages/confirm.js';
import { createConfirmTokens } from '../tokens/confirm.js';
import type { HandlersOf } from '../requests/handler.js';
import { readId } from '../lists/id.js';
import type { Reading } from '../lists/read.js';

export interface ContractHandlerParts extends ContractAcceptance {
  readonly database: Database;
  readonly judgeRequest: JudgeRequest;
  readonly reading: Reading;
  readonly confirm: Confirm;
  /** Returns the address of the node. */
  readonly url: () => string;
}

type Request = WaitingRequest & { readonly namespace: string };

/** Creates the handlers for users' contracts, except for listing them (docs/api.md §20). */
export function createContractHandlers(parts: ContractHandlerParts): HandlersOf<typeof contractRoutes> {
  const { database } = parts;
  const { interfaceOf, shareInterface, shareApi, call } = createAnswers(parts);

  return {
    createContractInterface: (request) =>
      shareInterface(request, (isPublished) => parts.acceptInterface(request.namespace, request.body, isPublished)),

    generateContractInterface: ({ namespace, body }) => generateInterface(parts.judgeRequest, namespace, body),

    async deleteContractInterface({ namespace, params: { interfaceid } }) {
      await parts.removeInterface(namespace, readId('The interface id', interfaceid));
      return null;
    },

    publishContractInterface: ({ params, body, ...request }) =>
      shareInterface(request, () => parts.publishInterface(request.namespace, params, body)),

    createContractApi: (request) =>
      shareApi(request, (isPublished) => parts.acceptApi(request.namespace, request.body, isPublished)),

    updateContractApi: ({ params: { api }, body, ...request }) =>
      shareApi(request, () => parts.changeApi(request.namespace, readId('The API id', api), body)),

    async getContractApiInterface({ namespace, params: { name } }) {
      const api = await findApi(database, { namespace, name }, name);
      return interfaceOf(namespace, api.interface);
    },

    async deleteContractApi({ namespace, params: { api } }) {
      await parts.removeApi(namespace, api);
      return null;
    },

    publishContractApi: ({ params: { name }, body, ...request }) =>
      shareApi(request, () => parts.publishApi(request.namespace, name, body)),

    ...createCallHandlers(parts, call),
  };
}

type CallName = `${'invoke' | 'query'}Contract${'' | 'Api' | 'Interface'}` | 'deployContract';

/** Creates the handlers that call contracts, one for each way of naming a method. */
function createCallHandlers(
  parts: ContractHandlerParts,
  call: ReturnType<typeof createAnswers>['call'],
): Pick<HandlersOf<typeof contractRoutes>, CallName> {
  const { database } = parts;

  function interfaceMethod(
    namespace: string,
    { interfaceid, method }: { readonly interfaceid: string; readonly method: string },
    body: ApiCallRequest,
  ): Promise<CalledMethod> {
    const id = readId('The interface id', interfaceid);
    return methodOfInterface(database, namespace, { id, method }, body);
  }

  /** Calls a method. A repeat is refused by its idempotency key, even if what it names is gone since. */
  function invoke(
    request: Request & { readonly isStrict: boolean },
    terms: CallTerms,
    findMethod: () => Promise<CalledMethod>,
  ) {
    const { namespace } = request;
    return call(request, async () => {
      try {
        return await parts.acceptInvoke(namespace, await findMethod(), terms, dryRunOf(request));
      } catch (error) {
        // A call that the contract has refused is stored with its key.
        const isOther = isServiceError(error) && !isServiceError(error, 'call_reverted');
        if (isOther) await refuseUsedKey(database, namespace, terms.idempotencyKey);
        throw error;
      }
    });
  }

  return {
    deployContract: ({ body, ...request }) =>
      call(request, () => parts.acceptDeploy(request.namespace, body, dryRunOf(request))),

    invokeContract: ({ body, ...request }) =>
      invoke(request, body, () => namedMethod(database, request.namespace, body)),

    queryContract: async ({ namespace, body }) =>
      parts.queryContract(await namedMethod(database, namespace, body), body),

    invokeContractInterface: ({ params, body, ...request }) =>
      invoke(request, body, () => interfaceMethod(request.namespace, params, body)),

    queryContractInterface: async ({ namespace, params, body }) =>
      parts.queryContract(await interfaceMethod(namespace, params, body), body),

    invokeContractApi: ({ params, body, ...request }) =>
      invoke(request, body, () => methodOfApi(database, request.namespace, params, body)),

    queryContractApi: async ({ namespace, params, body }) =>
      parts.queryContract(await methodOfApi(database, namespace, params, body), body),
  };
}

/** The common parts of the handlers: their waits and responses. */
function createAnswers(parts: ContractHandlerParts) {
  const { reading, confirm, url } = parts;
  const confirmCall = createConfirmTokens(parts);
  const withChildren = new Map([['fetchchildren', 'true']]);

  function interfaceOf(namespace: string, id: string): Promise<ContractInterface> {
    return reading.get('interfaces', { namespace, query: withChildren }, { where: [equal('id', id)], name: id });
  }

  /** Accepts a record shared by a definition, and with `confirm=true` waits until the definition is confirmed. */
  async function share<Record>({ query, deadline }: Request, accept: () => Promise<Shared<Record>>): Promise<Record> {
    if (!isConfirmed(query)) return (await accept()).record;
    return confirm.watching(async (watch) => {
      const { record, message } = await accept();
      if (message === undefined) return record;
      deadline.waits();
      await confirm.untilConfirmed(watch, message, deadline);
      return record;
    });
  }

  async function shareInterface(
    request: Request,
    accept: (isPublished: boolean) => Promise<Shared<ContractInterface>>,
  ): Promise<ContractInterface> {
    const record = await share(request, () => accept(isToAll(request)));
    if (isConfirmed(request.query)) return interfaceOf(request.namespace, record.id ?? '');
    return isToAll(request) ? { ...record, published: true } : record;
  }

  async function shareApi(
    request: Request,
    accept: (isPublished: boolean) => Promise<Shared<NewRow<'apis'>>>,
  ): Promise<ContractApi> {
    const { namespace, query } = request;
    const row = await share(request, () => accept(isToAll(request)));
    if (!isConfirmed(query)) return apiRecord(isToAll(request) ? { ...row, published: true } : row, url());
    return reading.get('apis', { namespace, query: new Map() }, { where: [equal('id', row.id)], name: row.name });
  }

  /** Starts a call, and with `confirm=true` responds once it has ended and its message is decided. */
  async function call(request: Request, start: () => Promise<AcceptedCall>): Promise<Operation> {
    const { namespace, query } = request;
    const { operation } = await confirmCall(request, { start, outcomeOf });
    if (!isConfirmed(query)) return operationRecord(operation, undefined);
    const { id } = operation;
    return reading.get('operations', { namespace, query: new Map() }, { where: [equal('id', id)], name: id });
  }

  return { interfaceOf, shareInterface, shareApi, call };
}

/** Parley's own clients follow the operation; a client of FireFly expects the refusal as the response. */
function dryRunOf({ isStrict }: { readonly isStrict: boolean }) {
  return { hasDryRun: !isStrict };
}

function isToAll({ query }: Request): boolean {
  return readFlag(query.get('publish')) ?? false;
}

const outcomes: Readonly<Record<string, 'confirmed' | 'failed'>> = {
  blockchain_invoke_op_succeeded: 'confirmed',
  blockchain_invoke_op_failed: 'failed',
  blockchain_contract_deploy_op_succeeded: 'confirmed',
  blockchain_contract_deploy_op_failed: 'failed',
};

function outcomeOf({ operation }: AcceptedCall, { type, reference }: EventRow): 'confirmed' | 'failed' | undefined {
  return reference === operation.id ? outcomes[type] : undefined;
}
