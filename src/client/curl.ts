import type { CredentialFile } from './headers.js';

/** A request as a command line for a POSIX shell, with every argument quoted. */
export function curlCommand(request: {
  readonly method: string;
  readonly url: string;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credential?: CredentialFile | undefined;
  readonly caFile?: string | undefined;
}): string {
  const { method, url, body } = request;
  const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...request.headers };
  return [
    curlWith(request.credential, request.caFile),
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quote(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
  ].join(' ');
}

/**
 * The beginning of a command with a credential. Its file is read when the command runs, and the credential goes through
 * a pipe, since arguments are visible to all users. (`printf` is a shell builtin.)
 */
export function curlWith(credential: CredentialFile | undefined, caFile?: string): string {
  const curl = caFile === undefined ? 'curl -sS' : `curl -sS --cacert ${quote(caFile)}`;
  if (credential === undefined) return curl;
  const text = `"$(cat ${quote(credential.path)})"`;
  const value = credential.scheme === 'Bearer' ? text : `"$(printf %s ${text} | base64 | tr -d '\\n')"`;
  return `printf 'Authorization: ${credential.scheme} %s\\n' ${value} | ${curl} -H @-`;
}

/** Quotes one word for a POSIX shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
