import { type AbiEntry, readAbi } from '../../../domain/contracts/abi.js';
import { checkArguments, nameArgument, readCallOptions, readQueryOptions } from '../../../domain/contracts/call.js';
import { checkEntrySizes } from '../../../domain/contracts/size.js';
import { type Blockchain, ChainError } from '../../../ports/blockchain.js';
import type { ContractQuery, QueryAnswer } from '../../../ports/contract-query.js';
import type { Clock } from '../../../ports/clock.js';
import { CodecError, type ContractCodec } from '../../../ports/contract-codec.js';
import type { Database } from '../../../ports/database.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { Random } from '../../../ports/random.js';
import type { OperationRow, OperationType } from '../../../ports/tables/tables.js';
import { canonicalAddress } from '../../../wire/chain/address.js';
import { check } from '../../../wire/check.js';
import type { ContractCallRequest, DeployRequest } from '../../../wire/contracts/contract.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { textOf, valueOf } from '../../../wire/json/json.js';
import { elementsOf } from '../../../wire/json/json-reader.js';
import type { Message } from '../../../wire/messages/message.js';
import { Address, type JsonText } from '../../../wire/scalar.js';
import type { Bus } from '../../bus.js';
import { endCall } from '../../state/contracts/call-end.js';
import { hasOpenCalls, refusalSentence } from '../../state/contracts/call-refusal.js';
import { refuseNetworkContract } from '../../state/contracts/network-contract.js';
import { callLane, newOperation } from '../../operations/operation.js';
import { newTransaction } from '../../state/chain/transaction-row.js';
import { resolveSigner } from '../identities/author.js';
import { type CalledMethod } from './method.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Prepared, Sender } from '../../state/messages/sender.js';
import { checkIdempotencyKey } from '../messages/request.js';
import { refuseSystemNamespace } from '../share.js';
import { beginTransaction } from '../messages/transaction.js';

export interface CallParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'query' | 'network' | 'estimate' | 'status'>;
  readonly codec: ContractCodec;
  readonly own: OwnIdentity;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly prepareStaged: Sender['prepareStaged'];
}

/** Whether a call is tried before it is accepted. */
export interface DryRun {
  readonly hasDryRun: boolean;
}

export type CallTerms = Pick<ContractCallRequest, 'key' | 'input' | 'options' | 'message' | 'idempotencyKey'>;

export interface AcceptedCall {
  readonly operation: OperationRow;
  readonly message: Message | undefined;
}

/** Accepts contract calls (docs/api.md §20). */
export interface CallAcceptance {
  /**
   * Calls a method. Normally a refusal by the contract shows as a failed operation. With a dry run it is reported at
   * once, unless other calls of the key are in flight that might change it.
   *
   * @throws ServiceError call_reverted, argument_missing, argument_wrong, argument_unknown, bad_option, author_refused,
   * too_long, transaction_key_used, namespace_read_only, network_contract, and those of the message's sender
   */
  readonly acceptInvoke: (
    namespace: string,
    method: CalledMethod,
    terms: CallTerms,
    dryRun: DryRun,
  ) => Promise<AcceptedCall>;
  /** Deploys a contract. @throws ServiceError field_required, field_type, bad_abi, and as `acceptInvoke` */
  readonly acceptDeploy: (namespace: string, request: DeployRequest, dryRun: DryRun) => Promise<AcceptedCall>;
  /**
   * Queries a contract; returns the results by name.
   *
   * @throws ServiceError query_reverted, stopping if the chain does not answer, and as `acceptInvoke`
   */
  readonly queryContract: (method: CalledMethod, terms: CallTerms) => Promise<JsonText>;
}

