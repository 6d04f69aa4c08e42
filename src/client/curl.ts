/** A request as a command line for a POSIX shell, every argument quoted. */
export function curlCommand(request: {
  readonly method: string;
  readonly url: string;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}): string {
  const { method, url, body } = request;
  const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...request.headers };
  return [
    'curl -sS',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quote(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
  ].join(' ');
}

/** One word of a POSIX shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
