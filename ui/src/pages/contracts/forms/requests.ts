import { itemTexts } from '../../../../../src/client/page.js';
import { textOf, valueOf } from '../../../../../src/wire/json/json.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import { type Action, pathOf } from '../../../actions/action.js';
import { type AttachedMessage, messageText } from '../../../actions/attached-message.js';
import { given, objectText } from '../../../actions/body-text.js';

export type CallKind = 'query' | 'invoke';

/** The target of a call: a contract API, or an interface with any address. */
export type CallTarget =
  | { readonly kind: 'api'; readonly name: string; readonly address: string | undefined }
  | { readonly kind: 'interface'; readonly id: string };

export interface Call extends AttachedMessage {
  readonly kind: CallKind;
  readonly target: CallTarget;
  /** The path of the method. */
  readonly method: string;
  /** The address of the contract; empty for the location of the API. */
  readonly address: string;
  /** The arguments as a JSON object. */
  readonly input: string;
  /** The amount of wei to send, in digits; empty for none. */
  readonly value: string;
  readonly key: string;
  readonly idempotencyKey: string;
}

export const addressPattern = /^0x[0-9a-f]{40}$/i;
export const addressProblem = 'Enter 0x and 40 hex digits.';

export function callAction(call: Call): Action {
  const { kind, target, method, address, input, value, key, idempotencyKey } = call;
  const location = address === '' ? undefined : textOf({ address });
  const isInvoke = kind === 'invoke';
  const common = [
    ['location', location],
    ['input', input],
    ['options', isInvoke && value !== '' ? textOf({ value }) : undefined],
    ['key', given(key)],
    ['message', isInvoke ? messageText(call, 'private') : undefined],
    ['idempotencyKey', isInvoke ? given(idempotencyKey) : undefined],
  ] as const;
  if (target.kind === 'api') {
    const body = objectText(common);
    const names = [target.name, method];
    return {
      method: 'POST',
      path: pathOf('apis', target.name, kind, method),
      body,
      sdk: { method: `${kind}ContractAPI`, arguments: [...names.map((name) => textOf(name)), body] },
    };
  }
  const body = objectText([['interface', textOf(target.id)], ['methodPath', textOf(method)], ...common]);
  return { method: 'POST', path: pathOf('contracts', kind), body, sdk: { method: `${kind}Contract` } };
}

export interface Deployment {
  readonly abi: readonly unknown[];
  readonly bytecode: string;
  /** The arguments of the constructor as a JSON list. */
  readonly input: string;
  /** The amount of wei to send, in digits; empty for none. */
  readonly value: string;
  readonly key: string;
  readonly idempotencyKey: string;
  /** The name of the file with the contract. */
  readonly file: string;
  readonly name: string;
}

export function deployAction(deployment: Deployment): Action {
  const { abi, bytecode, input, value, key, idempotencyKey, file, name } = deployment;
  const body = objectText([
    ['definition', textOf(abi)],
    ['contract', textOf(bytecode)],
    ['input', input],
    ['options', value === '' ? undefined : textOf({ value })],
    ['key', given(key)],
    ['idempotencyKey', given(idempotencyKey)],
  ]);
  const words = itemTexts(input).map(wordOf);
  const cli = ['chain', 'deploy', file, '--contract', name, ...(key === '' ? [] : ['--from', key])];
  // The command takes no idempotency key and no value, and parses an argument that begins with a dash as an option.
  const hasCommand = idempotencyKey === '' && value === '' && words.every((word) => !word.startsWith('-'));
  return { method: 'POST', path: 'contracts/deploy', body, ...(hasCommand && { cli: [...cli, ...words] }) };
}

/** An argument for the command line: a string unquoted, anything else as JSON. */
function wordOf(json: string): string {
  const value: unknown = valueOf(compact(json));
  return typeof value === 'string' ? value : json;
}

export function interfaceAction(body: string, isPublished: boolean): Action {
  return {
    method: 'POST',
    path: 'contracts/interfaces',
    body,
    ...published(isPublished),
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
    method: 'POST',
    path: 'apis',
    body,
    ...published(isPublished),
    sdk: { method: 'createContractAPI', arguments: [body, ...options(isPublished)] },
  };
}

/** The request that changes the interface or name of an API. It is answered when the change is confirmed. */
export function changeApiAction(id: string, { name, interfaceId }: Pick<ApiFields, 'name' | 'interfaceId'>): Action {
  const body = textOf({ name, interface: { id: interfaceId } });
  return { method: 'PUT', path: pathOf('apis', id), query: { confirm: 'true' }, body };
}

export interface ListenerFields {
  readonly target: CallTarget;
  /** The path of the event. */
  readonly event: string;
  readonly name: string;
  readonly topic: string;
  readonly firstEvent: string;
  /** The address of the contract; empty for that of the API, or for any contract of the interface. */
  readonly address: string;
}

export function listenerAction({ target, event, name, topic, firstEvent, address }: ListenerFields): Action {
  const common = [
    ['name', given(name)],
    ['topic', given(topic)],
    ['location', address === '' ? undefined : textOf({ address })],
    ['options', firstEvent === '' ? undefined : textOf({ firstEvent })],
  ] as const;
  if (target.kind === 'interface') {
    const body = objectText([['interface', textOf({ id: target.id })], ['eventPath', textOf(event)], ...common]);
    return { method: 'POST', path: 'contracts/listeners', body, sdk: { method: 'createContractListener' } };
  }
  const body = objectText(common);
  return {
    method: 'POST',
    path: pathOf('apis', target.name, 'listeners', event),
    body,
    sdk: { method: 'createContractAPIListener', arguments: [textOf(target.name), textOf(event), body] },
  };
}

export function deleteListenerAction(id: string): Action {
  return {
    method: 'DELETE',
    path: pathOf('contracts', 'listeners', id),
    sdk: { method: 'deleteContractListener', arguments: [textOf(id)] },
  };
}

/** The query that publishes a definition. The request is answered when the definition is confirmed. */
function published(isPublished: boolean) {
  return isPublished ? { query: { publish: 'true', confirm: 'true' } } : {};
}

function options(isPublished: boolean): readonly string[] {
  return isPublished ? [textOf({ publish: true, confirm: true })] : [];
}