export function createCallAcceptance(parts: CallParts): CallAcceptance {
  const { blockchain, codec, own, random, metrics, prepareStaged } = parts;

  return {
    async acceptInvoke(namespace, method, terms, { hasDryRun }) {
      refuseSystemNamespace(namespace);
      checkIdempotencyKey(terms.idempotencyKey);
      const { entry, address, interface: id, methodPath } = method;
      refuseNetworkContract(blockchain.network, address);
      const options = readCallOptions(terms.options);
      const data = encodeArguments(codec, entry, terms.input);
      const key = await resolveSigner(own, terms.key);
      const tx = random.uuid();
      const parent = { type: 'contract_invoke', id: tx } as const;
      const message = terms.message === undefined ? undefined : await prepareStaged(namespace, terms.message, parent);
      const input = {
        key,
        location: { address },
        method: { name: entry.name, ...(methodPath !== undefined && { methodPath }) },
        ...(id !== undefined && { interface: id }),
        input: argumentsShown(codec, entry, data),
        options,
        data,
        errors: method.errors,
      };
      const { idempotencyKey } = terms;
      const refusal = hasDryRun
        ? await refusalOf(parts, { key, to: address, data, options, errors: method.errors })
        : undefined;
      return begin(parts, { namespace, type: 'blockchain_invoke', tx, key, input, idempotencyKey, message, refusal });
    },

    async acceptDeploy(namespace, request, { hasDryRun }) {
      refuseSystemNamespace(namespace);
      checkIdempotencyKey(request.idempotencyKey);
      const abi = request.definition === undefined ? [] : readAbi(request.definition);
      const options = readCallOptions(request.options);
      const { data, shown } = encodeCreation(codec, abi, request);
      const key = await resolveSigner(own, request.key);
      const errors = abi.filter(({ type }) => type === 'error');
      const { idempotencyKey } = request;
      const input = { key, input: shown, options, data, errors };
      const tx = random.uuid();
      const refusal = hasDryRun ? await refusalOf(parts, { key, to: null, data, options, errors }) : undefined;
      const call = { namespace, type: 'blockchain_deploy', tx, key, input, idempotencyKey, refusal } as const;
      return begin(parts, { ...call, message: undefined });
    },

    async queryContract({ entry, errors, address: to }, terms) {
      const { block, gas } = readQueryOptions(terms.options);
      const data = encodeArguments(codec, entry, terms.input);
      // A query is not signed, so its sender may be any account.
      const asker = terms.key === undefined ? undefined : canonicalAddress(terms.key);
      const from = check(Address, asker) ? asker : await resolveSigner(own, terms.key);
      metrics.count('ff_blockchain_queries_total');
      const answer = await answerOf(blockchain, { to, data, from, gas, block });
      if (answer.status === 'reverted') {
        const problem = codec.decodeError(errors, answer.data) ?? answer.reason;
        throw new ServiceError('query_reverted', { problem });
      }
      return readResults(codec, entry, answer.data, to);
    },
  };
}

interface Call {
  readonly namespace: string;
  readonly type: Extract<OperationType, 'blockchain_invoke' | 'blockchain_deploy'>;
  readonly tx: string;
  readonly key: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  readonly message: Prepared | undefined;
  /** The contract's refusal in a dry run, if any. */
  readonly refusal: string | undefined;
}

/**
 * Stores transaction, operation and message in one unit. A call that the contract refuses is stored as failed.
 *
 * @throws ServiceError call_reverted
 */
async function begin(parts: CallParts, call: Call): Promise<AcceptedCall> {
  const { database, bus, clock, random } = parts;
  const { namespace, type, tx, key, input, idempotencyKey, message, refusal } = call;
  const [id, created] = [random.uuid(), clock.now()];
  const txtype = type === 'blockchain_invoke' ? 'contract_invoke' : 'contract_deploy';
  const transaction = newTransaction(namespace, { id: tx, type: txtype, created, idempotencyKey });
  const subject = { namespace, tx, batch: '', batchHash: '', signer: key };
  const begun = newOperation({ id, type, lane: callLane(key), created, subject, input });
  const operation = refusal === undefined ? begun : { ...begun, status: 'Failed' as const, error: refusal };
  const bells = await database.transaction(async (unit) => {
    await beginTransaction(unit, transaction, random);
    await unit.insert('operations', [operation]);
    const rung = (await message?.store(unit)) ?? [];
    return refusal === undefined ? rung : [...rung, ...(await endCall(parts, unit, operation, 'failed'))];
  });
  bus.ring('operations', 'events');
  message?.announce(bells);
  if (refusal !== undefined) throw new ServiceError('call_reverted', { operation: id, problem: refusal });
  return { operation: { ...operation, sequence: 0 }, message: message?.message };
}

interface DryRunCall {
  readonly key: string;
  readonly to: string | null;
  readonly data: string;
  readonly options: { readonly gas?: number | undefined; readonly value: string };
  readonly errors: readonly AbiEntry[];
}

