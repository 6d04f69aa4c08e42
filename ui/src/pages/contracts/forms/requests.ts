import { itemTexts } from '../../../../../src/client/page.js';
import { textOf, valueOf } from '../../../../../src/wire/json.js';
import { compact } from '../../../../../src/wire/json-reader.js';
import { type Action, pathOf } from '../../../actions/action.js';

export type CallKind = 'query' | 'invoke';

/** How a method is reached: by the API of a contract, or by an interface at an address. */
export type CallTarget =
  | { readonly kind: 'api'; readonly name: string; readonly address: string | undefined }
  | { readonly kind: 'interface'; readonly id: string };

export interface Call {
  readonly kind: CallKind;
  readonly target: CallTarget;
  /** The path of the method. */
  readonly method: string;
  /** Where the contract is, if neither the API nor anything else says so. */
  readonly address: string;
  /** An object with the arguments. */
  readonly input: string;
  /** Wei that go along, in digits; empty = none. */
  readonly value: string;
  readonly key: string;
  readonly idempotencyKey: string;
}

export const addressPattern = /^0x[0-9a-f]{40}$/i;

/** The request that calls a method. */
export function callAction({ kind, target, method, address, input, value, key, idempotencyKey }: Call): Action {
  const location = address === '' ? undefined : textOf({ address });
  const isInvoke = kind === 'invoke';
  const common = [
    ['location', location],
    ['input', input],
    ['options', isInvoke && value !== '' ? textOf({ value }) : undefined],
    ['key', given(key)],
    ['idempotencyKey', isInvoke ? given(idempotencyKey) : undefined],
  ] as const;
  if (target.kind === 'api') {
    const body = objectText(common);
    const names = [target.name, method];
    return {
      ...{ method: 'POST', path: pathOf('apis', target.name, kind, method), body },
      sdk: { method: `${kind}ContractAPI`, arguments: [...names.map((name) => textOf(name)), body] },
    };
  }
  const body = objectText([['interface', textOf(target.id)], ['methodPath', textOf(method)], ...common]);
  return { method: 'POST', path: pathOf('contracts', kind), body, sdk: { method: `${kind}Contract` } };
}

export interface Deployment {
  readonly abi: readonly unknown[];
  readonly bytecode: string;
  /** A list of the arguments of the constructor. */
  readonly input: string;
  readonly key: string;
  readonly idempotencyKey: string;
  /** The name of the file that has the contract. */
  readonly file: string;
  readonly name: string;
}

export function deployAction(deployment: Deployment): Action {
  const { abi, bytecode, input, key, idempotencyKey, file, name } = deployment;
  const body = objectText([
    ['definition', textOf(abi)],
    ['contract', textOf(bytecode)],
    ['input', input],
    ['key', given(key)],
    ['idempotencyKey', given(idempotencyKey)],
  ]);
  const words = itemTexts(input).map(wordOf);
  const cli = ['chain', 'deploy', file, '--contract', name, ...(key === '' ? [] : ['--from', key])];
  // The command takes no idempotency key, and would take a word that begins with a dash for an option.
  const hasCommand = idempotencyKey === '' && words.every((word) => !word.startsWith('-'));
  return { method: 'POST', path: 'contracts/deploy', body, ...(hasCommand && { cli: [...cli, ...words] }) };
}

/** An argument as the command line takes it: a text as it is, all else as JSON. */
function wordOf(json: string): string {
  const value: unknown = valueOf(compact(json));
  return typeof value === 'string' ? value : json;
}

/** The request that keeps an interface, whose JSON the node has made of an ABI. */
export function interfaceAction(body: string, isPublished: boolean): Action {
  return {
    ...{ method: 'POST', path: 'contracts/interfaces', body, ...published(isPublished) },
    sdk: { method: 'createContractInterface', arguments: [body, ...options(isPublished)] },
  };
}

export interface ApiFields {
  readonly name: string;
  readonly interfaceId: string;
  readonly address: string;
  readonly publish: string;
}

export function apiAction({ name, interfaceId, address, publish }: ApiFields): Action {
  const isPublished = publish === 'yes';
  const body = objectText([
    ['name', textOf(name)],
    ['interface', textOf({ id: interfaceId })],
    ['location', address === '' ? undefined : textOf({ address })],
  ]);
  return {
    ...{ method: 'POST', path: 'apis', body, ...published(isPublished) },
    sdk: { method: 'createContractAPI', arguments: [body, ...options(isPublished)] },
  };
}

export interface ListenerFields {
  readonly api: string;
  readonly event: string;
  readonly name: string;
  readonly topic: string;
  readonly firstEvent: string;
  readonly address: string;
}

export function listenerAction({ api, event, name, topic, firstEvent, address }: ListenerFields): Action {
  const body = objectText([
    ['name', given(name)],
    ['topic', given(topic)],
    ['location', address === '' ? undefined : textOf({ address })],
    ['options', firstEvent === '' ? undefined : textOf({ firstEvent })],
  ]);
  return {
    ...{ method: 'POST', path: pathOf('apis', api, 'listeners', event), body },
    sdk: { method: 'createContractAPIListener', arguments: [textOf(api), textOf(event), body] },
  };
}

/** What is for all parties is there once its definition is confirmed, so the answer waits for that. */
function published(isPublished: boolean) {
  return isPublished ? { query: { publish: 'true', confirm: 'true' } } : {};
}

function options(isPublished: boolean): readonly string[] {
  return isPublished ? [textOf({ publish: true, confirm: true })] : [];
}

function given(text: string): string | undefined {
  return text === '' ? undefined : textOf(text);
}

function objectText(members: readonly (readonly [name: string, text: string | undefined])[]): string {
  const written = members.flatMap(([name, text]) => (text === undefined ? [] : [`${textOf(name)}:${text}`]));
  return `{${written.join(',')}}`;
}
