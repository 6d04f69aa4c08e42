/** A request that changes something, before it is sent. */
export interface Action {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v1/namespaces/{ns}/`, with encoded parts. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON, sent unchanged. */
  readonly body?: string;
  /** The arguments of `stack`; default: those of `stack api`, which sends any request. */
  readonly cli?: readonly string[];
  /** The text that the command reads from stdin. */
  readonly input?: string;
  /** The call of the SDK; undefined if the SDK has none. */
  readonly sdk?: SdkCall;
}

export interface SdkCall {
  /** Such as `sendBroadcast`. */
  readonly method: string;
  /** Each as JSON; default: the body alone. */
  readonly arguments?: readonly string[];
}

export function pathOf(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

export function targetOf({ path, query = {} }: Action): string {
  const parameters = new URLSearchParams(query);
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
