import { isDeepStrictEqual } from 'node:util';
import type { Answer, Client } from '../../client/client.js';
import { ClientError } from '../../client/errors.js';
import type {
  ContractApi,
  ContractInterface,
  FfiEvent,
  FfiMethod,
  FfiParameter,
  InterfaceRequest,
} from '../../wire/contracts/contract.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { CliError } from '../errors/exit.js';
import { safe } from '../terminal/text.js';

/** A contract to define: an interface and, with an address, a contract API of the same name. */
interface ContractRequest {
  readonly name: string;
  readonly version: string;
  readonly address: string | undefined;
  readonly publish: boolean;
  readonly abi: JsonText;
}

export interface Made {
  readonly contract: Answer<ContractInterface>;
  readonly api: Answer<ContractApi> | undefined;
}

interface Context {
  readonly client: Client;
  readonly program: string;
  readonly signal: AbortSignal;
}

/**
 * Creates an interface from an ABI and, if an address is given, a contract API. Existing ones with the same content are
 * used, so a repetition succeeds and completes an interrupted run.
 *
 * @throws CliError CONFLICT if something else has the name; ClientError, UnreachableError
 */
export async function makeContract(request: ContractRequest, at: Context): Promise<Made> {
  const { client, signal } = at;
  const { name, version, abi, address } = request;
  const generated = await client.generateContractInterface({ body: { name, version, input: { abi } }, signal });
  const { methods = [], events = [], errors = [] } = generated.value;
  const wanted: InterfaceRequest = { name, version, methods, events, errors };
  // Both are compared before either is created, because a published interface cannot be deleted.
  const knownInterface = await sameInterface(wanted, at);
  const knownApi = address === undefined ? undefined : await sameApi(request, knownInterface?.value.id, at);
  const contract = await interfaceFor(request, wanted, knownInterface, at);
  if (address === undefined) return { contract, api: undefined };
  return { contract, api: await apiFor({ ...request, address }, contract.value.id ?? '', knownApi, at) };
}

async function interfaceFor(
  { name, version, address, publish }: ContractRequest,
  wanted: InterfaceRequest,
  known: Answer<ContractInterface> | undefined,
  at: Context,
): Promise<Answer<ContractInterface>> {
  const { client, signal } = at;
  // An API requires a confirmed interface.
  const confirm = address === undefined ? {} : { confirm: true };
  if (known === undefined) {
    const query = { publish, ...confirm };
    return createdOrKnown(
      () => client.createContractInterface({ body: wanted, query, signal }),
      () => sameInterface(wanted, at),
    );
  }
  if (!publish || known.value.published === true) return known;
  return client.publishContractInterface({ path: { name, version }, body: {}, query: confirm, signal });
}

async function apiFor(
  request: ContractRequest & { readonly address: string },
  id: string,
  known: Answer<ContractApi> | undefined,
  at: Context,
): Promise<Answer<ContractApi>> {
  const { name, address, publish } = request;
  const { client, signal } = at;
  if (known === undefined) {
    const body = { name, interface: { id }, location: textOf({ address }) };
    return createdOrKnown(
      () => client.createContractApi({ body, query: { publish }, signal }),
      () => sameApi(request, id, at),
    );
  }
  if (!publish || known.value.published) return known;
  return client.publishContractApi({ path: { name }, body: {}, signal });
}

/** Creates a record, or finds it if another run has created it meanwhile. @throws ClientError, CliError */
async function createdOrKnown<Value>(
  create: () => Promise<Answer<Value>>,
  find: () => Promise<Answer<Value> | undefined>,
): Promise<Answer<Value>> {
  try {
    return await create();
  } catch (error) {
    const known = error instanceof ClientError && error.status === 409 ? await find() : undefined;
    if (known === undefined) throw error;
    return known;
  }
}

/** The interface with this name and version, if it exists. @throws CliError CONFLICT if its content differs */
async function sameInterface(
  wanted: InterfaceRequest,
  { client, signal }: Context,
): Promise<Answer<ContractInterface> | undefined> {
  const { name, version } = wanted;
  const query = { fetchchildren: true };
  const found = await orAbsent(client.getContractInterfaceVersion({ path: { name, version }, query, signal }));
  const difference = found === undefined ? undefined : differenceOf(wanted, found.value);
  if (difference === undefined) return found;
  throw new CliError('CONFLICT', `${safe(`${name}@${version}`)} exists already, and its ${difference} differ.`, {
    hint: 'An interface cannot be changed: choose another --version.',
    details: { id: found?.value.id ?? null },
  });
}

/**
 * The contract API with this name, if it exists.
 *
 * @param id the interface that it must have; undefined for one that does not exist yet
 * @throws CliError CONFLICT if its address or its interface differs
 */
async function sameApi(
  { name, version, address }: ContractRequest,
  id: string | undefined,
  { client, program, signal }: Context,
): Promise<Answer<ContractApi> | undefined> {
  const found = await orAbsent(client.getContractApi({ path: { api: name }, signal }));
  if (found === undefined) return undefined;
  const { location, interface: known } = found.value;
  const details = { id: found.value.id };
  const there = location === undefined ? undefined : addressOf(location);
  if (there !== address?.toLowerCase()) {
    const place = there === undefined ? 'no address' : `the address ${safe(there)}`;
    throw new CliError('CONFLICT', `The contract API ${safe(name)} exists already, with ${place}.`, {
      hint: 'The address of a contract API cannot be changed: choose another --name.',
      details,
    });
  }
  if (known.id === id) return found;
  const body = textOf({ name, interface: { name, version } });
  throw new CliError('CONFLICT', `The contract API ${safe(name)} exists already, with another interface.`, {
    hint: [
      `Choose another --name, or leave out --address to define ${safe(`${name}@${version}`)} alone,`,
      `and then have the API use it: ${program} api PUT apis/${found.value.id} -d '${body}'`,
    ].join(' '),
    details,
  });
}

async function orAbsent<Value>(request: Promise<Answer<Value>>): Promise<Answer<Value> | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

function addressOf(location: JsonText): string | undefined {
  const value = valueOf(location);
  const address: unknown = value instanceof Object ? Reflect.get(value, 'address') : undefined;
  return typeof address === 'string' ? address.toLowerCase() : undefined;
}

/** `methods`, `events` or `errors`, whichever differs first; derived members and descriptions are ignored. */
function differenceOf(wanted: InterfaceRequest, found: ContractInterface): string | undefined {
  if (!isDeepStrictEqual((wanted.methods ?? []).map(methodOf), (found.methods ?? []).map(methodOf))) return 'methods';
  if (!isDeepStrictEqual((wanted.events ?? []).map(eventOf), (found.events ?? []).map(eventOf))) return 'events';
  if (!isDeepStrictEqual((wanted.errors ?? []).map(errorOf), (found.errors ?? []).map(errorOf))) return 'errors';
  return undefined;
}

function methodOf({ name, params, returns, details }: FfiMethod) {
  return { name, params: params.map(parameterOf), returns: returns.map(parameterOf), details: detailsOf(details) };
}

function eventOf({ name, params, details }: FfiEvent) {
  return { name, params: params.map(parameterOf), details: detailsOf(details) };
}

function errorOf({ name, params }: FfiEvent) {
  return { name, params: params.map(parameterOf) };
}

function parameterOf({ name, schema }: FfiParameter) {
  return { name, schema: valueOf(schema) };
}

function detailsOf(details: JsonText | undefined): unknown {
  return details === undefined ? undefined : valueOf(details);
}