/**
 * Returns the contract's refusal of a call; undefined if it would accept the call, if other calls of the key are in
 * flight that might change its answer, or if the chain does not answer.
 */
async function refusalOf(
  { database, blockchain, codec }: CallParts,
  { key, to, data, options: { gas, value }, errors }: DryRunCall,
): Promise<string | undefined> {
  if (await hasOpenCalls(database, key)) return undefined;
  try {
    const estimated = await blockchain.estimate(key, { to, data, value, ...(gas !== undefined && { gas }) });
    if (estimated.status === 'success') return undefined;
    return refusalSentence(estimated, (answer) => codec.decodeError(errors, answer));
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return undefined;
  }
}

function encodeArguments(codec: ContractCodec, method: AbiEntry, input = textOf({})): string {
  const given = nameArgument(method, input);
  checkArguments(method, given);
  return encoded('input.', () => codec.encodeCall(method, given));
}

/** Returns the arguments as encoded, with integers as strings so that no JSON reader rounds them. */
function argumentsShown(codec: ContractCodec, method: AbiEntry, data: string): unknown {
  const asResults = { ...method, outputs: method.inputs };
  return valueOf(encoded('input', () => codec.decodeOutput(asResults, `0x${data.slice('0x12345678'.length)}`)));
}

function encodeCreation(
  codec: ContractCodec,
  abi: readonly AbiEntry[],
  { contract, input = textOf([]) }: DeployRequest,
): { readonly data: string; readonly shown: unknown } {
  if (contract === undefined) throw new ServiceError('field_required', { field: 'contract', hint: '' });
  const bytecode = contract.startsWith('0x') ? contract.toLowerCase() : `0x${contract.toLowerCase()}`;
  if (!/^0x(?:[0-9a-f]{2})+$/.test(bytecode)) {
    const expected = 'the creation code of a contract as 0x hex, all its libraries linked';
    throw new ServiceError('field_type', { field: 'contract', expected, actual: 'other text' });
  }
  const given = elementsOf(input);
  if (given === undefined) throw new ServiceError('argument_wrong', { field: 'input', expected: 'an array' });
  const constructor = abi.find(({ type }) => type === 'constructor');
  if (constructor !== undefined) checkEntrySizes(constructor, 'definition');
  const values = encoded('input', () => codec.encodeDeploy('0x', constructor, given));
  const asResults: AbiEntry = { type: 'function', name: '', inputs: [], outputs: constructor?.inputs ?? [] };
  const shown = encoded('input', () => codec.decodeOutput(asResults, values));
  return { data: `${bytecode}${values.slice(2)}`, shown: valueOf(shown) };
}

/** @throws ServiceError argument_wrong, with the path of the argument in the request */
function encoded<T extends string>(prefix: string, encode: () => T): T {
  try {
    return encode();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    const field = error.path === '' ? prefix.replace(/\.$/, '') : `${prefix}${error.path}`;
    throw new ServiceError('argument_wrong', { field, expected: error.expected });
  }
}

/** @throws ServiceError bad_option if the named block is above the head; stopping if the chain does not answer */
async function answerOf(blockchain: CallParts['blockchain'], query: ContractQuery): Promise<QueryAnswer> {
  try {
    return await blockchain.query(query);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const { block } = query;
    const head = block === undefined ? undefined : await headOf(blockchain);
    if (block !== undefined && head !== undefined && block > head) {
      const problem = `block ${block} is above the head of the chain; give a block up to ${head}`;
      throw new ServiceError('bad_option', { field: 'blockNumber', problem });
    }
    throw new ServiceError('stopping', { what: 'The chain does not answer now' });
  }
}

/** Returns the number of the chain's newest block; undefined if the chain does not answer. */
async function headOf(blockchain: CallParts['blockchain']): Promise<number | undefined> {
  try {
    return (await blockchain.status()).head;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return undefined;
  }
}

function readResults(codec: ContractCodec, method: AbiEntry, data: string, address: string): JsonText {
  try {
    return codec.decodeOutput(method, data);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw new ServiceError('query_reverted', {
      problem: `what it answers is not what ${method.name} gives. Is there such a contract at ${address}?`,
    });
  }
}
