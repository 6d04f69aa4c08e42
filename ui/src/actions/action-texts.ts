import { curlCommand, quote } from '../../../src/client/curl.js';
import { indentJson, tokensOf } from '../../../src/wire/json/json-indent.js';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { type Action, targetOf } from './action.js';

export interface ActionTarget {
  /** Such as `http://127.0.0.1:16010`. */
  readonly url: string;
  readonly namespace: string;
  /** The party of the stack that the node belongs to; undefined if unknown. */
  readonly party: string | undefined;
  /** The name of the stack; undefined if unknown. */
  readonly stack: string | undefined;
}

export function requestText(action: Action, { namespace }: ActionTarget): string {
  const line = `${action.method} /api/v1/namespaces/${encodeURIComponent(namespace)}/${targetOf(action)}`;
  return action.body === undefined ? line : `${line}\nContent-Type: application/json\n\n${action.body}`;
}

export function curlText(action: Action, { url, namespace }: ActionTarget): string {
  const address = `${url}/api/v1/namespaces/${encodeURIComponent(namespace)}/${targetOf(action)}`;
  return curlCommand({ method: action.method, url: address, body: action.body });
}

/** The `stack` command that does the same. */
export function stackText(action: Action, target: ActionTarget): string {
  const words = action.cli ?? apiArguments(action);
  const command = ['stack', ...words, ...targetFlags(target)].map(quote).join(' ');
  return action.input === undefined ? command : `printf %s ${quote(action.input)} | ${command}`;
}

/** The flags with which a `stack` command addresses the node and namespace. */
export function targetFlags({ url, namespace, party, stack }: ActionTarget): readonly string[] {
  // Without the name, a command uses the stack that was started last, whose parties may have the same names.
  const node = party === undefined || stack === undefined ? ['--url', url] : ['-s', stack, '-p', party];
  return namespace === 'default' ? node : [...node, '--ns', namespace];
}

function apiArguments(action: Action): readonly string[] {
  return ['api', action.method, targetOf(action), ...(action.body === undefined ? [] : option('-d', action.body))];
}

/** An option of a command line; a value that looks like an option is joined to its name. */
export function option(name: string, value: string): readonly string[] {
  if (!value.startsWith('-')) return [name, value];
  return [name.startsWith('--') ? `${name}=${value}` : `${name}${value}`];
}

/**
 * A program that sends the request with the SDK; undefined if the SDK has no method for it. It is CommonJS, as the SDK
 * is, so it has no `await` at its top level.
 */
export function sdkText({ sdk, body }: Action, target: ActionTarget): string | undefined {
  if (sdk === undefined) return undefined;
  return sdkProgram(sdk.method, (sdk.arguments ?? (body === undefined ? [] : [body])).map(indentJson), target);
}

/** A program that calls a method of the SDK with these expressions. Other modules are loaded before. */
export function sdkProgram(
  method: string,
  given: readonly string[],
  { url, namespace }: ActionTarget,
  modules: readonly string[] = [],
): string {
  return [
    ...modules,
    `const { default: FireFly } = require('@hyperledger/firefly-sdk');`,
    '',
    `const firefly = new FireFly({ host: ${textOf(url)}, namespace: ${textOf(namespace)} });`,
    `firefly.${method}(${given.join(', ')}).then((answer) => console.log(answer));`,
  ].join('\n');
}

/**
 * Whether the SDK sends a different body than this page. The SDK converts JSON to JavaScript values: it rounds large
 * numbers, changes `1.0` to `1`, and keeps only one of repeated keys.
 */
export function isChangedBySdk({ body }: Action): boolean {
  if (body === undefined) return false;
  const text = compact(body);
  return textOf(valueOf(text)) !== text || tokensOf(text).includes('"__proto__"');
}
